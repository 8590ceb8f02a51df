#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is installed is enough to build applications outside the tree: headers, library, pkg-config, template, guide.
. "${srcdir:-.}/tests/tap.sh"
build=$PWD
top=$(cd "${srcdir:-.}" && pwd)
here=$work/installed
# libraries find each other by RPATH at the place they were configured for; here by the environment
MAKEFLAGS= make -C "$build" install prefix="$here" > "$work/install.log" 2>&1
ok $? "it can be installed anywhere ($(tail -n 1 "$work/install.log" | cut -c1-80))"
export PKG_CONFIG_PATH=$here/lib/pkgconfig LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
flags() { pkg-config --define-variable=prefix="$here" "$@" hetgrid; }
cd "$work" || exit 99

cp "$here"/share/hetgrid/template/* .
{ echo '/* SPDX-License-Identifier: MIT */'; awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/FIRST-APPLICATION.md"; } > guide.c
same guide.c forest.c "the guide's program is the template's"
sanitize=()
ldd "$here/lib/libhetgrid.so" | grep -q libasan && sanitize=(-fsanitize=address,undefined)
read -r -a cflags <<< "$(flags --cflags)"
read -r -a libs <<< "$(flags --libs)"
succeeds "it compiles with the flags of pkg-config, without warnings" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" forest.c "${cflags[@]}" "${libs[@]}" -o forest
succeeds "... and runs" ./forest --quiet --size 60,50 --steps 40 --output one.npy
succeeds "... divided otherwise" ./forest --quiet --size 60,50 --steps 40 --output two.npy --tile 9,13 --block 3 --sched lws
same one.npy two.npy "... with the same bits"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/README.md" > average.c
succeeds "README's program compiles" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" average.c "${cflags[@]}" "${libs[@]}" -o average
succeeds "... and runs" ./average --quiet --size 100,80 --output result.png --phases
for example in "$here"/share/hetgrid/examples/*.c; do
  succeeds "$(basename "$example") compiles" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" "$example" "${cflags[@]}" "${libs[@]}" -o example
done
cat > program.c <<'END'
#include <hetgrid.h>
int main(void) { return hg_partition_find("nphp", &(const hg_partitioner *){0}) == HG_OK ? 0 : 1; }
END
succeeds "a program that uses the library's layers compiles" cc -Wall "${sanitize[@]}" program.c "${cflags[@]}" "${libs[@]}" -o program
succeeds "... and runs" ./program

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)
if [ -n "$nvcc" ] && [ ${#sanitize[@]} -eq 0 ]; then
  read -r -a nvccflags <<< "$(flags --variable=nvccflags)"
  succeeds "nvcc compiles the same file" "$nvcc" "${nvccflags[@]}" forest.c "${cflags[@]}" "${libs[@]}" -o forest-cuda
  succeeds "... it runs, on CPUs where there is no device" ./forest-cuda --quiet --size 60,50 --steps 40 --output three.npy
  same one.npy three.npy "... with the same bits"
  for example in elimination_units histories; do
    succeeds "nvcc compiles $example.c" "$nvcc" "${nvccflags[@]}" "$here/share/hetgrid/examples/$example.c" "${cflags[@]}" "${libs[@]}" -o example
  done
else
  skip "no nvcc (or a build with sanitizers)"
fi

if command -v doxygen > /dev/null; then
  MAKEFLAGS= make -C "$build" reference > doxygen.log 2>&1
  ok $? "the reference is made"
  ! grep -q '[0-9]: warning' doxygen.log; ok $? "... without warnings $(grep '[0-9]: warning' doxygen.log | head -n 1 | cut -c1-200)"
  grep -q 'Your first application' "$build/reference/html/index.html"; ok $? "... and begins with the guide"
else
  skip "no doxygen"
fi
done_testing
