/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>

static int home_of(const hg_map *t, const void *key)
{
  const uint64_t x = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  return (int)((x >> 32) & (uint64_t)(t->slots - 1));
}

/* Slot of the key, or the free slot where it belongs. */
static int slot_of(const hg_map *t, const void *key)
{
  int s = home_of(t, key);
  while (t->slot[s].key && t->slot[s].key != key) s = (s + 1) & (t->slots - 1);
  return s;
}

int hg_map_find(const hg_map *t, const void *key)
{
  if (t->slots == 0) return -1;
  const int s = slot_of(t, key);
  return t->slot[s].key ? t->slot[s].value : -1;
}

static bool resize(hg_map *t)
{
  hg_map larger = {.slots = t->slots ? 2 * t->slots : 64};
  larger.slot = calloc((size_t)larger.slots, sizeof *larger.slot);
  if (!larger.slot) return false;
  for (int s = 0; s < t->slots; s++)
    if (t->slot[s].key) larger.slot[slot_of(&larger, t->slot[s].key)] = t->slot[s];
  larger.used = t->used;
  free(t->slot);
  *t = larger;
  return true;
}

bool hg_map_set(hg_map *t, const void *key, int value)
{
  if (4 * (t->used + 1) > 3 * t->slots && !resize(t)) return false;
  const int s = slot_of(t, key);
  if (!t->slot[s].key) t->used++;
  t->slot[s].key = key;
  t->slot[s].value = value;
  return true;
}

/* Later entries move into the gap if a search for them would now end there. */
void hg_map_forget(hg_map *t, const void *key)
{
  if (t->slots == 0) return;
  const int mask = t->slots - 1;
  int gap = slot_of(t, key);
  if (!t->slot[gap].key) return;
  for (int s = (gap + 1) & mask; t->slot[s].key; s = (s + 1) & mask)
    if (((s - home_of(t, t->slot[s].key)) & mask) >= ((s - gap) & mask)) {
      t->slot[gap] = t->slot[s];
      gap = s;
    }
  t->slot[gap].key = NULL;
  t->used--;
}

void hg_map_clear(hg_map *t)
{
  free(t->slot);
  *t = (hg_map){0};
}
