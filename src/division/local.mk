# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/division/balance_monitor.c \
  src/division/balance_monitor.h \
  src/division/divide.c \
  src/division/divide.h \
  src/division/objective.c \
  src/division/objective.h \
  src/division/rebalance_rule.c \
  src/division/rebalance_rule.h
