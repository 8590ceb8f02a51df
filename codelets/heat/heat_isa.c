/* SPDX-License-Identifier: MIT */
/* The heat kernels for one instruction set, and its conversion of rows to lane layout. Built once per set with
 * -DHG_ISA=baseline|avx2|avx512 and the matching compiler flags; heat_cpu.c chooses among them at run time. */
#include "codelets/heat/heat_internal.h"

#define REAL_IS_FLOAT 0
#include "codelets/heat/heat_isa.h"
#include "codelets/heat/heat_lanes_template.h"
#include "codelets/heat/heat_deep_template.h"
#include "codelets/heat/heat_sweep_template.h"
#undef REAL_IS_FLOAT
#undef NAME

#define REAL_IS_FLOAT 1
#include "codelets/heat/heat_isa.h"
#include "codelets/heat/heat_lanes_template.h"
#include "codelets/heat/heat_deep_template.h"
#include "codelets/heat/heat_sweep_template.h"

#define ISA_TABLE2(isa)                                                                                                \
  const hg_heat_isa hg_heat_isa_##isa = {.deep = {#isa,                                                                \
                                                  NULL,                                                                \
                                                  {deep_advance_##isa##_double, deep_advance_##isa##_float},           \
                                                  {deep_workspace_##isa##_double, deep_workspace_##isa##_float}},      \
                                         .naive = {"naive",                                                            \
                                                   NULL,                                                               \
                                                   {naive_advance_##isa##_double, naive_advance_##isa##_float},        \
                                                   {naive_workspace_##isa##_double, naive_workspace_##isa##_float}},   \
                                         .field = {"field",                                                            \
                                                   NULL,                                                               \
                                                   {field_advance_##isa##_double, field_advance_##isa##_float},        \
                                                   {field_workspace_##isa##_double, field_workspace_##isa##_float}},   \
                                         .rows = {{words_in_##isa##_double, words_out_##isa##_double},                 \
                                                  {words_in_##isa##_float, words_out_##isa##_float}}};
#define ISA_TABLE(isa) ISA_TABLE2(isa)
ISA_TABLE(HG_ISA)
