#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python module on NumPy arrays, against NumPy and the library's serial reference. A Python with NumPy is searched
# under two names, since a user's own python3 may hide the distribution's.
. "${srcdir:-.}/tests/tap.sh"
top=$(cd "${srcdir:-.}" && pwd)
export HETGRID_BIN=$PWD HETGRID_LIBRARY=$PWD/.libs/libhetgrid.so PYTHONPATH=$top/python PYTHONDONTWRITEBYTECODE=1
for python in python3 /usr/bin/python3 none; do "$python" -c 'import numpy' 2> /dev/null && break; done
if [ "$python" = none ]; then skip "no Python with NumPy (Debian: python3-numpy)"; done_testing; fi
cd "$work" || exit 99
"$HETGRID_BIN/hetgrid-heat" --quiet --size 200,100 --steps 40 --trace=run
"$python" "$top/tests/cli/python.py"
