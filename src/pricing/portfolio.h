/* SPDX-License-Identifier: MIT */
/* Contracts from a CSV file, one per line:
 *
 *   type,S,K,T,r,q,sigma[,fixings]         a first line that begins so is skipped; # begins a comment
 *   call,100,105,1,0.05,0,0.2
 *   asian-put,100,100,0.5,0.03,0.01,0.25,12    fixings: required for Asian options */
#ifndef HG_PRICING_PORTFOLIO_H
#define HG_PRICING_PORTFOLIO_H

#include <stddef.h>

#include "pricing/contract.h"

enum { HG_PORTFOLIO_MAX = 1000000 };

typedef struct hg_portfolio {
  int64_t count;
  hg_contract *contract; /**< [count] */
  const char *place;     /**< name of the file for messages, kept by reference; NULL without a file */
} hg_portfolio;

/** Reads a text. HG_FORMAT naming place, line and column; HG_MEMORY. Free with hg_portfolio_free.
 */
hg_status hg_portfolio_parse(const char *text, size_t size, const char *place, hg_portfolio *out);

/** Reads a file. HG_IO too. */
hg_status hg_portfolio_read(const char *path, hg_portfolio *out);

void hg_portfolio_free(hg_portfolio *portfolio);
#endif
