/* SPDX-License-Identifier: MIT */
/* Mailboxes between all pairs of ranks, and within each rank: versions only increase, the last one arrives as control,
 * all frozen values arrive, and there is never more than one message per link in flight. */
#include "async/mailbox.h"

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

enum { RANKS = 8, EXCHANGES = 3, VERSIONS = 200, ROUNDS = 5, NUMBERS = 1000, TAGS = 8 };

/* --- calls of MPI: this program's own functions take precedence over the library's --- */

static int outstanding[RANKS][TAGS], most, issued;
static MPI_Request *sending[RANKS][TAGS];

int MPI_Issend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
  issued++;
  sending[to][tag] = request;
  if (++outstanding[to][tag] > most) most = outstanding[to][tag];
  return PMPI_Issend(bytes, count, type, to, tag, comm, request);
}

int MPI_Testsome(int count, MPI_Request *request, int *done, int *which, MPI_Status *status)
{
  const int error = PMPI_Testsome(count, request, done, which, status);
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; i++)
    for (int r = 0; r < RANKS * TAGS; r++)
      if (sending[r / TAGS][r % TAGS] == &request[which[i]]) {
        outstanding[r / TAGS][r % TAGS]--;
        sending[r / TAGS][r % TAGS] = NULL;
      }
  return error;
}

/* --- ends --- */

typedef struct correspondent {
  hg_link *out, *in, *last; /* `last` to it; `their` from it */
  hg_link *their;
  int64_t seen, frozen;
  bool falls, torn, over;
} correspondent;

typedef struct world {
  hg_session session;
  hg_mailbox *box;
  correspondent with[RANKS];
} world;

static hg_link *add(world *w, hg_link_end end, int peer, int64_t name, bool control)
{
  hg_link *l;
  const hg_link_kind kind = {end, peer, name, NUMBERS * sizeof(int64_t), control};
  if (hg_mailbox_add(w->box, &kind, &l) != HG_OK) abort();
  return l;
}

static void open_links(world *w)
{
  const int me = w->session.rank;
  if (hg_mailbox_make(&w->session, &w->box) != HG_OK) abort();
  for (int r = 0; r < w->session.ranks; r++) {
    correspondent *c = &w->with[r];
    if (r == me) {
      c->out = c->in = add(w, HG_LINK_BOTH, -1, 1000, false);
      c->last = c->their = add(w, HG_LINK_BOTH, -1, 1001, true);
    } else { /* added in different orders */
      if (me < r) c->last = add(w, HG_LINK_OUT, r, 7, true);
      c->out = add(w, HG_LINK_OUT, r, 3, false);
      if (me > r) c->last = add(w, HG_LINK_OUT, r, 7, true);
      c->in = add(w, HG_LINK_IN, r, 3, false);
      c->their = add(w, HG_LINK_IN, r, 7, true);
    }
  }
  if (hg_mailbox_open(w->box) != HG_OK) abort();
}

/* A message repeats one number, which holds the sender, the exchange and the version. */
static void fill(void *room, int from, int exchange, int64_t number)
{
  int64_t *value = room;
  for (int i = 0; i < NUMBERS; i++) value[i] = (from * EXCHANGES + exchange) * INT64_C(1000000) + number;
}

static int64_t read_number(correspondent *c, const void *message, int from, int exchange)
{
  const int64_t *value = message;
  for (int i = 1; i < NUMBERS; i++) c->torn = c->torn || value[i] != value[0];
  const int64_t number = value[0] - (from * EXCHANGES + exchange) * INT64_C(1000000);
  if (number < 0 || number > VERSIONS) c->torn = true;
  return number;
}

static void listen(correspondent *c, int from, int exchange, bool slow)
{
  int64_t version;
  const void *message = hg_link_take(c->in, &version);
  if (message) {
    const int64_t number = read_number(c, message, from, exchange);
    if (number < c->seen || number != version) c->falls = true;
    c->seen = number;
    if (slow) usleep(200);
    read_number(c, message, from, exchange); /* does not change while others arrive */
  }
  message = hg_link_frozen(c->in, c->frozen + 1);
  if (message && read_number(c, message, from, exchange) != c->frozen + 1) c->torn = true;
  if (message) c->frozen++;
  message = hg_link_take(c->their, &version);
  if (message) c->over = true;
}

static bool all_over(const world *w)
{
  for (int r = 0; r < w->session.ranks; r++)
    if (!w->with[r].over || w->with[r].frozen < ROUNDS) return false;
  return true;
}

static bool all_have(const world *w, int64_t rounds)
{
  for (int r = 0; r < w->session.ranks; r++)
    if (w->with[r].frozen < rounds) return false;
  return true;
}

/* Publishes as fast as possible, freezes now and then, and announces its end; some ranks read slowly. A round starts
 * when the previous one has arrived everywhere, as a detection would know. */
static void exchange(world *w, int number)
{
  int64_t rounds = 0;
  hg_mailbox_begin(w->box);
  for (int r = 0; r < w->session.ranks; r++) w->with[r].seen = w->with[r].frozen = w->with[r].over = 0;
  for (int64_t i = 1;; i++) {
    double all = all_have(w, rounds);
    for (int r = 0; r < w->session.ranks && i <= VERSIONS; r++) {
      fill(hg_link_room(w->with[r].out), w->session.rank, number, i);
      hg_link_publish(w->with[r].out);
    }
    if (i % 20 == 0) { /* all ranks come here equally often */
      all = -all;
      hg_session_max(&w->session, &all);
      if (all < 0 && rounds < ROUNDS) {
        rounds++;
        for (int r = 0; r < w->session.ranks; r++) {
          fill(hg_link_frozen_room(w->with[r].out), w->session.rank, number, rounds);
          hg_link_publish_frozen(w->with[r].out, rounds);
        }
      }
      double over = -(double)(i >= VERSIONS && all_over(w));
      hg_session_max(&w->session, &over);
      if (over < 0) break;
    }
    for (int r = 0; r < w->session.ranks && i == VERSIONS; r++) {
      fill(hg_link_room(w->with[r].last), w->session.rank, number, i);
      hg_link_publish(w->with[r].last);
    }
    if (!hg_mailbox_turn(w->box) && i > VERSIONS) hg_mailbox_backoff(w->box);
    for (int r = 0; r < w->session.ranks; r++) listen(&w->with[r], r, number, w->session.rank % 2 == 1 && i % 8 == 0);
  }
  hg_mailbox_end(w->box);
}

static bool every(const world *w, bool correspondent_is(const correspondent *))
{
  double good = 1;
  for (int r = 0; r < w->session.ranks; r++)
    if (!correspondent_is(&w->with[r])) good = 0;
  good = -good;
  hg_session_max(&w->session, &good);
  return good < 0;
}

static bool is_whole(const correspondent *c)
{
  return !c->torn;
}

static bool rises(const correspondent *c)
{
  return !c->falls;
}

static bool has_frozen(const correspondent *c)
{
  return c->frozen == ROUNDS;
}

static bool was_told(const correspondent *c)
{
  return c->over;
}

static void say(const world *w, bool good, const char *what)
{
  if (w->session.rank == 0) tap_ok(good, "%s", what);
}

int main(void)
{
  static world w;
  if (hg_session_join(NULL, &w.session) != HG_OK || w.session.ranks > RANKS) return 1;
  open_links(&w);
  for (int i = 0; i < EXCHANGES; i++) {
    exchange(&w, i);
    say(&w, every(&w, is_whole), "no message is torn, or of an exchange before");
    say(&w, every(&w, rises), "versions only rise");
    say(&w, every(&w, has_frozen), "all frozen values arrive");
    say(&w, every(&w, was_told), "control arrives");
  }
  const hg_mailbox_counts counts = hg_mailbox_count(w.box);
  double flights = most, letters = issued,
         sum[3] = {(double)counts.published, (double)counts.sent, (double)counts.replaced};
  hg_session_max(&w.session, &flights);
  hg_session_sum(&w.session, &letters);
  hg_session_sum_all(&w.session, sum, 3);
  if (w.session.rank == 0) {
    tap_ok(flights <= 1, "at most %.0f message per link in flight, of %.0f", flights, letters);
    if (w.session.ranks > 1) tap_ok(letters > 0, "the sends were seen");
    tap_ok((sum[2] > 0 || w.session.ranks == 1) && sum[2] < sum[0],
           "of %.0f published %.0f were sent, %.0f replaced by newer ones", sum[0], sum[1], sum[2]);
  }
  const bool speaks = w.session.rank == 0;
  hg_mailbox_free(w.box);
  hg_session_close(&w.session);
  return speaks ? tap_done() : 0;
}
