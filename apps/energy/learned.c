/* SPDX-License-Identifier: MIT */
/* --run: results of tests, stored for the next time in a file per command and machine:
 *
 *   {"format": "hetgrid-energy tests 2", "key": {"command": .., "machine": .., ..},
 *    "start": [0.1, 0.4],
 *    "tests": [{"context": "cpu sync", "nodes": 2, "steps": 20, "seconds": 0.31, "joules": 12.5}, ..],
 *    "limits": [{"context": "gpu async", "least": 1, "most": 3}, ..]}
 *
 * Limits are for contexts with a failed test: the nodes for which no test has failed. The tests of a point are in
 * their order. The key contains everything that times depend on, and is compared as a whole. */
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/data_folder.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/topology.h"
#include "base/version.h"
#include "control.h"
#include "speed/tables.h"

static const char FORMAT[] = "hetgrid-energy tests 2";

/* --- the key --- */

/* Files named in the command are represented by their contents. */
static void mix_file(const char *word, uint64_t *hash)
{
  const char *value = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
  struct stat info;
  void *bytes;
  size_t size;
  const char *path = value ? value + 1 : word;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  if (hg_file_map(path, &bytes, &size) != HG_OK) return;
  hg_hash_mix(hash, bytes, size);
  munmap(bytes, size);
}

/* The words of a test of one step on one node, whatever the context; and a hash of the files they name. */
static json_t *command_of(const control *c)
{
  const control_context plain = {.devices = CONTROL_ALL};
  json_t *list = json_array();
  uint64_t hash = HG_HASH_START;
  hg_words words;
  char text[32];
  if (control_words(c, &plain, 1, 1, &words) != HG_OK) return list;
  for (int i = 0; i < words.count; i++) {
    json_array_append_new(list, json_string(words.word[i]));
    if (i > 0) mix_file(words.word[i], &hash);
  }
  hg_words_free(&words);
  snprintf(text, sizeof text, "files %016" PRIx64, hash);
  json_array_append_new(list, json_string(text));
  return list;
}

/* A list of the names that the driver gives: nodes with a common home folder may have different GPUs. */
static void add_gpu_models(json_t *machine)
{
  glob_t cards;
  char line[256];
  json_t *models = json_array();
  const bool any = glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &cards) == 0;
  for (size_t i = 0; any && i < cards.gl_pathc; i++) {
    FILE *f = fopen(cards.gl_pathv[i], "re");
    while (f && fgets(line, sizeof line, f))
      if (strncmp(line, "Model:", 6) == 0)
        json_array_append_new(models, json_string(line + 6 + strspn(line + 6, " \t")));
    if (f) fclose(f);
  }
  globfree(&cards);
  if (json_array_size(models) > 0)
    json_object_set_new(machine, "models", models);
  else
    json_decref(models);
}

static json_t *machine_of(const control *c)
{
  static const char *const variables[] = {"STARPU_NCPU",          "STARPU_NCPUS",        "STARPU_NCUDA",
                                          "STARPU_WORKERS_CPUID", "STARPU_RESERVE_NCPU", "STARPU_WORKERS_CUDAID",
                                          "CUDA_VISIBLE_DEVICES", "STARPU_SCHED",        "HETGRID_BLAS"};
  hg_topology here;
  char model[200];
  if (c->command.simulated) return json_string("described");
  hg_cpu_model(model, sizeof model);
  model[strcspn(model, "\n")] = '\0';
  const bool known = hg_topology_read(&here) == HG_OK;
  json_t *m = json_pack("{s:s, s:i, s:b, s:s}", "processor", model + strspn(model, " "), "cores",
                        known ? here.cores : 0, "gpus", c->command.mixed, "launcher", c->options->launcher);
  add_gpu_models(m);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    if (value) json_object_set_new(m, variables[i], json_string(value));
  }
  return m;
}

/* HG_UNSUPPORTED: there is no folder for the file. */
static hg_status make_key(control *c)
{
  char name[64];
  uint64_t hash = HG_HASH_START;
  c->key = json_pack("{s:o, s:o, s:s}", "command", command_of(c), "machine", machine_of(c), "version", HG_VERSION);
  char *text = c->key ? json_dumps(c->key, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
  if (!text) return hg_fail(HG_INVALID, "--run: the command is not UTF-8 text");
  hg_hash_mix(&hash, text, strlen(text));
  free(text);
  snprintf(name, sizeof name, "run-%016" PRIx64 ".json", hash);
  return hg_table_file(name, c->learned);
}

/* --- reading --- */

static control_context *context_of(control *c, const char *name)
{
  for (int i = 0; name && i < c->contexts; i++)
    if (strcmp(c->context[i].name, name) == 0) return &c->context[i];
  return NULL;
}

static control_point *place(control_context *x, int nodes)
{
  control_point *last = x->points > 0 ? &x->point[x->points - 1] : NULL;
  if (last && last->nodes == nodes) return last->tests < CONTROL_TESTS ? last : NULL;
  if (control_point_at(x, nodes) || x->points == HG_CONTEXT_POINTS) return NULL;
  x->point[x->points] = (control_point){.nodes = nodes};
  return &x->point[x->points++];
}

static const double MOST = 1e15;

/* Checks that numbers are in range, and that the steps of a point increase. */
static bool is_sound(const control_test *t, const control_point *p)
{
  const double least = 1e-12;
  return t->steps >= 1 && t->steps <= MOST && t->seconds >= least && t->seconds <= MOST &&
         (isnan(t->joules) || (t->joules >= least && t->joules <= MOST)) &&
         (p->tests == 0 || t->steps >= p->test[p->tests - 1].steps);
}

static bool read_test(control *c, const json_t *json)
{
  control_context *x = context_of(c, json_string_value(json_object_get(json, "context")));
  const json_t *nodes = json_object_get(json, "nodes"), *joules = json_object_get(json, "joules");
  const control_test t = {json_number_value(json_object_get(json, "steps")),
                          json_number_value(json_object_get(json, "seconds")),
                          joules ? json_number_value(joules) : NAN};
  if (!x || !json_is_integer(nodes)) return false;
  const json_int_t n = json_integer_value(nodes);
  if (n < 1 || n > 1 << 16) return false;
  control_point *p = place(x, (int)n);
  if (!p || !is_sound(&t, p)) return false;
  p->test[p->tests++] = t;
  return true;
}

static bool read_limit(control *c, const json_t *json)
{
  control_context *x = context_of(c, json_string_value(json_object_get(json, "context")));
  const json_t *least = json_object_get(json, "least"), *most = json_object_get(json, "most");
  if (!x || !json_is_integer(least) || !json_is_integer(most)) return false;
  const json_int_t from = json_integer_value(least), to = json_integer_value(most);
  if (from < 0 || from > 1 << 16 || to < 0 || to > 1 << 16) return false;
  if (from > x->least) x->least = (int)from;
  if (to < x->most) x->most = (int)to;
  return true;
}

static bool read_starts(control *c, const json_t *list)
{
  bool sound = json_array_size(list) == 2;
  for (size_t i = 0; i < 2 && sound; i++) {
    c->start[i] = json_number_value(json_array_get(list, i));
    sound = json_is_number(json_array_get(list, i)) && c->start[i] >= 0 && c->start[i] < MOST;
  }
  return sound;
}

/* Returns NULL, or why it cannot be used. */
static const char *read_file(control *c, const json_t *root)
{
  const char *format = json_string_value(json_object_get(root, "format"));
  const json_t *tests = json_object_get(root, "tests"), *limits = json_object_get(root, "limits"), *value;
  size_t i;
  if (!format || strcmp(format, FORMAT) != 0) return "is not a file of test results, or is of another version";
  if (!json_equal(json_object_get(root, "key"), c->key)) return "is of another command or machine";
  if (!json_is_array(tests) || !json_is_array(limits)) return "has no lists of tests and limits";
  json_array_foreach(limits, i, value) if (!read_limit(c, value)) return "has an invalid limit";
  json_array_foreach(tests, i, value) if (!read_test(c, value)) return "has an invalid test";
  if (!read_starts(c, json_object_get(root, "start"))) return "has an invalid start";
  return NULL;
}

/* Discards everything: a file with any error is not used. */
static void forget(control *c)
{
  c->start[0] = c->start[1] = 0;
  for (control_context *x = c->context; x < c->context + c->contexts; x++) {
    x->points = 0;
    x->least = c->first;
    x->most = c->last;
  }
}

hg_status control_recall(control *c)
{
  json_error_t error;
  struct stat info;
  const hg_status status = make_key(c);
  if (status == HG_UNSUPPORTED) hg_log(HG_WARN, "the results of the tests cannot be stored: %s", hg_message());
  if (status != HG_OK) *c->learned = '\0';
  if (status != HG_OK) return status == HG_UNSUPPORTED ? HG_OK : status;
  if (c->options->relearn || lstat(c->learned, &info) != 0) return HG_OK;
  json_t *root = S_ISREG(info.st_mode) ? json_load_file(c->learned, JSON_REJECT_DUPLICATES, &error) : NULL;
  const char *why = root ? read_file(c, root) : "is not JSON";
  json_decref(root);
  if (why) hg_log(HG_WARN, "%s: %s; testing again", c->learned, why);
  if (why) forget(c);
  return HG_OK;
}

/* --- writing --- */

static void add_tests(json_t *list, const control_context *x)
{
  for (const control_point *p = x->point; p < x->point + x->points; p++)
    for (const control_test *t = p->test; t < p->test + p->tests; t++) {
      json_t *test = json_pack("{s:s, s:i, s:f, s:f}", "context", x->name, "nodes", p->nodes, "steps", t->steps,
                               "seconds", t->seconds);
      if (!isnan(t->joules)) json_object_set_new(test, "joules", json_real(t->joules));
      json_array_append_new(list, test);
    }
}

static void add_limits(json_t *list, const control *c, const control_context *x)
{
  if (x->least > c->first || x->most < c->last)
    json_array_append_new(list,
                          json_pack("{s:s, s:i, s:i}", "context", x->name, "least", x->least > c->first ? x->least : 1,
                                    "most", x->most < c->last ? x->most : 1 << 16));
}

hg_status control_keep(const control *c)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  if (!*c->learned) return HG_OK;
  json_t *root = json_pack("{s:s, s:O, s:[f,f], s:[], s:[]}", "format", FORMAT, "key", c->key, "start", c->start[0],
                           c->start[1], "tests", "limits");
  if (!root) return hg_fail(HG_MEMORY, "no memory for results of tests");
  for (int i = 0; i < c->contexts; i++) add_tests(json_object_get(root, "tests"), &c->context[i]);
  for (int i = 0; i < c->contexts; i++) add_limits(json_object_get(root, "limits"), c, &c->context[i]);
  hg_status status = hg_make_folders(c->learned);
  if (status == HG_OK) status = hg_file_begin(c->learned, temporary, &out);
  if (status == HG_OK) {
    const bool written = json_dumpf(root, out, JSON_INDENT(1)) == 0;
    status =
        hg_file_end(out, temporary, c->learned, written ? HG_OK : hg_fail(HG_IO, "%s: cannot be written", c->learned));
  }
  json_decref(root);
  return status;
}
