/* SPDX-License-Identifier: MIT */
/* The version of the headers. */
#ifndef HG_BASE_VERSION_H
#define HG_BASE_VERSION_H

#define HG_VERSION "0.2.0"
#endif
