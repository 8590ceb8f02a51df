/* SPDX-License-Identifier: MIT */
#include "pricing/portfolio.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/memory.h"
#include "input/lines.h"

/* Skips the comma before the next value. */
static hg_status pass_comma(hg_lines *l, const char *next)
{
  if (!hg_lines_more(l) || *l->at != ',') return hg_lines_fail(l, "a comma and '%s' are missing", next);
  l->at++;
  hg_lines_more(l);
  return HG_OK;
}

static hg_status read_kind(hg_lines *l, hg_contract_kind *kind)
{
  const size_t room = (size_t)(l->end - l->at);
  for (int i = 0; hg_contract_names[i]; i++) {
    const size_t length = strlen(hg_contract_names[i]);
    if (length >= room || memcmp(l->at, hg_contract_names[i], length) != 0) continue;
    if (!strchr(", \t", l->at[length])) continue;
    *kind = (hg_contract_kind)i;
    l->at += length;
    return HG_OK;
  }
  return hg_lines_fail(l, "a line must begin with call, put, asian-call or asian-put");
}

static hg_status read_fixings(hg_lines *l, hg_contract *c)
{
  c->fixings = 1;
  if (!hg_lines_more(l)) return hg_contract_is_asian(c) ? pass_comma(l, "fixings") : HG_OK;
  HG_TRY(pass_comma(l, "fixings"));
  HG_TRY(hg_lines_int(l, "fixings", 1, HG_FIXINGS_MAX, &c->fixings));
  return hg_lines_more(l) ? hg_lines_fail(l, "more than eight values") : HG_OK;
}

static hg_status read_line(hg_lines *l, hg_contract *c)
{
  const struct {
    const char *name;
    double *value;
  } field[] = {{"S", &c->spot}, {"K", &c->strike}, {"T", &c->time},
               {"r", &c->rate}, {"q", &c->yield},  {"sigma", &c->sigma}};
  const char *const begin = l->at;
  HG_TRY(read_kind(l, &c->kind));
  for (int i = 0; i < 6; i++) {
    HG_TRY(pass_comma(l, field[i].name));
    HG_TRY(hg_lines_double(l, ",", field[i].value));
  }
  HG_TRY(read_fixings(l, c));
  l->at = begin;
  return hg_contract_check(c) == HG_OK ? HG_OK : hg_lines_fail(l, "%s", hg_message());
}

static hg_status add_line(hg_lines *l, hg_portfolio *p)
{
  if (p->count == HG_PORTFOLIO_MAX) return hg_lines_fail(l, "more than %d contracts", HG_PORTFOLIO_MAX);
  HG_TRY(hg_grow("a portfolio", (void **)&p->contract, p->count, sizeof *p->contract));
  p->contract[p->count] = (hg_contract){.line = l->number};
  HG_TRY(read_line(l, &p->contract[p->count]));
  p->count++;
  return HG_OK;
}

/* Checks that a title's columns are the expected ones. */
static hg_status check_title(const hg_lines *l)
{
  static const char with[] = "type,S,K,T,r,q,sigma,fixings", without[] = "type,S,K,T,r,q,sigma";
  char title[sizeof with] = "";
  size_t count = 0;
  for (const char *c = l->at; c < l->end && count < sizeof title; c++)
    if (*c != ' ' && *c != '\t') title[count++] = *c;
  if (count < sizeof title && (strcmp(title, with) == 0 || strcmp(title, without) == 0)) return HG_OK;
  return hg_lines_fail(l, "the header must be %s, or the same without fixings", with);
}

hg_status hg_portfolio_parse(const char *text, size_t size, const char *place, hg_portfolio *out)
{
  static const char title[] = "type,";
  hg_lines l = hg_lines_begin(text, size, place);
  hg_status status = HG_OK;
  *out = (hg_portfolio){.place = place};
  while (status == HG_OK && hg_lines_next(&l)) {
    const char *comment = memchr(l.at, '#', (size_t)(l.end - l.at));
    if (comment) l.end = comment;
    while (l.end > l.at && (l.end[-1] == ' ' || l.end[-1] == '\t')) l.end--;
    if (!hg_lines_more(&l)) continue;
    const bool first = out->count == 0 && (size_t)(l.end - l.at) >= sizeof title - 1;
    const bool is_title = first && memcmp(l.at, title, sizeof title - 1) == 0;
    status = is_title ? check_title(&l) : add_line(&l, out);
  }
  if (status == HG_OK && out->count == 0) status = hg_fail(HG_FORMAT, "%s: no contracts", place);
  if (status != HG_OK) hg_portfolio_free(out);
  return status;
}

hg_status hg_portfolio_read(const char *path, hg_portfolio *out)
{
  void *text;
  size_t size;
  HG_TRY(hg_file_map(path, &text, &size));
  const hg_status status = hg_portfolio_parse(text, size, path, out);
  munmap(text, size);
  return status;
}

void hg_portfolio_free(hg_portfolio *p)
{
  free(p->contract);
  *p = (hg_portfolio){0};
}
