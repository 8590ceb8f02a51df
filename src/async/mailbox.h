/* SPDX-License-Identifier: MIT */
/* Mailboxes: values that blocks tell their neighbours without anyone waiting for them.
 *
 * A link leads from a block to a neighbour, on this rank (plain memory) or on another. What is published replaces what
 * was published before and has not left yet, so that the newest version wins and nothing queues up: at most one message
 * of a link is in flight, since it counts as delivered when the receiver has taken it (MPI_Issend). A reader takes the
 * newest version that has arrived, or none; what it took stays as it is until it takes again.
 *
 *   publish ->  waiting  -> in flight -> ready -> taken      a newer one replaces "waiting" and "ready"
 *   publish_frozen(r)  ->  in flight  -> frozen r            never replaced: one of each round
 *
 * Publishing and taking is for any thread, each by one thread at a time. Messages move when hg_mailbox_turn is called,
 * by one thread. No StarPU handle is received into, so no task waits for a message.
 *
 * HETGRID_MAILBOX_DELAY=MEAN_S[,SEED] holds each message, those within a rank too, for a random time (exponentially
 * distributed) before it leaves, so that those of different links overtake each other. */
#ifndef HG_ASYNC_MAILBOX_H
#define HG_ASYNC_MAILBOX_H

#include "runtime/session.h"

typedef struct hg_mailbox hg_mailbox;
typedef struct hg_link hg_link;

/** Which end of a link this rank has. */
typedef enum hg_link_end { HG_LINK_BOTH, HG_LINK_OUT, HG_LINK_IN } hg_link_end;

/** What there is to know of a link. */
typedef struct hg_link_kind {
  hg_link_end end;
  int peer;     /**< rank at the other end, if that is not this one */
  int64_t name; /**< the same on both ranks, unique among the links between them in this direction */
  size_t bytes; /**< of a message, >= 1 */
  bool control; /**< is delivered even when all else has come to an end; not counted */
} hg_link_kind;

/** Since the mailbox was made, on this rank. */
typedef struct hg_mailbox_counts {
  int64_t published; /**< but for frozen values and control */
  int64_t sent;      /**< that left, on links to other ranks */
  int64_t replaced;  /**< that were replaced by newer ones before they were taken: where they left, or arrived */
} hg_mailbox_counts;

/** An empty mailbox with communicators of its own. Collective. HG_MEMORY; HG_INVALID for HETGRID_MAILBOX_DELAY. */
hg_status hg_mailbox_make(const hg_session *session, hg_mailbox **out);

/** Adds a link, which lives as long as the mailbox. HG_MEMORY. */
hg_status hg_mailbox_add(hg_mailbox *mailbox, const hg_link_kind *kind, hg_link **out);

/** All links have been added: messages can come. Collective: both ends must have been added. HG_MEMORY, HG_INVALID for
 * messages that MPI cannot count. */
hg_status hg_mailbox_open(hg_mailbox *mailbox);

/** An exchange begins: nothing has been published yet. Collective with hg_mailbox_end, behind which it must come. */
void hg_mailbox_begin(hg_mailbox *mailbox);

/** It ends: what is on the way is delivered if it is control, and else forgotten. Collective. */
void hg_mailbox_end(hg_mailbox *mailbox);

/** Moves messages. Returns whether any moved. */
bool hg_mailbox_turn(hg_mailbox *mailbox);

/** Sleeps until hg_mailbox_ring, for 20 microseconds at first, and up to 200 from one call to the next as long as no
 * message moves. */
void hg_mailbox_backoff(hg_mailbox *mailbox);

/** Wakes the one that backs off; from any thread. Publishing rings too. */
void hg_mailbox_ring(hg_mailbox *mailbox);

/** Room for the next message, and its publication. */
void *hg_link_room(hg_link *link);
void hg_link_publish(hg_link *link);

/** Publishes values of a version, from 1 on, and says which of the receiver's they were made with; where the version is
 * that of the message before they are an answer alone, and no news. Of an exchange either this or hg_link_publish.
 * What nobody has told anything of is of version 1. */
void hg_link_publish_version(hg_link *link, int64_t version, int64_t used);

/** Which version of what this end tells the other has used, as its newest message says; on the link from there. */
int64_t hg_link_answered(hg_link *link);

/** The same for values frozen in a round, > 0; the round before must have ended on both ranks. */
void *hg_link_frozen_room(hg_link *link);
void hg_link_publish_frozen(hg_link *link, int64_t round);

/** What is taken until the first message of this exchange arrives, to be filled in before anyone takes: version 0. */
void *hg_link_preset(hg_link *link);

/** The newest message that has arrived; NULL before the first. @param[out] version  its number, from 1; 0: none */
const void *hg_link_take(hg_link *link, int64_t *version);

/** Whether there is a message newer than the one taken last. */
bool hg_link_has_news(hg_link *link);

/** The values frozen in a round, or NULL if they have not arrived. */
const void *hg_link_frozen(hg_link *link, int64_t round);

hg_mailbox_counts hg_mailbox_count(hg_mailbox *mailbox);

/** Collective; may be NULL. No exchange is under way. */
void hg_mailbox_free(hg_mailbox *mailbox);
#endif
