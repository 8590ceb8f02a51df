#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Updates given as text in Python, run by the library in the same process, against NumPy; the package as pip installs it.
. "${srcdir:-.}/tests/tap.sh"
top=$(cd "${srcdir:-.}" && pwd)
export HETGRID_BIN=$PWD HETGRID_LIBRARY=$PWD/.libs/libhetgrid.so HETGRID_INCLUDE=$PWD/include HETGRID_CACHE=$work/cache
export PYTHONDONTWRITEBYTECODE=1 HETGRID_CUDA=0
if nm -D "$HETGRID_LIBRARY" | grep -q __asan_init; then skip "a library with sanitizers in Python"; done_testing; fi
for python in ${PY:-} python3 /usr/bin/python3 none; do "$python" -c 'import numpy' 2> /dev/null && break; done
if [ "$python" = none ]; then skip "no Python with NumPy (Debian: python3-numpy)"; done_testing; fi
cd "$work" || exit 99
PYTHONPATH=$top/python points "updates in Python" "$python" "$top/tests/cli/update.py"

# ranks make the same calls; rank 0 has the result
cat > ranks.py <<'END'
import sys
import numpy
import hetgrid
a = numpy.random.RandomState(3).rand(60, 50)
got = hetgrid.Update("(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) / 4").run(a, 30, boundary="periodic")
if got is not None:
    numpy.save(sys.argv[1], got)
END
export PYTHONPATH=$top/python
succeeds "one rank" "$python" ranks.py one.npy
succeeds "... and two" "$ranks" 2 "$python" ranks.py two.npy
same one.npy two.npy "... have the same bits"
unset PYTHONPATH

if HETGRID_CUDA=1 PATH=$PATH:/usr/local/cuda/bin command -v nvcc > /dev/null; then
  HETGRID_CUDA=1 PYTHONPATH=$top/python succeeds "an update is compiled for GPUs if there is nvcc" "$python" -c '
import numpy, hetgrid
u = hetgrid.Update("u[-1] + k * min(u[1], 2)", k=.5)
assert u.compiled(numpy.dtype("f8")).load(1).hetgrid_has_cuda() % 256 == 1'
else skip "no nvcc"; fi

# where --libdir has put it
mkdir -p elsewhere/share/hetgrid/python elsewhere/lib elsewhere/lib64
cp -r "$top/python/hetgrid" elsewhere/share/hetgrid/python/ && ln -s "$HETGRID_LIBRARY" elsewhere/lib64/libhetgrid.so.1
found=$(env -u HETGRID_LIBRARY PYTHONPATH=elsewhere/share/hetgrid/python "$python" -c 'from hetgrid.programs import library_path; print(library_path())')
[ "$found" -ef elsewhere/lib64/libhetgrid.so.1 ]; ok $? "the library is found in lib64 ($found)"

# pip gets setuptools from its index; it is skipped if the index cannot be reached
if "$python" -m venv venv > /dev/null 2>&1; then
  cp -r "$top/python" source && chmod -R u+w source
  if timeout 300 venv/bin/python -m pip install -q --no-deps ./source 2> pip.err; then
    PYTHONPATH=$("$python" -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))')
    export PYTHONPATH
    succeeds "the package that pip installs runs updates" venv/bin/python -c '
import numpy, hetgrid
assert "venv" in hetgrid.__file__, hetgrid.__file__
assert (hetgrid.Update("u[-1] + 1").run(numpy.arange(9.), 2)[2:-1] == numpy.arange(9.)[2:-1]).all()'
    mkdir -p venv/include/python3 installed/bin installed/lib installed/include
    cp "$HETGRID_BIN/hetgrid-heat" installed/bin; ln -s "$HETGRID_LIBRARY" installed/lib/libhetgrid.so.1; ln -s "$HETGRID_INCLUDE/hetgrid" installed/include
    unset_headers=(env -u HETGRID_INCLUDE -u HETGRID_LIBRARY -u HETGRID_BIN HETGRID_CACHE="$work/other")
    PATH=$work/installed/bin:$PATH succeeds "... with the headers of the programs in PATH, not the include folder of its own environment" \
      "${unset_headers[@]}" venv/bin/python -c 'import numpy, hetgrid; assert hetgrid.Update("u + 2").run(numpy.zeros(4), 1)[1] == 2'
    [ "$(venv/bin/python -c 'import hetgrid; print(hetgrid.__version__)')" = "$(sed -n 's/.*HG_VERSION "\(.*\)"/\1/p' "$top/src/base/version.h")" ]
    ok $? "... and has the version of the library"
  elif grep -qE 'Could not find a version|No matching distribution|onnection' pip.err; then skip "pip reaches no index"
  else ok 1 "pip installs the package: $(tail -n 3 pip.err | tr '\n' ' ')"; fi
else skip "no venv"; fi
done_testing
