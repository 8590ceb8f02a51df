/* SPDX-License-Identifier: MIT */
#include "base/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/text.h"

#define DELAY "HETGRID_MAILBOX_DELAY"

/* A variable whose value is a number in lo..hi or one of some words. */
typedef struct variable {
  const char *name, *words;
  double lo, hi;
} variable;

static const variable list[] = {
    {"HETGRID_LOG", "error warn info debug", 0, 0},
    {"HETGRID_TRACE", "fxt profiling", 0, 0},
    {"HETGRID_SCHED_EPSILON", NULL, 0, 1e6},
    {"HETGRID_SCHED_STEAL", "0 1", 0, 0},
};

static int is_word(const char *value, const char *words)
{
  const size_t length = strlen(value);
  for (const char *at = words; length && (at = strstr(at, value)); at++)
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
  return 0;
}

static hg_status check(const variable *v, const char *value)
{
  double number;
  if (!v->words) return hg_parse_double(value, v->name, v->lo, v->hi, &number);
  if (is_word(value, v->words)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: '%s' in the environment, must be one of: %s", v->name, value, v->words);
}

hg_status hg_environment_delay(double *mean, int64_t *seed)
{
  static const int64_t LARGEST = INT64_C(1) << 53;
  const char *value = getenv(DELAY);
  char number[64];
  *mean = 0;
  *seed = 1;
  if (!value || !*value) return HG_OK;
  const size_t length = strcspn(value, ",");
  snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), value);
  const bool good = hg_parse_double(number, DELAY, 0, 10, mean) == HG_OK &&
                    (!value[length] || hg_parse_int(value + length + 1, DELAY, 0, LARGEST, seed) == HG_OK);
  if (good) return HG_OK;
  return hg_fail(HG_INVALID, DELAY ": '%s' in the environment, must be MEAN_S[,SEED], in 0..10 s and 0..2^53", value);
}

hg_status hg_environment_check(void)
{
  double mean;
  int64_t seed;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const char *value = getenv(list[i].name);
    if (value && *value) HG_TRY(check(&list[i], value));
  }
  return hg_environment_delay(&mean, &seed);
}

enum { LENT_MAX = 8 };
static struct {
  const char *name, *value;
} lent[LENT_MAX];
static int lent_count;

void hg_environment_lend(const char *name, const char *value)
{
  if (getenv(name) || lent_count == LENT_MAX || setenv(name, value, 0) != 0) return;
  lent[lent_count].name = name;
  lent[lent_count++].value = value;
}

void hg_environment_restore(void)
{
  while (lent_count > 0) {
    const char *value = getenv(lent[--lent_count].name);
    if (value && strcmp(value, lent[lent_count].value) == 0) unsetenv(lent[lent_count].name);
  }
}

/* Variables that launchers set: the rank; the number of ranks, in all and on this machine; a sign that a launcher is at
 * work. */
enum { RANK, RANKS, LOCAL, SIGN, KINDS };
static const char *const launchers[][KINDS] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "OMPI_COMM_WORLD_SIZE"},                           /* Open MPI */
    {"PMI_RANK", "PMI_SIZE", NULL, "PMI_SIZE"},         /* MPICH and relatives */
    {"PMIX_RANK", NULL, NULL, "PMIX_RANK"},             /* PMIx; it does not tell the number of ranks */
    {NULL, NULL, "MPI_LOCALNRANKS", "MPI_LOCALNRANKS"}, /* MPICH and relatives */
};

/* Value of the first variable of a kind that is set, or NULL. */
static const char *launched_with(int kind)
{
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
    const char *name = launchers[i][kind], *value = name ? getenv(name) : NULL;
    if (value) return value;
  }
  return NULL;
}

bool hg_environment_is_launched(void)
{
  return launched_with(SIGN) != NULL;
}

int hg_environment_rank(void)
{
  const char *rank = launched_with(RANK);
  return rank ? atoi(rank) : 0;
}

int hg_environment_ranks(void)
{
  const char *ranks = launched_with(RANKS);
  return ranks ? atoi(ranks) : hg_environment_rank() + 1;
}

int hg_environment_local_ranks(void)
{
  const char *ranks = launched_with(LOCAL);
  return ranks ? atoi(ranks) : 1;
}

void hg_date_text(char text[HG_DATE_MAX])
{
  static const char name[] = "SOURCE_DATE_EPOCH";
  static bool warned;
  const char *given = getenv(name);
  int64_t seconds = 0;
  const char *end = given ? hg_scan_int(given, given + strlen(given), &seconds) : NULL;
  struct tm date;
  time_t now = (time_t)seconds;
  const bool good = end && !*end && gmtime_r(&now, &date);
  if (given && !good && !warned)
    hg_log(HG_WARN, "%s='%s' is no number of seconds; files have today's date", name, given);
  warned = given && !good;
  if (!good) now = time(NULL);
  if (!gmtime_r(&now, &date) || !strftime(text, HG_DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &date)) *text = '\0';
}
