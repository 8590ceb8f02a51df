# SPDX-License-Identifier: MIT
# The Python module: a file that is installed as it is (docs/PYTHON.md).
pythonmoduledir = $(pkgdatadir)/python
dist_pythonmodule_DATA = python/hetgrid.py
