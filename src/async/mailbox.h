/* SPDX-License-Identifier: MIT */
/* Mailboxes: values that blocks send their neighbours without anyone waiting for them.
 *
 * A link leads from a block to a neighbour, on this rank (through plain memory) or on another. What is published
 * replaces an earlier publication that has not left yet, so the newest version wins and nothing queues up. At most one
 * message of a link is in flight: it counts as delivered when the receiver has taken it (MPI_Issend). A reader takes
 * the newest version that has arrived, or none; what it took does not change until it takes again.
 *
 *   publish ->  waiting  -> in flight -> ready -> taken      a newer one replaces "waiting" and "ready"
 * publish_frozen(r)  ->  in flight  -> frozen r            never replaced: one per round
 *
 * Any thread may publish and take, but only one at a time for each. Messages move when one thread calls
 * hg_mailbox_turn. Messages are not received into StarPU handles, so no task waits for a message.
 *
 * HETGRID_MAILBOX_DELAY=MEAN_S[,SEED] delays each message, also within a rank, by a random time (exponentially
 * distributed) before it is sent, so that messages of different links overtake each other. */
#ifndef HG_ASYNC_MAILBOX_H
#define HG_ASYNC_MAILBOX_H

#include "runtime/session.h"

typedef struct hg_mailbox hg_mailbox;
typedef struct hg_link hg_link;

/** Which ends of a link are on this rank. */
typedef enum hg_link_end { HG_LINK_BOTH, HG_LINK_OUT, HG_LINK_IN } hg_link_end;

/** Description of a link. */
typedef struct hg_link_kind {
  hg_link_end end;
  int peer;     /**< rank at the other end, if it is another */
  int64_t name; /**< the same on both ranks, unique among the links between them in this direction */
  size_t bytes; /**< of a message, >= 1 */
  bool control; /**< delivered even after the exchange has ended; not counted */
} hg_link_kind;

/** Counts on this rank since the mailbox was made. */
typedef struct hg_mailbox_counts {
  int64_t published; /**< without frozen values and control */
  int64_t sent;      /**< messages sent on links to other ranks */
  int64_t replaced;  /**< messages replaced by newer ones before they were taken, at the sender or the receiver */
} hg_mailbox_counts;

/** Creates an empty mailbox with its own communicators. Collective. HG_MEMORY; HG_INVALID for HETGRID_MAILBOX_DELAY. */
hg_status hg_mailbox_make(const hg_session *session, hg_mailbox **out);

/** Adds a link, which exists as long as the mailbox. HG_MEMORY. */
hg_status hg_mailbox_add(hg_mailbox *mailbox, const hg_link_kind *kind, hg_link **out);

/** To be called after all links have been added, at both ends; then messages can arrive. Collective. HG_MEMORY,
 * HG_INVALID for messages too large for MPI's counts. */
hg_status hg_mailbox_open(hg_mailbox *mailbox);

/** Begins an exchange, with nothing published yet. Collective; hg_mailbox_end must have ended the previous one. */
void hg_mailbox_begin(hg_mailbox *mailbox);

/** Ends it: delivers control messages on their way and drops all others. Collective. */
void hg_mailbox_end(hg_mailbox *mailbox);

/** Moves messages. Returns whether any moved. */
bool hg_mailbox_turn(hg_mailbox *mailbox);

/** Sleeps until hg_mailbox_ring: for 20 microseconds at first, and up to 200 in successive calls while no message
 * moves. */
void hg_mailbox_backoff(hg_mailbox *mailbox);

/** Wakes the thread that sleeps in hg_mailbox_backoff; from any thread. Publishing does so, too. */
void hg_mailbox_ring(hg_mailbox *mailbox);

/** Memory for the next message, and its publication. */
void *hg_link_room(hg_link *link);
void hg_link_publish(hg_link *link);

/** Publishes values with their version, from 1 on, and the version of the receiver's values that they were computed
 * from. If the version is the same as in the previous message, this is only an answer and no news. An exchange uses
 * either this or hg_link_publish. The initial values, sent to nobody, have version 1. */
void hg_link_publish_version(hg_link *link, int64_t version, int64_t used);

/** The version of this end's values that the other end has used, by its newest message; to be called on the link from
 * there. */
int64_t hg_link_answered(hg_link *link);

/** The same for values frozen in a round > 0; the previous round must have ended on both ranks. */
void *hg_link_frozen_room(hg_link *link);
void hg_link_publish_frozen(hg_link *link, int64_t round);

/** What readers take until this exchange's first message arrives (version 0); to be filled in before anyone takes. */
void *hg_link_preset(hg_link *link);

/** The newest message that has arrived; NULL before the first. @param[out] version  its number, from 1; 0: none */
const void *hg_link_take(hg_link *link, int64_t *version);

/** Whether there is a message newer than the one taken last. */
bool hg_link_has_news(hg_link *link);

/** The values frozen in a round, or NULL if they have not arrived. */
const void *hg_link_frozen(hg_link *link, int64_t round);

hg_mailbox_counts hg_mailbox_count(hg_mailbox *mailbox);

/** Collective; may be NULL. No exchange may be open. */
void hg_mailbox_free(hg_mailbox *mailbox);
#endif
