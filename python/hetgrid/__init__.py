# SPDX-License-Identifier: MIT
"""hetgrid from Python: updates of grids compiled from texts and run in this process, the installed programs on NumPy
arrays, their tables and traces as frames.

Options of the programs are keywords: time_step=.1 is --time-step .1, rebalance="off" is --rebalance off, verify=True is
--verify, speeds=[2, 1] is --speeds 2,1. What fails raises Error with its message; what warns is a ProgramWarning by
warnings.warn. Arrays hold real numbers that are finite and exact in double precision: what is masked, complex, a text, a
date or an object raises TypeError or ValueError naming the argument. What is returned as a table is a pandas.DataFrame
where pandas is installed, else a dictionary of columns (NumPy arrays where NumPy is installed, else lists). HETGRID_BIN
names the folder of the programs, HETGRID_LIBRARY the library, HETGRID_INCLUDE the folder of its headers, if they lie
neither beside this package (PREFIX/share/hetgrid/python, PREFIX/bin) nor where the programs in PATH are.
"""
from .programs import Error, Plan, ProgramWarning, heat, heat_reference, plan, read_table, read_trace, run, simulate, solve
from .update import Run, Update

__version__ = "0.2.0"
__all__ = ["Error", "Plan", "ProgramWarning", "Run", "Update", "heat", "heat_reference", "plan", "read_table", "read_trace",
           "run", "simulate", "solve"]
