/* SPDX-License-Identifier: MIT */
/* Common part of the preloaded libraries that make calls fail (fail.c, mpi.c): decides which calls count and which one
 * fails.
 *
 *   HG_FAULT        kind of calls that count
 *   HG_FAULT_AT     number of the call that fails, from 1; 0 or unset: calls are only counted
 *   HG_FAULT_COUNT  file to which the number of calls is written at the end */
#ifndef HG_TESTS_FAULTS_FAULT_H
#define HG_TESTS_FAULTS_FAULT_H

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULT_OBJECTS = 8 };

static const char *kind = "";
static long fail_at;
static atomic_long calls;
static struct {
  uintptr_t first, last;
} code[FAULT_OBJECTS]; /* whose calls count */
static int objects;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Whether the calls of a library, or of the program (empty name), count. */
static bool counts(const char *library);

/* Records the address ranges of the code whose calls count. */
static int note_object(struct dl_phdr_info *info, size_t size, void *arg)
{
  (void)size, (void)arg;
  if (!counts(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum && objects < FAULT_OBJECTS; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    code[objects].first = info->dlpi_addr + p->p_vaddr;
    code[objects++].last = info->dlpi_addr + p->p_vaddr + p->p_memsz;
  }
  return 0;
}

static bool is_counted_code(const void *caller)
{
  for (int i = 0; i < objects; i++)
    if ((uintptr_t)caller >= code[i].first && (uintptr_t)caller < code[i].last) return true;
  return false;
}

/* Counts a call. Returns whether it is to fail, alone or with all later ones. */
static bool is_due(bool lasting)
{
  const long number = atomic_fetch_add(&calls, 1) + 1;
  return fail_at > 0 && (number == fail_at || (lasting && number > fail_at));
}

__attribute__((constructor)) static void begin_faults(void)
{
  const char *at = getenv("HG_FAULT_AT"), *what = getenv("HG_FAULT");
  if (what) kind = what;
  dl_iterate_phdr(note_object, NULL);
  fail_at = at ? atol(at) : 0;
}

__attribute__((destructor)) static void finish_faults(void)
{
  const char *path = getenv("HG_FAULT_COUNT");
  kind = "";
  FILE *f = path ? NEXT(fopen)(path, "w") : NULL;
  if (!f) return;
  fprintf(f, "%ld\n", atomic_load(&calls));
  fclose(f);
}
#endif
