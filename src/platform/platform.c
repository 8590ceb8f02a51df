/* SPDX-License-Identifier: MIT */
#include "platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/text.h"

const char *const hg_power_kernels[] = {"heat", "elimination", "pricer", "adr", NULL};

/* The keys given so far. */
typedef struct keys {
  const char *key[64];
  int count;
} keys;

/* The parser's position. */
typedef struct cursor {
  const char *place, *folder;
  int line;
  keys here, network; /* on this line; on all lines of the network */
  char label[HG_PATH_MAX + 80];
} cursor;

static hg_status wrong(const cursor *c, const char *what, const char *text)
{
  return hg_fail(HG_FORMAT, "%s:%d: %s '%.60s'", c->place, c->line, what, text);
}

/* The full name of a value, for errors. */
static const char *label(cursor *c, const char *key)
{
  snprintf(c->label, sizeof c->label, "%.4000s:%d: %.40s", c->place, c->line, key);
  return c->label;
}

static hg_status read_table(const cursor *c, const char *file, hg_speed_model *out, char path[HG_PATH_MAX])
{
  int n =
      *file == '/' ? snprintf(path, HG_PATH_MAX, "%s", file) : snprintf(path, HG_PATH_MAX, "%s/%s", c->folder, file);
  if (n < 0 || n >= HG_PATH_MAX) return wrong(c, "the name is too long:", file);
  if (out->kind == HG_SPEED_TABLE) hg_speed_table_free(&out->table);
  *out = (hg_speed_model){.kind = HG_SPEED_TABLE};
  hg_status status = hg_speed_table_read(path, &out->table);
  if (status != HG_OK) *out = (hg_speed_model){.kind = HG_SPEED_SATURATING};
  return status;
}

/* Where the number of a key is stored. */
typedef struct number {
  const char *key;
  double *to;
  double lo, hi;
} number;

static hg_status set_number(cursor *c, const number *known, const char *key, const char *value)
{
  for (const number *n = known; n->key; n++)
    if (strcmp(n->key, key) == 0) return hg_parse_double(value, label(c, key), n->lo, n->hi, n->to);
  return wrong(c, "unknown key", key);
}

/* Splits KEY=VALUE. No key may occur twice. */
static hg_status split(const cursor *c, keys *given, char *word, char **value)
{
  char *equals = strchr(word, '=');
  if (!equals) return wrong(c, "must be KEY=VALUE:", word);
  *equals = '\0';
  *value = equals + 1;
  for (int i = 0; i < given->count; i++)
    if (strcmp(given->key[i], word) == 0) return wrong(c, "is given twice:", word);
  if (given->count < (int)(sizeof given->key / sizeof *given->key)) given->key[given->count++] = word;
  return HG_OK;
}

static bool is_given(const keys *given, const char *key)
{
  bool found = false;
  for (int i = 0; i < given->count; i++) found = found || strcmp(given->key[i], key) == 0;
  return found;
}

/* All KEY=VALUE of a line. */
static hg_status set_numbers(cursor *c, const number *known, char *rest)
{
  char *save, *value = NULL;
  for (char *word = strtok_r(rest, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
    HG_TRY(split(c, &c->here, word, &value));
    HG_TRY(set_number(c, known, word, value));
  }
  return HG_OK;
}

/* Negative `wait` and `idle` mean that they were not given. */
static hg_status finish_powers(const cursor *c, hg_device *d)
{
  if (d->idle < 0) d->idle = 0;
  if (d->wait < 0) d->wait = d->cuda ? d->idle : d->full;
  if (!(d->full >= d->wait && d->wait >= d->idle))
    return hg_fail(HG_FORMAT, "%s:%d: device %s: full=%g wait=%g idle=%g W, must be full >= wait >= idle", c->place,
                   c->line, d->name, d->full, d->wait, d->idle);
  for (int i = 0; i < HG_POWER_KERNELS; i++)
    if (d->full_of[i] > 0 && (d->full <= 0 || d->full_of[i] < d->wait))
      return hg_fail(HG_FORMAT, "%s:%d: device %s: full_%s=%g W, must be >= wait=%g and beside a full=W", c->place,
                     c->line, d->name, hg_power_kernels[i], d->full_of[i], d->wait);
  return HG_OK;
}

static hg_status finish_device(const cursor *c, hg_device *d, double update)
{
  const bool heat = d->heat.kind == HG_SPEED_TABLE || d->heat.smax > 0;
  if (d->update.kind != HG_SPEED_TABLE) d->update.smax = update / (2. * HG_PLATFORM_DEPTH);
  if (d->heat.kind != HG_SPEED_TABLE && d->heat.mem > 0) {
    if (d->heat.r <= 0) return wrong(c, "has heat_memory but no heat_rest, must be > 0:", d->name);
    d->heat.kind = HG_SPEED_CLIFF;
    if (d->heat.k <= 0) d->heat.k = 4;
  }
  HG_TRY(finish_powers(c, d));
  if (!heat && update <= 0 && d->update.kind != HG_SPEED_TABLE && d->batch <= 0 && d->adr <= 0)
    return d->full > 0 ? HG_OK : wrong(c, "has neither heat nor update nor batch nor adr nor full:", d->name);
  if ((update > 0 || d->update.kind == HG_SPEED_TABLE) && d->panel <= 0)
    return wrong(c, "has no panel=FLOP/S:", d->name);
  if (d->cuda && (d->to <= 0 || d->from <= 0)) return wrong(c, "needs to= and from= (bytes/s):", d->name);
  return HG_OK;
}

/* Reads a network file named in a description. */
static hg_status read_network(const cursor *c, const char *file, hg_network *out)
{
  char path[HG_PATH_MAX];
  const int n =
      *file == '/' ? snprintf(path, HG_PATH_MAX, "%s", file) : snprintf(path, HG_PATH_MAX, "%s/%s", c->folder, file);
  if (n < 0 || n >= HG_PATH_MAX) return wrong(c, "the name is too long:", file);
  return hg_network_read(path, out);
}

/* Bandwidth of the largest messages. */
static double bandwidth_of(const hg_network_level *l)
{
  return hg_network_bandwidth(l, l->point[l->points - 1].bytes);
}

static hg_status read_bus(const cursor *c, const char *file, hg_device *d)
{
  hg_network n;
  HG_TRY(read_network(c, file, &n));
  const hg_network_level *to = hg_network_level_find(&n, "h2d"), *from = hg_network_level_find(&n, "d2h");
  if (to && from) {
    d->to = bandwidth_of(to);
    d->from = bandwidth_of(from);
    d->latency = fmin((hg_network_time(to, 0) + hg_network_time(from, 0)) / 2, 1);
  }
  hg_network_free(&n);
  return to && from ? HG_OK : wrong(c, "has no levels h2d and d2h:", file);
}

/* A file and the values it provides must not both be given. */
static hg_status check_device_files(const cursor *c)
{
  static const char *const given[][8] = {
      {"bus", "to", "from", "latency"},
      {"heat_table", "heat", "heat_start", "heat_item", "heat_memory", "heat_rest", "heat_sharp"},
      {"update_table", "update"}};
  char what[80];
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    for (int k = 1; given[i][k] && is_given(&c->here, given[i][0]); k++) {
      snprintf(what, sizeof what, "%s=FILE excludes", given[i][0]);
      if (is_given(&c->here, given[i][k])) return wrong(c, what, given[i][k]);
    }
  return HG_OK;
}

/* What says nothing without another key. */
static hg_status check_alone(const cursor *c, const hg_device *d)
{
  static const char *const pair[][2] = {{"heat_start", "heat"},
                                        {"heat_item", "heat"},
                                        {"heat_memory", "heat"},
                                        {"heat_rest", "heat_memory"},
                                        {"heat_sharp", "heat_memory"}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
    if (is_given(&c->here, pair[i][0]) && !is_given(&c->here, pair[i][1]))
      return hg_fail(HG_FORMAT, "%s:%d: device %s: %s= needs %s=", c->place, c->line, d->name, pair[i][0], pair[i][1]);
  return HG_OK;
}

static hg_status parse_device(cursor *c, char *rest, hg_platform *p)
{
  char *save, *name = strtok_r(rest, " \t", &save), *kind = name ? strtok_r(NULL, " \t", &save) : NULL, *value = NULL;
  if (!kind || (strcmp(kind, "cpu") != 0 && strcmp(kind, "cuda") != 0))
    return wrong(c, "must be device NAME cpu|cuda, not", kind ? kind : "");
  if (strlen(name) >= HG_PLATFORM_NAME) return wrong(c, "the name is too long:", name);
  if (!hg_text_is_shown(name)) return wrong(c, "the name has control characters:", name);
  for (int i = 0; i < p->devices; i++)
    if (strcmp(p->device[i].name, name) == 0) return wrong(c, "two devices have the name", name);
  HG_TRY(hg_grow("devices", (void **)&p->device, p->devices, sizeof *p->device));
  hg_device *d = &p->device[p->devices++];
  *d = (hg_device){.cuda = strcmp(kind, "cuda") == 0, .wait = -1, .idle = -1};
  strcpy(d->name, name);
  double update = 0;
  const number known[] = {{"memory", &d->memory, 0, 1e18},
                          {"to", &d->to, 1, 1e15},
                          {"from", &d->from, 1, 1e15},
                          {"latency", &d->latency, 0, 1},
                          {"heat", &d->heat.smax, 1e-3, 1e18},
                          {"heat_start", &d->heat.t0, 0, 1e3},
                          {"heat_item", &d->heat.tc, 0, 1},
                          {"heat_memory", &d->heat.mem, 1, 1e18},
                          {"heat_rest", &d->heat.r, 0, 1},
                          {"heat_sharp", &d->heat.k, .1, 1000},
                          {"update", &update, 1, 1e18},
                          {"panel", &d->panel, 1, 1e18},
                          {"panel_column", &d->panel_column, 0, 1},
                          {"solve_row", &d->solve_row, 0, 1},
                          {"moves", &d->moves, 1, 1e18},
                          {"batch", &d->batch, 1, 1e18},
                          {"adr", &d->adr, 1, 1e18},
                          {"start", &d->start, 0, 1e3},
                          {"full", &d->full, 1e-6, 1e6},
                          {"full_heat", &d->full_of[HG_POWER_HEAT], 1e-6, 1e6},
                          {"full_elimination", &d->full_of[HG_POWER_ELIMINATION], 1e-6, 1e6},
                          {"full_pricer", &d->full_of[HG_POWER_PRICER], 1e-6, 1e6},
                          {"full_adr", &d->full_of[HG_POWER_ADR], 1e-6, 1e6},
                          {"wait", &d->wait, 0, 1e6},
                          {"idle", &d->idle, 0, 1e6},
                          {NULL, NULL, 0, 0}};
  for (char *word = strtok_r(NULL, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
    HG_TRY(split(c, &c->here, word, &value));
    if (strcmp(word, "heat_table") == 0)
      HG_TRY(read_table(c, value, &d->heat, d->heat_table));
    else if (strcmp(word, "bus") == 0)
      HG_TRY(read_bus(c, value, d));
    else if (strcmp(word, "update_table") == 0)
      HG_TRY(read_table(c, value, &d->update, d->update_table));
    else
      HG_TRY(set_number(c, known, word, value));
  }
  HG_TRY(check_device_files(c));
  HG_TRY(check_alone(c, d));
  return finish_device(c, d, update);
}

/* DEVICE or DEVICE*N. */
static hg_status add_workers(cursor *c, char *word, const hg_platform *p, bool cuda, hg_platform_node *node)
{
  int64_t count = 1;
  char *star = strchr(word, '*');
  if (star) {
    HG_TRY(hg_parse_int(star + 1, label(c, word), 1, HG_PLATFORM_WORKERS, &count));
    *star = '\0';
  }
  int d = 0;
  while (d < p->devices && strcmp(p->device[d].name, word) != 0) d++;
  if (star) *star = '*';
  if (d == p->devices) return wrong(c, "unknown device", word);
  if (p->device[d].cuda != cuda) return HG_OK;
  if (node->workers + count > HG_PLATFORM_WORKERS)
    return hg_fail(HG_INVALID, "%s:%d: more than %d processors in a node", c->place, c->line, HG_PLATFORM_WORKERS);
  for (int64_t i = 0; i < count; i++) node->device[node->workers++] = d;
  if (cuda) node->gpus += (int)count;
  return HG_OK;
}

static hg_status parse_node(cursor *c, char *rest, hg_platform *p)
{
  int64_t count = 1;
  char *save, *end;
  hg_platform_node node = {.workers = 0};
  rest += strspn(rest, " \t");
  char *more = rest + strcspn(rest, " \t");
  if (*more) *more++ = '\0';
  HG_TRY(set_numbers(c, (number[]){{"base", &node.base, 0, 1e6}, {NULL, NULL, 0, 0}}, more));
  if (strtoll(rest, &end, 10) != 0 && end != rest && *end == '*') {
    *end = '\0';
    HG_TRY(hg_parse_int(rest, label(c, "nodes"), 1, HG_PLATFORM_NODES - p->nodes, &count));
    rest = end + 1;
  }
  for (int cuda = 1; cuda >= 0; cuda--) { /* GPUs first */
    char list[1024];
    if (snprintf(list, sizeof list, "%s", rest) >= (int)sizeof list) return wrong(c, "the line is too long:", rest);
    for (char *word = strtok_r(list, ",", &save); word; word = strtok_r(NULL, ",", &save))
      HG_TRY(add_workers(c, word, p, cuda, &node));
  }
  if (node.workers == 0) return wrong(c, "a node without processors:", rest);
  for (int64_t i = 0; i < count; i++) {
    HG_TRY(hg_grow("nodes", (void **)&p->node, p->nodes, sizeof *p->node));
    p->node[p->nodes++] = node;
  }
  return HG_OK;
}

/* Takes the times between two nodes. */
static void take_level(hg_platform *p, const hg_network_level *l)
{
  p->latency = fmin(hg_network_time(l, 0), 10);
  p->bandwidth = bandwidth_of(l);
  p->segments = l->segments < HG_PLATFORM_SEGMENTS ? l->segments : HG_PLATFORM_SEGMENTS;
  if (p->segments > 0) memcpy(p->segment, l->segment, (size_t)p->segments * sizeof *p->segment);
  snprintf(p->network_level, sizeof p->network_level, "%s", l->name);
}

static hg_status read_level(const cursor *c, const char *file, const char *level, hg_platform *p)
{
  hg_network n;
  HG_TRY(read_network(c, file, &n));
  const hg_network_level *l = *level ? hg_network_level_find(&n, level) : hg_network_between(&n, true);
  char *whole = realpath(n.path, NULL);
  if (l) take_level(p, l);
  snprintf(p->network_file, sizeof p->network_file, "%s", whole ? whole : n.path);
  free(whole);
  hg_network_free(&n);
  return l ? HG_OK : wrong(c, "the file has no level", *level ? level : "network");
}

static hg_status parse_network(cursor *c, char *rest, hg_platform *p)
{
  enum { FROM_FILE = 2 }; /* the first of the numbers */
  const char *file = NULL, *level = "";
  const number known[] = {{"bandwidth", &p->bandwidth, 1, 1e15},
                          {"latency", &p->latency, 0, 10},
                          {"backbone", &p->backbone, 1, 1e15},
                          {"switch", &p->switch_watts, 0, 1e6},
                          {NULL, NULL, 0, 0}};
  char *save, *value = NULL;
  for (char *word = strtok_r(rest, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
    HG_TRY(split(c, &c->network, word, &value));
    if (strcmp(word, "file") == 0)
      file = value;
    else if (strcmp(word, "level") == 0)
      level = value;
    else
      HG_TRY(set_number(c, known, word, value));
  }
  if (is_given(&c->network, "file"))
    for (const number *n = known; n < known + FROM_FILE; n++)
      if (is_given(&c->network, n->key)) return wrong(c, "file=FILE excludes", n->key);
  return file ? read_level(c, file, level, p) : *level ? wrong(c, "has no file=FILE for level", level) : HG_OK;
}

static hg_status parse_line(cursor *c, char *line, hg_platform *p)
{
  line[strcspn(line, "#\n")] = '\0';
  const size_t length = strlen(line);
  if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
  c->here.count = 0;
  char *word = line + strspn(line, " \t"), *rest = word + strcspn(word, " \t");
  if (!*word) return HG_OK;
  if (*rest) *rest++ = '\0';
  if (strcmp(word, "device") == 0) return parse_device(c, rest, p);
  if (strcmp(word, "node") == 0) return parse_node(c, rest, p);
  if (strcmp(word, "network") == 0) return parse_network(c, rest, p);
  return wrong(c, "must begin with device, node or network, not", word);
}

hg_status hg_platform_parse(const char *text, const char *place, const char *folder, hg_platform *out)
{
  *out = (hg_platform){.nodes = 0};
  cursor c = {.place = place, .folder = folder};
  size_t size = strlen(text);
  char *copy = strdup(hg_text_begin(text, &size)), *next = copy;
  hg_status status = copy ? HG_OK : hg_fail(HG_MEMORY, "%s: no memory", place);
  while (status == HG_OK && next && *next) {
    char *line = strsep(&next, "\n");
    c.line++;
    status = parse_line(&c, line, out);
  }
  free(copy);
  if (status == HG_OK && out->nodes == 0) status = hg_fail(HG_FORMAT, "%s: describes no node", place);
  if (status == HG_OK && out->nodes > 1 && out->bandwidth <= 0)
    status = hg_fail(HG_FORMAT, "%s: %d nodes, but no network bandwidth=", place, out->nodes);
  if (status != HG_OK) hg_platform_free(out);
  return status == HG_INVALID ? HG_FORMAT : status; /* numbers in a file are part of it */
}

static hg_status read_text(const char *path, char **text)
{
  enum { MOST = 1 << 20 };
  FILE *file;
  HG_TRY(hg_file_open(path, &file));
  *text = malloc(MOST + 1);
  const bool room = *text != NULL;
  size_t n = room ? fread(*text, 1, MOST + 1, file) : 0;
  bool bad = ferror(file);
  fclose(file);
  if (!room) return hg_fail(HG_MEMORY, "%s: no memory to read it", path);
  (*text)[n <= MOST ? n : MOST] = '\0';
  if (!bad && strlen(*text) == n) return HG_OK;
  free(*text);
  if (!bad && n <= MOST) return hg_fail(HG_FORMAT, "%s: is not text, contains a zero byte", path);
  return hg_fail(bad ? HG_IO : HG_FORMAT, "%s: cannot be read, or is longer than %d bytes", path, MOST);
}

hg_status hg_platform_read(const char *path, hg_platform *out)
{
  char *text = NULL, folder[HG_PATH_MAX];
  HG_TRY(read_text(path, &text));
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  hg_status status = hg_platform_parse(text, path, folder, out);
  free(text);
  if (status == HG_OK) snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(name, "."), name);
  return status;
}

/* The next name in a list separated by commas. */
static const char *next_name(const char *at)
{
  at += strcspn(at, ",");
  return at + (*at == ',');
}

static bool begins_with(const char *list, const char *name)
{
  const size_t n = strlen(name);
  return strncmp(list, name, n) == 0 && (list[n] == ',' || list[n] == '\0');
}

static bool listed(const char *list, const char *name)
{
  while (*list && !begins_with(list, name)) list = next_name(list);
  return *list;
}

/* A listed name that no device has is a typing error. */
static hg_status check_listed(const hg_platform *p, const char *list)
{
  for (const char *at = list; at && *at; at = next_name(at)) {
    int d = 0;
    while (d < p->devices && !begins_with(at, p->device[d].name)) d++;
    if (d == p->devices) return hg_fail(HG_INVALID, "unknown device '%.*s' in %s", (int)strcspn(at, ","), at, list);
  }
  return HG_OK;
}

hg_status hg_platform_select(hg_platform *p, int first, int count, const char *devices)
{
  if (first < 0 || count < 1 || first + count > p->nodes)
    return hg_fail(HG_INVALID, "nodes %d to %d, must be in 0..%d", first, first + count - 1, p->nodes - 1);
  HG_TRY(check_listed(p, devices));
  memmove(p->node, p->node + first, (size_t)count * sizeof *p->node);
  p->nodes = count;
  for (int n = 0; n < count && devices; n++) {
    hg_platform_node *node = &p->node[n];
    int kept = 0, gpus = 0;
    for (int w = 0; w < node->workers; w++) {
      if (!listed(devices, p->device[node->device[w]].name)) continue;
      gpus += p->device[node->device[w]].cuda;
      node->device[kept++] = node->device[w];
    }
    if (kept == 0) return hg_fail(HG_INVALID, "node %d: has none of the devices %s", first + n, devices);
    node->workers = kept;
    node->gpus = gpus;
  }
  return HG_OK;
}

void hg_platform_free(hg_platform *p)
{
  for (int i = 0; i < p->devices; i++) {
    if (p->device[i].heat.kind == HG_SPEED_TABLE) hg_speed_table_free(&p->device[i].heat.table);
    if (p->device[i].update.kind == HG_SPEED_TABLE) hg_speed_table_free(&p->device[i].update.table);
  }
  free(p->device);
  free(p->node);
  *p = (hg_platform){.nodes = 0};
}
