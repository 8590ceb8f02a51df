/* SPDX-License-Identifier: MIT */
/* hetgrid-network: measures the cost of messages, stores it in a file, and predicts with it. */
#include "network.h"

#include <stdio.h>
#include <unistd.h>

#include "runtime/versions.h"
#include "program/exit.h"

static hg_status path_to_write(const hg_network_world *w, const char *named, char path[HG_PATH_MAX])
{
  if (!named) return hg_network_path(w->place[0].host, w->mpi, w->transport, path);
  if (snprintf(path, HG_PATH_MAX, "%s", named) < HG_PATH_MAX) return HG_OK;
  return hg_fail(HG_INVALID, "%.60s...: the name is too long", named);
}

static hg_status measure(network_options *o, const hg_network_world *w)
{
  char path[HG_PATH_MAX];
  hg_network n;
  HG_TRY(path_to_write(w, o->output, path));
  HG_TRY(hg_make_folders(path));
  o->plan.path = path;
  HG_TRY(hg_network_measure(w, &o->plan, &n));
  hg_status status = hg_network_write(path, &n);
  if (status == HG_OK) status = network_show(o, &n);
  if (status == HG_OK && !o->quiet && !o->csv && !o->json)
    printf("%d points were known from an earlier call\nfile: %s\n", o->plan.reused, path);
  hg_network_free(&n);
  return status;
}

/* The path if neither --network nor HETGRID_NETWORK is given. Its name includes the launcher's MPI and transport. */
static hg_status path_to_read(const hg_network_world *w, char path[HG_PATH_MAX])
{
  if (!w->launched) return hg_network_find(w->place[0].host, path);
  HG_TRY(hg_network_path(w->place[0].host, w->mpi, w->transport, path));
  if (access(path, F_OK) == 0) return HG_OK;
  return hg_fail(HG_IO, "there is no %s; mpirun -n 2 hetgrid-network writes it, --network names another file", path);
}

static hg_status open_network(const network_options *o, const hg_network_world *w, hg_network *n)
{
  char path[HG_PATH_MAX];
  bool given;
  HG_TRY(hg_network_open(o->network, n, &given));
  if (given) return HG_OK;
  HG_TRY(path_to_read(w, path));
  return hg_network_read(path, n);
}

static hg_status answer(const network_options *o, const hg_network_world *w, const hg_network *n)
{
  switch (o->mode) {
  case NETWORK_SHOW: return network_show(o, n);
  case NETWORK_PREDICT: return network_predict(o, n);
  case NETWORK_VALIDATE: return network_validate(o, w, n);
  case NETWORK_TABLES: return network_tables(o, n);
  case NETWORK_RULES: return hg_network_write_rules(o->rules, n, &o->group);
  default: return HG_OK;
  }
}

/* The largest number of ranks that options ask about. */
static int ranks_asked(const network_options *o)
{
  enum { TABLE_3 = 8 };
  if (o->mode == NETWORK_TABLES) return TABLE_3;
  return o->mode == NETWORK_PREDICT || o->mode == NETWORK_RULES ? o->group.ranks : 0;
}

/* Times of messages within a node say nothing about those between nodes. */
static hg_status check_levels(const network_options *o, const hg_network *n)
{
  const int ranks = ranks_asked(o), per_node = o->group.per_node;
  if (per_node == 0 || per_node >= ranks || hg_network_level_find(n, "network")) return HG_OK;
  return hg_fail(HG_UNSUPPORTED,
                 "%s: level `network` was not measured, but %d ranks with %d per node (--per-node) need it", n->path,
                 ranks, per_node);
}

static hg_status use(const network_options *o, const hg_network_world *w)
{
  hg_network n;
  HG_TRY(open_network(o, w, &n));
  hg_status status = check_levels(o, &n);
  if (status == HG_OK) status = answer(o, w, &n);
  hg_network_free(&n);
  return status;
}

/* Rank 0 does the work, the others take part in measurements. */
static hg_status run(network_options *o)
{
  hg_network_world w;
  HG_TRY(hg_network_world_open(&w));
  hg_status status = HG_OK;
  if (w.rank > 0)
    hg_network_serve(&w);
  else {
    status = o->mode == NETWORK_MEASURE ? measure(o, &w) : use(o, &w);
    hg_network_dismiss(&w);
  }
  hg_network_world_close(&w);
  return status;
}

int main(int argc, char **argv)
{
  network_options o;
  hg_program_begin("hetgrid-network", hg_about);
  network_parse(argc, argv, &o);
  hg_program_enable_output();
  if (o.mode == NETWORK_GOLDEN) return network_golden(o.golden);
  if (o.mode == NETWORK_PRINTED) {
    network_printed();
    return 0;
  }
  return hg_program_end(run(&o));
}
