/* SPDX-License-Identifier: MIT */
/* The runner of golden cases: any text is run or refused, and every case prints its line. */
#include "tests/golden/cases.h"

#include "fuzz.h"

static hg_status sum(hg_golden_case *c)
{
  double value[8], total = 0, shift;
  int count;
  HG_TRY(hg_golden_doubles(c->input, "x", 8, value, &count));
  HG_TRY(hg_golden_double_or(c->input, "shift", 0, &shift));
  for (int i = 0; i < count; i++) total += value[i] + shift;
  if (total < 0) return hg_fail(HG_INVALID, "a sum of %g, must be >= 0", total);
  hg_golden_put(c, "sum", total);
  hg_golden_put_doubles(c, "x", count, value);
  hg_golden_put_text(c, "sign", total > 0 ? "more" : "none");
  return HG_OK;
}

static hg_status limit(hg_golden_case *c)
{
  int64_t n;
  const char *word;
  uint32_t bits[2];
  HG_TRY(hg_golden_int(c->input, "n", &n));
  HG_TRY(hg_golden_text(c->input, "word", &word));
  if (json_object_get(c->input, "bits")) {
    HG_TRY(hg_golden_words(c->input, "bits", 2, bits));
    hg_golden_put_words(c, "bits", 2, bits);
  }
  hg_golden_check(c, n <= 10 && *word, "n", (double)n, 10);
  return HG_OK;
}

static const hg_golden_kind kinds[] = {{"sum", sum}, {"limit", limit}, {NULL, NULL}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  if (!nowhere) abort();
  hg_golden_run_text((const char *)data, size, "fuzz", kinds, nowhere);
  return 0;
}

#ifndef HG_LIBFUZZER
/* A case and its outcome. */
static void check(const char *text, hg_status wanted, const char *line, const char *what)
{
  char *printed = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&printed, &size);
  const hg_status status = hg_golden_run_text(text, strlen(text), "test.json", kinds, out);
  fclose(out);
  const bool good = status == wanted && strstr(printed, line);
  for (char *at = printed; (at = strchr(at, '\n'));) *at = ';';
  tap_ok(good, "%s: %s%s", what, printed, status == HG_FORMAT ? hg_message() : "");
  free(printed);
}

#define SUM(x, expect, more)                                                                                           \
  "[{\"id\": \"a\", \"fn\": \"sum\", \"input\": {\"x\": " x "}, \"expect\": " expect more "}]"

static void known(void)
{
  check(SUM("[1, 2]", "{\"sum\": 3, \"x\": [1, 2], \"sign\": \"more\"}", ""), HG_OK, "ok 1 - a\n",
        "numbers, lists and texts are equal");
  check(SUM("[1, 2]", "{\"sum\": 3.0000001}", ""), HG_MISMATCH, "sum is 3, expected 3.0000000999999998",
        "no tolerance is exact");
  check(SUM("[1, 2]", "{\"sum\": 3.0000001}", ", \"tol_rel\": 1e-7"), HG_OK, "ok 1 - a\n", "a relative tolerance");
  check(SUM("[1, 2]", "{\"sum\": 3.1}", ", \"tol_abs\": 0.09"), HG_MISMATCH, "not ok 1",
        "an absolute one that is too small");
  check(SUM("[1, 2]", "{\"x\": [1, 2, 3]}", ""), HG_MISMATCH, "x has another length", "a list that is too short");
  check(SUM("[1, 2]", "{\"mean\": 1.5}", ""), HG_MISMATCH, "mean was not computed", "an expected fact is missed");
  check(SUM("[1, 2]", "{\"mean\": null}", ""), HG_OK, "ok 1", "null is no such value");
  check(SUM("[1, 2]", "{\"sum\": null}", ""), HG_MISMATCH, "sum should not exist", "a value that should not exist");
  check(SUM("[1, 2]", "{\"sign\": \"none\"}", ""), HG_MISMATCH, "is 'more', expected 'none'", "another text");
  check(SUM("[-1]", "{\"error\": \"domain\"}", ""), HG_OK, "ok 1 - a\n", "a refusal that is wanted");
  check(SUM("[-1]", "{\"sum\": -1}", ""), HG_MISMATCH, "must be >= 0", "a refusal that is not");
  check(SUM("[1]", "{\"error\": \"domain\"}", ""), HG_MISMATCH, "should have been refused", "a refusal that is missed");
  check(SUM("7", "{\"error\": \"domain\"}", ""), HG_MISMATCH, "'x' is not a list", "a malformed case is no refusal");
  check(SUM("[1, \"2\"]", "{\"sum\": 3}", ""), HG_MISMATCH, "'x' is not a number", "a text instead of a number");
  check(SUM("[1]", "{\"sum\": 1}", ", \"tol_rel\": -1"), HG_MISMATCH, "a tolerance of -1", "a negative tolerance");
  check("{\"cases\": [{\"kind\": \"limit\", \"n\": 9, \"word\": \"x\", \"expect\": {\"n\": 3}}]}", HG_OK, "ok 1",
        "a checked key is not compared again; inputs next to the kind");
  check("[{\"kind\": \"limit\", \"n\": 9, \"word\": \"x\", \"bits\": [\"00000001\", \"FFFFFFFF\"], "
        "\"expect\": {\"bits\": [\"00000001\", \"ffffffff\"]}}]",
        HG_OK, "ok 1", "words are read and compared");
  check("[{\"kind\": \"limit\", \"n\": 9, \"word\": \"x\", \"bits\": [\"0\", \"FFFFFFFF\"], "
        "\"expect\": {}}]",
        HG_MISMATCH, "word 0 is not a string of eight", "a word that is too short");
  check("[{\"kind\": \"other\", \"expect\": {}}]", HG_OK, "# SKIP the kind 'other'",
        "an unknown kind is skipped by name");
  check("[{\"expect\": {}}]", HG_MISMATCH, "without fn, kind or problem", "a case without a name");
  check("[3]", HG_MISMATCH, "a case that is not an object", "a number as case");
  check("{\"cases\": 3}", HG_FORMAT, "", "no list of cases");
  check("{\"cases\": [}", HG_FORMAT, "", "no JSON");
  check("[{\"id\": \"a\", \"id\": \"b\"}]", HG_FORMAT, "", "a key twice");
}

int main(void)
{
  static const char one[] = SUM("[1, 2.5e3]", "{\"sum\": 2501, \"x\": [1, null]}", ", \"tol_rel\": 1"),
                    two[] = "{\"cases\": [{\"kind\": \"limit\", \"n\": 1e1, \"word\": \"w\", "
                            "\"expect\": {\"error\": \"domain\", \"a\": {\"b\": [[\"inf\"]]}}}]}";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  known();
  return fuzz_main("the runner of golden cases", "golden", seeds, 2, 100000);
}
#endif
