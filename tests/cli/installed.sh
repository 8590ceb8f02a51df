#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The installed files suffice to build applications outside the tree: headers, library, pkg-config, template, guide.
. "${srcdir:-.}/tests/tap.sh"
build=$PWD
top=$(cd "${srcdir:-.}" && pwd)
here=$work/installed
# libraries find each other by RPATH at their configured place; here by the environment
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
# an application's parameters are options
./forest --help | grep -A 1 -- '--growth=X' | tr -s ' \n' ' ' | grep -q 'per step (0..1, default 0.01)'; ok $? "parameters are in --help, with bounds and default"
./forest --quiet --size 60,50 --steps 40 --output two.npy --growth .01; same one.npy two.npy "giving the default changes nothing"
./forest --quiet --size 60,50 --steps 40 --output two.npy --growth .5; ! cmp -s one.npy two.npy; ok $? "another chance of growth gives another forest"
printf 'growth = .5\n' > forest.job
./forest --quiet --size 60,50 --steps 40 --output three.npy --job forest.job; same two.npy three.npy "job files have parameters"
./forest --quiet --size 60,50 --steps 40 --output three.npy --job forest.job --growth .01; same one.npy three.npy "... the command line takes precedence"
fails 2 "growth: 2 is not in 0..1" "a parameter out of bounds" ./forest --growth 2
fails 2 "seed: '1.5' is not" "an invalid whole number" ./forest --seed 1.5
fails 2 'growth: is 0.3, on rank 0 it is 0.01|growth: is 0.01, on rank 1 it is 0.3' "ranks with different parameters end" "$ranks" 2 "$each" './forest --steps 1' './forest --steps 1 --growth .3'
for wrong in 's/growth, 0, 1/growth, 0, .001/ default.0.01.is.not' 's/growth, 0, 1/growth, 1, 0/ bounds' \
  's/seed, 0, 1e9/seed, 0, 1e300/ exceed.the.range.of.its.type' \
  's/growth/steps/g option.has.the.same.name' \
  's/parameter_bytes = sizeof p/parameter_bytes = 4/ at.byte'; do
  sed "${wrong% *}" forest.c > wrong.c
  succeeds "a wrong list of parameters compiles (${wrong% *})" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" wrong.c "${cflags[@]}" "${libs[@]}" -o wrong
  fails 2 "parameter '.*${wrong##* }" "... and is refused" ./wrong --size 8,8
done
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/README.md" > average.c
succeeds "README's program compiles" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" average.c "${cflags[@]}" "${libs[@]}" -o average
succeeds "... and runs" ./average --quiet --size 100,80 --output result.png --phases
sed 's/hg_job job = {/&.rebalance = 200, /' average.c > shares.c && cc -O2 shares.c "${cflags[@]}" "${libs[@]}" -o shares
fails 2 'rebalance.* 200' "a job with an invalid value" ./shares --quiet --size 100,80
succeeds "... unless the command line says otherwise" ./shares --quiet --size 100,80 --rebalance auto
for example in "$here"/share/hetgrid/examples/*.c; do
  succeeds "$(basename "$example") compiles" cc -O2 -Wall -Wextra -Werror "${sanitize[@]}" "$example" "${cflags[@]}" "${libs[@]}" -o example
done
line=$here/share/hetgrid/examples/line.c
succeeds "line.c compiles for doubles" cc -O2 -Wall -Wextra -Werror -DHG_VALUE=double -c "$line" "${cflags[@]}" -o line_double.o
succeeds "... beside floats" cc -O2 "$line" line_double.o "${cflags[@]}" "${libs[@]}" -o line
for precision in float double; do succeeds "... and runs with ${precision}s" ./line --quiet --size 100 --precision $precision; done

# every header compiles alone, in C and C++
for header in "$here"/include/hetgrid/*.h; do
  name=hetgrid/$(basename "$header")
  [[ $name != hetgrid/app_*.h ]] || continue # included by app.h
  printf '#include <%s>\nextern int alone;\n' "$name" > alone.c
  cp alone.c alone.cc
  succeeds "$name compiles alone as C11" cc -std=c11 -Wall -Wextra -Werror -pedantic -fsyntax-only "${cflags[@]}" alone.c
  succeeds "... and as C++17" c++ -std=c++17 -Wall -Wextra -Werror -pedantic -fsyntax-only "${cflags[@]}" alone.cc
done
printf '#include <complex>\n#define HG_VALUE std::complex<double>\n#define HG_DIMS 1\n#define HG_RADIUS 1\n#include <hetgrid/app.h>\n
HG_UPDATE(sum) { return hg_at(u, -1) + hg_at(u, 1); }\nextern const hg_update *const used;\nconst hg_update *const used = &sum;\n' > complex.cc
succeeds "an update of a class compiles in C++" c++ -std=c++17 -O2 -Wall -Wextra -Werror "${cflags[@]}" -c complex.cc
printf '#define HG_VALUE __int128\n#include <hetgrid/app.h>\nstatic_assert(HG_VALUE_TYPE == 0, "of 16 bytes");\n' > wide.cc
succeeds "... and integers of 16 bytes are no numbers" c++ -std=gnu++17 -fsyntax-only "${cflags[@]}" wide.cc
[ "$(find "$here/include" -type f | wc -l)" -eq "$(find "$here/include/hetgrid" -maxdepth 1 -name '*.h' | wc -l)" ]
ok $? "only <hetgrid/*.h> is installed"

# a program with its own headers of the same names, in C and C++
mkdir -p own
for name in status box job units app tile cells; do echo "enum { OWN_$name = 1 };" > own/$name.h; done
{ for name in status box job units app tile cells; do echo "#include \"$name.h\""; done
  echo '#include <hetgrid/app.h>'
  echo 'int main(void) { return hg_fail(HG_INVALID, "%d", OWN_status + OWN_box) == HG_INVALID && hg_message()[0] == 50 ? 0 : 1; }'; } > own/program.c
cp own/program.c own/program.cc
succeeds "a program has its own status.h, box.h, job.h" cc -Wall -Werror "${sanitize[@]}" -Iown own/program.c "${cflags[@]}" "${libs[@]}" -o program
succeeds "... and runs" ./program
printf '#define X(n) n\n#define LANES 8\n#define OWN 1\n#define T 2\n#include "../average.c"\n#ifndef X\n#error\n#endif\n' > own/macros.c
for language in "c -std=c11" "c++ -std=c++20"; do
  # shellcheck disable=SC2086
  succeeds "... and macros of its own (${language%% *})" c++ -x $language -fsyntax-only -Werror "${cflags[@]}" own/macros.c
done
succeeds "... in C++ too" c++ -Wall -Werror "${sanitize[@]}" -Iown own/program.cc "${cflags[@]}" "${libs[@]}" -o program
succeeds "... and runs" ./program

# programs that run no task load neither StarPU, MPI nor CUDA
for program in plan simulate trace; do
  loaded=$(ldd "$here/bin/hetgrid-$program" | grep -oE 'lib(starpu|mpi|cu[db]|hetgrid|hdf5)[^ ]*' | tr '\n' ' ')
  [ -z "$loaded" ]; ok $? "hetgrid-$program loads no StarPU, MPI or CUDA $loaded"
done

# the library exports what its headers declare, under its own version, and hg_* for the programs of the tree
symbols() { nm -D --defined-only --with-symbol-versions "$here/lib/libhetgrid.so" | awk '$2 != "A" { print $3 }' | sort; }
LD_BIND_NOW=1 LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bindings ./forest --version > /dev/null
grep -hE "libstarpumpi.* to ./forest .*MPI_Test'" "$work"/bindings.* > /dev/null
ok $? "StarPU-MPI asks the application's MPI_Test, which lets it back off"
other=$(symbols | grep -v '^hg_' | tr '\n' ' ')
[ -z "$other" ]; ok $? "the library exports nothing but hg_* $other"
(cd "$here/include/hetgrid" && ls) | grep -v "^app_" | sed 's|.*|#include <hetgrid/&>|' > all.c
cc -aux-info declared "${cflags[@]}" -fsyntax-only all.c
grep 'include/hetgrid/' declared | grep '\*/ extern' | grep -v hg_program_ | grep -o 'hg_[a-z0-9_]* (' | tr -d ' (' | sort -u > public
symbols | sed -n 's/@@HETGRID_[0-9]*$//p' > exported
[ -s public ] && same public exported "the public version holds the functions that headers declare, all $(wc -l < public) of them"
flags --libs | grep -q rpath; [ $? -eq 1 ]; ok $? "pkg-config forces no search path on programs ($(flags --libs))"
flags --static --libs | grep -q -- '-lhdf5'; ok $? "... names the library's dependencies if asked for (--static)"
alone=$(PKG_CONFIG_LIBDIR=$here/lib/pkgconfig flags --cflags --libs) # without other packages' files
[[ " $alone" == *" -lhetgrid"* && " $alone" != *" -I"*" -I"* && " $alone " == *" -I$here/include "* ]]
ok $? "... needs no other package, and gives no -I except its own ($alone)"
[ -f "$(flags --variable=plugin)" ]; ok $? "... and says where the policies' plugin is ($(flags --variable=plugin))"
! grep '@' "$here/lib/pkgconfig/hetgrid.pc"; ok $? "... and configure filled in all of it"

# --- documentation
for page in README.md docs/HEAT.md docs/PYTHON.md docs/forest.png traces/README.md LICENSE; do [ -s "$here/share/doc/hetgrid/$page" ] || echo "$page"; done > lacking
[ ! -s lacking ]; ok $? "the pages are installed with valid links $(tr '\n' ' ' < lacking)"

# --- integration with other tools
completes() { # WORD...: bash's completions of the last one
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
    compopt() { :; }; _hetgrid "$1"; printf "%s\n" "${COMPREPLY[@]}"' bash "$here/share/bash-completion/completions/hetgrid-heat" "$@"
}
[ "$(completes "$here/bin/hetgrid-heat" --toler)" = --tolerance= ]; ok $? "bash completes --toler"
[ "$(completes "$here/bin/hetgrid-heat" --precision=f)" = float ]; ok $? "... and --precision=f"
for word in heat:kernel=na:naive heat:sched=lw:lws heat:sched=hetgrid-n:hetgrid-nphp elimination:pivoting=to:tournament pricer:option=pu:put \
  plan:partition=np:nphp heat:colormap=vir:viridis simulate:platform=hc:hcl; do
  IFS=: read -r program given wanted <<< "$word"
  offered=$(completes "$here/bin/hetgrid-$program" "--$given" | xargs)
  [ "$offered" = "$wanted" ]; ok $? "... and --$given of hetgrid-$program, with $offered"
done
[ "$(completes "$here/bin/hetgrid-heat" --output forest.c)" = forest.c ]; ok $? "... and names of files"
[ "$(completes "$here/bin/hetgrid-plan" --ver)" = --version ]; ok $? "... of other programs, too"
missing=''
for path in $(awk '$1 == "prepend-path" { print $3 }' "$here"/share/modulefiles/hetgrid/*); do [ -d "$path" ] || missing="$missing $path"; done
[ -n "$path" ] && [ -z "$missing" ]; ok $? "the folders of the module file exist$missing"
MAKEFLAGS= make -C "$build" install-data-local DESTDIR="$work/the stage" prefix=/other libdir=/other/lib64 > install.log 2>&1
[ "$(grep -c ' /other/lib64' "the stage"/other/share/modulefiles/hetgrid/*)" = 3 ]; ok $? "... with another --libdir, and a blank in DESTDIR"
mkdir -p "the stage/other/libexec/hetgrid" && touch "the stage/other/libexec/hetgrid/hetgrid-heat-sim"
MAKEFLAGS= make -C "$build" uninstall-local DESTDIR="$work/the stage" prefix=/other > install.log 2>&1
left=$(find "the stage" ! -type d | xargs); [ -z "$left" ]; ok $? "what make simulation installed is removed too, and all pages $left"
lacking=''
for name in $(cd "$here/bin" && echo hetgrid-*); do
  awk -v example="fB.*${name//-/.-}" '/^\.SH / { section = $0 } section ~ /EXAMPLES/ && $0 ~ example { shown++ } section ~ /FILES/ { files++ }
    section ~ /SEE ALSO/ && /^\.BR hetgrid/ { others++ } END { exit !(shown && files && others >= 12) }' "$here/share/man/man1/$name.1" || lacking="$lacking $name"
done
[ -e "$here/share/man/man1/hetgrid-heat.1" ] && [ -z "$lacking" ]; ok $? "man pages have examples of theirs, files, and each other${lacking:+, but not$lacking}"
! grep -nE "^[.'][a-z]" "$here"/share/man/man1/*.1; ok $? "... and no line that troff would take for a request"
grep -q "\"$(pkg-config --modversion hetgrid)\"" "$here/include/hetgrid/version.h"
ok $? "HG_VERSION is what pkg-config says"
fails 1 "'$work/a b', which has a blank" "configure refuses a folder where libtool cannot install" "$top/configure" --prefix="$work/a b"
fails 1 "none: has no bin/nvcc" "... and a folder for CUDA that holds none" "$top/configure" --with-cuda="$work/none"
if command -v clang > /dev/null; then
  fails 1 "clang has no __builtin_shuffle; hetgrid is built by gcc" "... and a compiler that is not gcc" "$top/configure" CC=clang
else skip "no clang"; fi
half=$build/include/hetgrid/file.h # of src/base, none that is installed
(trap '' XFSZ; ulimit -f 1; MAKEFLAGS= make -C "$build" -o Makefile include/hetgrid/file.h) > half.log 2>&1
[ $? -ne 0 ] && [ ! -e "$half" ]; ok $? "make leaves no half header where the disk is full"; rm -f "$half"
# the commit in --version and in files
commit_of() { # FOLDER: what a build from it would say
  mkdir -p commit && MAKEFLAGS= make -sn -C "$build" include/commit.h abs_top_srcdir="$1" > recipe &&
    (cd commit && sh ../recipe && sed 's/#define HG_COMMIT "\(.*\)"/\1/' include/commit.h)
}
mkdir -p package/archive
if git init -q package && git -C package -c user.name=packager -c user.email=at@example.org commit -q --allow-empty -m first; then
  [ "$(commit_of "$work/package/archive")" = unknown ]; ok $? "the commit is not that of a repository that an archive is unpacked in"
  echo 123456789abc > package/archive/.commit; git init -q package/archive
  [ "$(commit_of "$work/package/archive")" = 123456789abc ]; ok $? "... but what the archive says of itself"
  [ "$(commit_of "$work/package")" = "$(git -C package describe --always --abbrev=12)" ]; ok $? "... or its own repository"
else skip "no git"; fi
if git -C "$top" ls-files > listed 2> /dev/null && [ -s listed ]; then
  MAKEFLAGS= make -s -C "$build" distdir distdir="$work/dist" > dist.log 2>&1
  lacking=$(grep -vE '^\.(ci|github|gitignore)' listed | while read -r file; do [ -e "dist/$file" ] || echo "$file"; done)
  [ -d dist ] && [ -z "$lacking" ]; ok $? "an archive has all files of the repository $lacking"
  chmod -R u+w dist && rm -r dist
else skip "no repository"; fi
# Spack's recipe with stand-ins for Spack's modules: it imports its base classes as since Spack 1.0 and depends on all linked libraries
mkdir -p spack/spack_repo/builtin/build_systems spack/spack
for class in Autotools Cuda; do echo "class ${class}Package: pass" > "spack/spack_repo/builtin/build_systems/${class,,}.py"; done
cat > spack/spack/package.py <<'END'
needed = []
def depends_on(spec, **rest): needed.append(spec.split('@')[0].split()[0])
def version(*words, **rest): pass
license = version
END
PYTHONPATH=spack python3 - "$top/scripts/packages/spack/package.py" > needed 2> err <<'END'
import runpy, sys
recipe = runpy.run_path(sys.argv[1])
assert [c.__name__ for c in recipe['Hetgrid'].__mro__[1:3]] == ['AutotoolsPackage', 'CudaPackage']
import spack.package
print('\n'.join(spack.package.needed))
END
ended $? "Spack's recipe is loaded" python3
declare -A spack_name=([libcairo2]=cairo [libfftw3]=fftw [libhdf5]=hdf5 [libhwloc]=hwloc [libjansson]=jansson [libopenblas]=openblas [libopenmpi]=mpi
  [libpng]=libpng [libstarpu]=starpu [libtiff]=libtiff [libzip]=libzip [zlib1g]=zlib-api)
lacking=''
for package in $(sed -n '/^Build-Depends/,/^$/p' "$top/debian/control" | grep -oE '(lib|zlib)[a-z0-9]*-dev' | sort -u); do
  grep -qx -- "${spack_name[${package%-dev}]:-none}" needed || lacking="$lacking $package"
done
[ -z "$lacking" ]; ok $? "... and depends on all libraries that Debian's package does$lacking"
# Debian packages: each installed file is in one of them or excluded by name
[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")" = "$(pkg-config --modversion hetgrid)" ]
ok $? "debian/changelog has this version"
taken=$(cat "$top"/debian/*.install "$top/debian/not-installed" | sed -n 's/ .*//; s|^usr/lib/\*/|lib/|; s|^usr/||; /^\(bin\|include\|lib\|share\)/p')
in_packages() { local pattern; for pattern in $taken; do [[ $1 == $pattern || $1 == $pattern/* ]] && return; done; return 1; } # FILE
left=$(cd "$here" && set -f && find . -type f -printf '%P\n' | while read -r file; do in_packages "$file" || echo "$file"; done)
[ -z "$left" ]; ok $? "each file that is installed is in a Debian package or named in debian/not-installed $left"
missing=$(cd "$here" && set -f && for pattern in $taken; do set +f; compgen -G "$pattern" > /dev/null || echo "$pattern"; done)
[ -n "$taken" ] && [ -z "$missing" ]; ok $? "... whose lists name no missing file $missing"
if command -v cmake > /dev/null && [ ${#sanitize[@]} -eq 0 ]; then
  mkdir -p cmake
  sed -i "s|^prefix=.*|prefix=$here|" "$here/lib/pkgconfig/hetgrid.pc"
  { echo 'cmake_minimum_required(VERSION 3.18)'; echo 'project(forest C)'; echo "find_package(hetgrid $(pkg-config --modversion hetgrid | cut -d. -f1,2) REQUIRED)"
    echo 'add_executable(forest ../forest.c)'; echo 'target_link_libraries(forest hetgrid::hetgrid)'
    echo 'target_link_options(forest PRIVATE -Xlinker --as-needed)'; } > cmake/CMakeLists.txt
  succeeds "CMake finds the library" cmake -S cmake -B cmake/build -Dhetgrid_DIR="$here/lib/cmake/hetgrid"
  succeeds "... and builds the guide's program" cmake --build cmake/build
  succeeds "... which runs" cmake/build/forest --quiet --size 60,50 --steps 4
  mkdir -p other/lib && cp -r "$here"/lib/{cmake,pkgconfig} other/lib && ln -s "$here/lib/libhetgrid.so" other/lib && ln -s "$here/include" other
  sed -i "s|^prefix=.*|prefix=$work/other|" other/lib/pkgconfig/hetgrid.pc
  cmake -S cmake -B cmake/build -Dhetgrid_DIR="$work/other/lib/cmake/hetgrid" > out 2>&1
  grep -q "$work/other/lib/libhetgrid.so" cmake/build/CMakeFiles/forest.dir/link.txt; ok $? "... links another installation when hetgrid_DIR changes"
  for wanted in 0.1 99; do
    mkdir -p cmake/$wanted
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(other C)\nfind_package(hetgrid %s REQUIRED)\n' $wanted > cmake/$wanted/CMakeLists.txt
    fails 1 'requested version "'$wanted'"|compatible with requested version' "... and no library of version $wanted" cmake -S cmake/$wanted -B cmake/$wanted/build -Dhetgrid_DIR="$here/lib/cmake/hetgrid"
  done
else skip "no cmake (or a build with sanitizers)"; fi

# --- effects on processes that load the library
objects=("$here"/lib/libhetgrid.so "$here"/lib/hetgrid/*.so "$here"/bin/hetgrid-heat)
header() { readelf -dW "$1" | sed -n "s/.*($2) *//p"; } # FILE TAG
for object in "${objects[@]}"; do
  name=$(basename "$object")
  readelf -lW "$object" | grep -q GNU_RELRO && header "$object" 'FLAGS\(_1\)\?' | grep -qE 'BIND_NOW|NOW'
  ok $? "$name is bound at the start, its tables cannot be written (RELRO, BIND_NOW: $(header "$object" 'FLAGS\(_1\)\?' | tr '\n' ' '))"
done
if [ ${#sanitize[@]} -eq 0 ]; then
  symbols_used() { nm -D --undefined-only "$here/lib/libhetgrid.so" | awk '{ print $2 }' | sed 's/@.*//'; }
  symbols_used | grep -qx __stack_chk_fail; ok $? "the library guards its stack"
  symbols_used | grep -q '_chk$'; ok $? "... and checks copies ($(symbols_used | grep -c '_chk$') functions)"
fi
# RUNPATH holds the folders of StarPU and CUDA, but no system folder and nothing of the build tree
asked=$(sed -n 's/^STARPU_RPATH = -R //p' "$build/Makefile"; sed -n 's/^CUDA_LIBS = .*-Wl,-rpath,\([^ ]*\).*/\1/p' "$build/Makefile")
for object in "$here"/lib/libhetgrid.so "$here"/lib/hetgrid/*.so; do
  other=$(header "$object" RUNPATH | sed 's/.*\[\(.*\)\]/\1/' | tr ':' '\n' | grep -vxF "$asked" | grep -v '^$' | tr '\n' ' ')
  [ -z "$other" ] && [ -z "$(header "$object" RPATH)" ]
  ok $? "$(basename "$object") looks for libraries nowhere but where configure was told ($(echo $asked)) $other"
done
! grep -qE '^(/lib|/usr/lib)' <<< "$asked"; ok $? "... which is no folder of the system"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)
if [ -n "$nvcc" ] && [ ${#sanitize[@]} -eq 0 ]; then
  read -r -a nvccflags <<< "$(flags --variable=nvccflags)"
  succeeds "nvcc compiles the same file" "$nvcc" "${nvccflags[@]}" forest.c "${cflags[@]}" "${libs[@]}" -o forest-cuda
  [ ! -s "$work/err" ]; ok $? "... without a warning: $(grep -m 1 warning "$work/err" | cut -c1-150)"
  succeeds "... it runs, on CPUs if there is no device" ./forest-cuda --quiet --size 60,50 --steps 40 --output three.npy
  same one.npy three.npy "... with the same bits"
  for example in average cube elimination_units histories; do
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
