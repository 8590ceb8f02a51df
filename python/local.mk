# SPDX-License-Identifier: MIT
# The Python package: files installed unchanged; `pip install ./python` installs the same (docs/PYTHON.md).
pythonmoduledir = $(pkgdatadir)/python/hetgrid
dist_pythonmodule_DATA = \
  python/hetgrid/__init__.py \
  python/hetgrid/expression.py \
  python/hetgrid/programs.py \
  python/hetgrid/update.c \
  python/hetgrid/update.py
EXTRA_DIST += python/pyproject.toml
