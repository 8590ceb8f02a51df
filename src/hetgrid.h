/* SPDX-License-Identifier: MIT */
/* libhetgrid: dependent grid tasks on heterogeneous machines. Includes the public headers of all layers. */
#ifndef HG_HETGRID_H
#define HG_HETGRID_H

#define HG_VERSION "0.1.0"

#include "base/box.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "codelets/kernels.h"
#include "graph/session.h"
#include "graph/stencil.h"
#include "input/grid.h"
#include "input/problem.h"
#include "model/cpm.h"
#include "model/fpm.h"
#include "model/speed.h"
#include "partition/boxfile.h"
#include "partition/draw.h"
#include "partition/groups.h"
#include "partition/metrics.h"
#include "partition/partition.h"
#include "partition/points.h"
#include "partition/tree.h"
#include "placement/choose.h"
#include "placement/fpmc.h"
#include "placement/tiling.h"
#include "result/field.h"
#include "result/report.h"
#include "result/write.h"
#endif
