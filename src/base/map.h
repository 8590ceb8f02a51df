/* SPDX-License-Identifier: MIT */
/* Maps addresses to numbers: a hash table with open addressing; removed entries leave no marks. */
#ifndef HG_BASE_MAP_H
#define HG_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hg_map {
  struct hg_map_slot {
    const void *key;
    int value;
  } * slot;
  int slots, used;
} hg_map;

/** Value of a key, or -1. */
int hg_map_find(const hg_map *table, const void *key);

/** Enters or changes a key; false if memory ran out. */
bool hg_map_set(hg_map *table, const void *key, int value);

/** Removes a key, if it is there. */
void hg_map_forget(hg_map *table, const void *key);

void hg_map_clear(hg_map *table);
#endif
