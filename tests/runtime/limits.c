/* SPDX-License-Identifier: MIT */
/* The plugin in a program whose StarPU was configured with other limits: this program's starpu_task_init and
 * starpu_codelet_init replace StarPU's and clear structures of other sizes. */
#include <dlfcn.h>
#include <starpu.h>
#include <starpu_scheduler.h>

#include "tap.h"

static size_t more_task, more_codelet; /* bytes */

void starpu_task_init(struct starpu_task *task)
{
  memset(task, 0, sizeof *task + more_task);
}

void starpu_codelet_init(struct starpu_codelet *codelet)
{
  memset(codelet, 0, sizeof *codelet + more_codelet);
}

typedef struct starpu_sched_policy *(*find_policy)(const char *name);

static void asks(find_policy find, size_t task, size_t codelet, bool wanted, const char *name)
{
  more_task = task;
  more_codelet = codelet;
  tap_ok((find("hetgrid") != NULL) == wanted, "%s", name);
}

int main(void)
{
  void *plugin = dlopen(".libs/libhetgrid-sched.so", RTLD_NOW);
  if (!tap_ok(plugin != NULL, "the plugin is loaded %s", plugin ? "" : dlerror())) return tap_done();
  find_policy find;
  *(void **)&find = dlsym(plugin, "starpu_get_sched_lib_policy");
  asks(find, 0, 0, true, "with the limits it was compiled for it gives a policy");
  asks(find, 480, 0, false, "tasks with room for more buffers are refused");
  asks(find, sizeof(void *), 0, false, "tasks that are one pointer longer are refused");
  asks(find, 0, 240, false, "codelets with room for more implementations are refused");
  tap_ok(find("no such policy") == NULL, "it has no policy of another name");
  return tap_done();
}
