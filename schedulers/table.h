/* SPDX-License-Identifier: MIT */
/* Numbers by address: a hash table with open addressing, from which entries are removed without a trace. */
#ifndef HG_SCHEDULERS_TABLE_H
#define HG_SCHEDULERS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hg_table {
  struct hg_table_slot {
    const void *key;
    int value;
  } * slot;
  int slots, used;
} hg_table;

/** Value of a key, or -1. */
int hg_table_find(const hg_table *table, const void *key);

/** Enters or changes a key; false if memory ran out. */
bool hg_table_set(hg_table *table, const void *key, int value);

/** Removes a key, if it is there. */
void hg_table_forget(hg_table *table, const void *key);

void hg_table_clear(hg_table *table);
#endif
