/* SPDX-License-Identifier: MIT */
#include "async/mailbox.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/memory.h"
#include "base/random.h"
#include "runtime/comm.h"

/* Header of a message, followed by the values. */
typedef struct letter {
  int64_t epoch, version; /* exchange; number within it, 0: none, PRESET: filled in at this end */
  int64_t round;          /* of frozen values; 0: not frozen */
  int64_t used;           /* version of the receiver's values that these were computed from; 0: not stated */
  int64_t unused[4];      /* makes values begin on a cache line */
} letter;

enum { PRESET = -1 };

/* Places of messages, which move by exchanging pointers. */
typedef enum place { ROOM, WAITING, FROZEN_OUT, FLIGHT, LANDING, READY, TAKEN, FROZEN_IN, PLACES } place;

struct hg_link {
  hg_mailbox *box;
  hg_link_kind kind;
  int tag;
  pthread_mutex_t lock; /* for all members below */
  letter *at[PLACES];
  bool in_flight, issued; /* FLIGHT is occupied; MPI has the message */
  double due;             /* time when it leaves or arrives */
  int64_t published;      /* version published last */
  letter newest;          /* header of the newest message that stated what it had used */
  uint64_t flights;
  hg_mailbox_counts counts;
};

struct hg_mailbox {
  const hg_session *session;
  MPI_Comm comm;
  int links;
  hg_link **link;
  MPI_Request *request; /* [links] at most one per link */
  int *done;            /* [links] */
  int64_t epoch;
  double delay; /* mean, s */
  int64_t seed;
  pthread_mutex_t lock; /* of `rung` */
  pthread_cond_t bell;
  bool rung;
  long pause; /* ns */
};

enum { SHORTEST_PAUSE = 20000, LONGEST_PAUSE = 200000 };

/* --- making one --- */

hg_status hg_mailbox_make(const hg_session *s, hg_mailbox **out)
{
  hg_mailbox *m = calloc(1, sizeof *m);
  hg_status status = m ? HG_OK : hg_fail(HG_MEMORY, "no memory for a mailbox");
  if (status == HG_OK) status = hg_environment_delay(&m->delay, &m->seed);
  status = hg_session_agree(s, status);
  if (status != HG_OK) {
    free(m);
    return status;
  }
  m->session = s;
  m->comm = MPI_COMM_NULL;
  m->pause = SHORTEST_PAUSE;
  pthread_mutex_init(&m->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&m->bell, &attributes);
  pthread_condattr_destroy(&attributes);
  if (s->mpi) MPI_Comm_dup(s->comms->own, &m->comm);
  *out = m;
  return HG_OK;
}

/* Whether an end of a link has this place. */
static bool has_place(hg_link_end end, place p)
{
  if (end == HG_LINK_OUT) return p <= FLIGHT;
  return end == HG_LINK_IN ? p >= LANDING : p != LANDING;
}

static void free_link(hg_link *l)
{
  for (int p = 0; p < PLACES; p++) free(l->at[p]);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

hg_status hg_mailbox_add(hg_mailbox *m, const hg_link_kind *kind, hg_link **out)
{
  HG_TRY(hg_grow("the links of a mailbox", (void **)&m->link, m->links, sizeof *m->link));
  hg_link *l = calloc(1, sizeof *l);
  if (!l) return hg_fail(HG_MEMORY, "no memory for a link");
  *l = (hg_link){.box = m, .kind = *kind};
  pthread_mutex_init(&l->lock, NULL);
  m->link[m->links++] = *out = l;
  for (int p = 0; p < PLACES; p++)
    if (has_place(kind->end, (place)p))
      HG_TRY(hg_allocate("a message", sizeof(letter) + kind->bytes, (void **)&l->at[p]));
  return HG_OK;
}

static int by_name(const void *a, const void *b)
{
  const hg_link_kind *x = &(*(hg_link *const *)a)->kind, *y = &(*(hg_link *const *)b)->kind;
  if (x->end != y->end) return (x->end > y->end) - (x->end < y->end);
  if (x->peer != y->peer) return (x->peer > y->peer) - (x->peer < y->peer);
  return (x->name > y->name) - (x->name < y->name);
}

static void receive(hg_mailbox *m, int i)
{
  const hg_link *l = m->link[i];
  MPI_Irecv(l->at[LANDING], (int)(sizeof(letter) + l->kind.bytes), MPI_BYTE, l->kind.peer, l->tag, m->comm,
            &m->request[i]);
}

/* Both ranks list the links between them in the same order, so positions in this list serve as tags. */
static hg_status number_links(hg_mailbox *m)
{
  if (m->links > 0) qsort(m->link, (size_t)m->links, sizeof *m->link, by_name);
  for (int i = 0; i < m->links; i++) {
    const hg_link *before = i > 0 ? m->link[i - 1] : NULL;
    hg_link *l = m->link[i];
    const bool same = before && before->kind.end == l->kind.end && before->kind.peer == l->kind.peer;
    l->tag = same ? before->tag + 1 : 0;
    assert(!same || before->kind.name != l->kind.name || l->kind.end == HG_LINK_BOTH);
    if (l->kind.end != HG_LINK_BOTH && l->kind.bytes > INT_MAX - sizeof(letter))
      return hg_fail(HG_INVALID, "a message of %zu bytes, must be < 2^31", l->kind.bytes);
  }
  return HG_OK;
}

hg_status hg_mailbox_open(hg_mailbox *m)
{
  m->request = malloc(((size_t)m->links + 1) * sizeof *m->request);
  m->done = malloc(((size_t)m->links + 1) * sizeof *m->done);
  hg_status status = m->request && m->done ? number_links(m) : hg_fail(HG_MEMORY, "no memory for %d links", m->links);
  HG_TRY(hg_session_agree(m->session, status));
  for (int i = 0; i < m->links; i++) {
    m->request[i] = MPI_REQUEST_NULL;
    if (m->link[i]->kind.end == HG_LINK_IN) receive(m, i);
  }
  return HG_OK;
}

/* --- messages being delivered; with the link's lock --- */

static void swap(hg_link *l, place a, place b)
{
  letter *between = l->at[a];
  l->at[a] = l->at[b];
  l->at[b] = between;
}

static bool is_there(const hg_link *l, place p)
{
  return l->at[p]->version != 0 && l->at[p]->epoch == l->box->epoch;
}

static double draw(hg_link *l)
{
  const hg_mailbox *m = l->box;
  const uint64_t stream = (uint64_t)m->seed * 1000003 + (uint64_t)l->kind.name * 64 + (uint64_t)l->kind.end;
  return m->delay > 0 ? -m->delay * log1p(-hg_random_unit(stream, l->flights++)) : 0;
}

/* Sends the next message, frozen values first, if the previous one has been delivered. */
static void depart(hg_link *l)
{
  const place next = l->at[FROZEN_OUT]->version > 0 ? FROZEN_OUT : WAITING;
  if (l->in_flight || l->at[next]->version == 0) return;
  swap(l, FLIGHT, next);
  l->at[next]->version = 0;
  l->in_flight = true;
  l->due = l->box->delay > 0 ? hg_now() + draw(l) : 0;
}

/* Stores the version used by the sender. Returns whether that is all the message says, as its values are those of the
 * previous message, or are of the initial version. */
static bool is_answer(hg_link *l, const letter *new)
{
  const int64_t before = l->newest.epoch == new->epoch ? l->newest.version : 1;
  l->newest = *new;
  return new->version == before;
}

/* Makes a message available for reading, and replaces an unread one. */
static void arrive(hg_link *l, place from)
{
  const letter *new = l->at[from];
  const place to = new->round > 0 ? FROZEN_IN : READY;
  if (new->epoch < l->box->epoch) return;
  if (new->used > 0 && to == READY && is_answer(l, new)) return;
  if (to == READY && is_there(l, READY) && !l->kind.control) l->counts.replaced++;
  swap(l, from, to);
}

/* Delivers within a rank. */
static void deliver_here(hg_link *l)
{
  for (depart(l); l->in_flight && (l->due <= 0 || hg_now() >= l->due); depart(l)) {
    arrive(l, FLIGHT);
    l->in_flight = false;
  }
}

/* --- called by the thread that moves messages --- */

static bool send(hg_mailbox *m, int i)
{
  hg_link *l = m->link[i];
  pthread_mutex_lock(&l->lock);
  depart(l);
  const bool now = l->in_flight && !l->issued && (l->due <= 0 || hg_now() >= l->due);
  if (now) l->issued = true;
  pthread_mutex_unlock(&l->lock);
  if (!now) return false;
  assert(m->request[i] == MPI_REQUEST_NULL); /* at most one in flight */
  MPI_Issend(l->at[FLIGHT], (int)(sizeof(letter) + l->kind.bytes), MPI_BYTE, l->kind.peer, l->tag, m->comm,
             &m->request[i]);
  if (!l->kind.control) l->counts.sent++;
  return true;
}

static void complete(hg_mailbox *m, int i)
{
  hg_link *l = m->link[i];
  pthread_mutex_lock(&l->lock);
  if (l->kind.end == HG_LINK_IN)
    arrive(l, LANDING);
  else
    l->in_flight = l->issued = false;
  pthread_mutex_unlock(&l->lock);
  if (l->kind.end == HG_LINK_IN) receive(m, i);
}

bool hg_mailbox_turn(hg_mailbox *m)
{
  bool moved = false;
  int count = 0;
  for (int i = 0; i < m->links; i++) {
    hg_link *l = m->link[i];
    if (l->kind.end == HG_LINK_OUT) moved = send(m, i) || moved;
    if (l->kind.end != HG_LINK_BOTH || m->delay <= 0) continue;
    pthread_mutex_lock(&l->lock);
    deliver_here(l);
    pthread_mutex_unlock(&l->lock);
  }
  if (m->session->mpi && m->links > 0) MPI_Testsome(m->links, m->request, &count, m->done, MPI_STATUSES_IGNORE);
  for (int k = 0; k < count && count != MPI_UNDEFINED; k++) complete(m, m->done[k]);
  moved = moved || (count != MPI_UNDEFINED && count > 0);
  if (moved) m->pause = SHORTEST_PAUSE;
  return moved;
}

void hg_mailbox_backoff(hg_mailbox *m)
{
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += m->pause;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  pthread_mutex_lock(&m->lock);
  if (!m->rung) pthread_cond_timedwait(&m->bell, &m->lock, &until);
  m->rung = false;
  pthread_mutex_unlock(&m->lock);
  m->pause = m->pause * 3 / 2 < LONGEST_PAUSE ? m->pause * 3 / 2 : LONGEST_PAUSE;
}

void hg_mailbox_ring(hg_mailbox *m)
{
  pthread_mutex_lock(&m->lock);
  m->rung = true;
  pthread_cond_signal(&m->bell);
  pthread_mutex_unlock(&m->lock);
}

/* --- an exchange --- */

void hg_mailbox_begin(hg_mailbox *m)
{
  m->epoch++;
  for (int i = 0; i < m->links; i++) {
    hg_link *l = m->link[i];
    pthread_mutex_lock(&l->lock);
    l->published = 0;
    for (int p = 0; p < PLACES; p++)
      if (l->at[p] && p != FLIGHT && p != LANDING && l->at[p]->epoch != m->epoch) l->at[p]->version = 0;
    pthread_mutex_unlock(&l->lock);
  }
}

/* Drops what has not been sent, unless it is control. Returns whether everything is delivered. */
static bool is_settled(hg_mailbox *m)
{
  bool settled = true;
  for (int i = 0; i < m->links; i++) {
    hg_link *l = m->link[i];
    if (l->kind.end == HG_LINK_IN) continue;
    pthread_mutex_lock(&l->lock);
    if (!l->kind.control) l->at[WAITING]->version = l->at[FROZEN_OUT]->version = 0;
    if (!l->kind.control && !l->issued) l->in_flight = false;
    if (l->in_flight || l->at[WAITING]->version > 0) settled = false;
    pthread_mutex_unlock(&l->lock);
  }
  return settled;
}

void hg_mailbox_end(hg_mailbox *m)
{
  MPI_Request all = MPI_REQUEST_NULL;
  int together = 0;
  while (!is_settled(m))
    if (!hg_mailbox_turn(m)) hg_mailbox_backoff(m);
  if (!m->session->mpi) return;
  MPI_Ibarrier(m->comm, &all);
  while (MPI_Test(&all, &together, MPI_STATUS_IGNORE) == MPI_SUCCESS && !together)
    if (!hg_mailbox_turn(m)) hg_mailbox_backoff(m);
}

/* --- both ends --- */

static void *values(letter *a)
{
  return a + 1;
}

void *hg_link_room(hg_link *l)
{
  return values(l->at[ROOM]);
}

static void publish(hg_link *l, int64_t version, int64_t used)
{
  pthread_mutex_lock(&l->lock);
  letter *new = l->at[ROOM];
  l->published = version > 0 ? version : l->published + 1;
  *new = (letter){.epoch = l->box->epoch, .version = l->published, .used = used};
  if (!l->kind.control) l->counts.published++;
  if (!l->kind.control && l->at[WAITING]->version > 0) l->counts.replaced++;
  swap(l, ROOM, WAITING);
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  pthread_mutex_unlock(&l->lock);
  hg_mailbox_ring(l->box);
}

void hg_link_publish(hg_link *l)
{
  publish(l, 0, 0);
}

void hg_link_publish_version(hg_link *l, int64_t version, int64_t used)
{
  publish(l, version, used);
}

int64_t hg_link_answered(hg_link *l)
{
  pthread_mutex_lock(&l->lock);
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  const int64_t used = l->newest.epoch == l->box->epoch ? l->newest.used : 1;
  pthread_mutex_unlock(&l->lock);
  return used;
}

void *hg_link_frozen_room(hg_link *l)
{
  assert(l->at[FROZEN_OUT]->version == 0); /* that of the previous round has left */
  return values(l->at[FROZEN_OUT]);
}

void hg_link_publish_frozen(hg_link *l, int64_t round)
{
  pthread_mutex_lock(&l->lock);
  *l->at[FROZEN_OUT] = (letter){.epoch = l->box->epoch, .version = 1, .round = round};
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  pthread_mutex_unlock(&l->lock);
  hg_mailbox_ring(l->box);
}

void *hg_link_preset(hg_link *l)
{
  *l->at[TAKEN] = (letter){.epoch = l->box->epoch, .version = PRESET};
  return values(l->at[TAKEN]);
}

const void *hg_link_take(hg_link *l, int64_t *version)
{
  pthread_mutex_lock(&l->lock);
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  if (is_there(l, READY)) {
    swap(l, READY, TAKEN);
    l->at[READY]->version = 0;
  }
  const bool any = is_there(l, TAKEN);
  *version = any && l->at[TAKEN]->version > 0 ? l->at[TAKEN]->version : 0;
  pthread_mutex_unlock(&l->lock);
  return any ? values(l->at[TAKEN]) : NULL;
}

bool hg_link_has_news(hg_link *l)
{
  pthread_mutex_lock(&l->lock);
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  const bool news = is_there(l, READY);
  pthread_mutex_unlock(&l->lock);
  return news;
}

const void *hg_link_frozen(hg_link *l, int64_t round)
{
  pthread_mutex_lock(&l->lock);
  if (l->kind.end == HG_LINK_BOTH) deliver_here(l);
  const bool there = is_there(l, FROZEN_IN) && l->at[FROZEN_IN]->round == round;
  pthread_mutex_unlock(&l->lock);
  return there ? values(l->at[FROZEN_IN]) : NULL;
}

hg_mailbox_counts hg_mailbox_count(hg_mailbox *m)
{
  hg_mailbox_counts sum = {0};
  for (int i = 0; i < m->links; i++) {
    hg_link *l = m->link[i];
    pthread_mutex_lock(&l->lock);
    sum.published += l->counts.published;
    sum.sent += l->counts.sent;
    sum.replaced += l->counts.replaced;
    pthread_mutex_unlock(&l->lock);
  }
  return sum;
}

void hg_mailbox_free(hg_mailbox *m)
{
  if (!m) return;
  for (int i = 0; i < m->links && m->request; i++)
    if (m->request[i] != MPI_REQUEST_NULL) {
      MPI_Cancel(&m->request[i]);
      MPI_Wait(&m->request[i], MPI_STATUS_IGNORE);
    }
  for (int i = 0; i < m->links; i++) free_link(m->link[i]);
  if (m->comm != MPI_COMM_NULL) MPI_Comm_free(&m->comm);
  pthread_cond_destroy(&m->bell);
  pthread_mutex_destroy(&m->lock);
  free(m->link);
  free(m->request);
  free(m->done);
  free(m);
}
