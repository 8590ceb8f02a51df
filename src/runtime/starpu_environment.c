/* SPDX-License-Identifier: MIT */
/* StarPU reads some variables as numbers and aborts if one is not a number, is negative, or names a core that does not
 * exist. It also aborts if it cannot create the folder of its performance models, or finds an incomplete model there.
 * These cases are found before StarPU starts. */
#include "runtime/starpu_environment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/topology.h"
#include "runtime/starpu_models.h"

/* Variables that StarPU 1.4.10 reads by starpu_getenv_number and starpu_getenv_float_default, without "STARPU_". */
static const char whole[] =
    " "
    "AUTOHETEROPRIO_FREEZE_GATHERING AUTOHETEROPRIO_ORDERING_INTERVAL AUTOHETEROPRIO_PRINT_AFTER_ORDERING "
    "AUTOHETEROPRIO_PRINT_DATA_ON_UPDATE AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY "
    "AUTOHETEROPRIO_TIME_ESTIMATION_POLICY BACKOFF_MAX BACKOFF_MIN BUS_CALIBRATE BUS_STATS CALIBRATE "
    "CALIBRATE_MINIMUM CATCH_SIGNALS CHECK_ENTIRE_PLATFORM CODELET_PROFILING COMM_STATS "
    "CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES CUDA_PIPELINE CUDA_THREAD_PER_DEV CUDA_THREAD_PER_WORKER "
    "DATA_LOCALITY_ENFORCE DISABLE_ASYNCHRONOUS_COPY DISABLE_ASYNCHRONOUS_CUDA_COPY DISABLE_ASYNCHRONOUS_HIP_COPY "
    "DISABLE_ASYNCHRONOUS_MAX_FPGA_COPY DISABLE_ASYNCHRONOUS_MPI_MS_COPY DISABLE_ASYNCHRONOUS_OPENCL_COPY "
    "DISABLE_ASYNCHRONOUS_TCPIP_MS_COPY DISABLE_KERNELS DISABLE_PINNING DISK_SWAP_SIZE DISPLAY_BINDINGS "
    "ENABLE_CUDA_GPU_GPU_DIRECT ENABLE_MAP ENERGY_PROFILING EXPECTED_TRANSFER_TIME_WRITEBACK FXT_TRACE GENERATE_TRACE "
    "GLOBAL_ARBITER HETEROPRIO_CODELET_GROUPING_STRATEGY HETEROPRIO_USE_AUTO_CALIBRATION HETEROPRIO_USE_LA "
    "HIP_PIPELINE HIP_THREAD_PER_DEV HIP_THREAD_PER_WORKER HISTORY_MAX_ERROR LIMIT_BANDWIDTH LIMIT_CPU_MEM "
    "LIMIT_CPU_NUMA_MEM LIMIT_CUDA_MEM LIMIT_HIP_MEM LIMIT_MAX_FPGA_MEM LIMIT_MAX_SUBMITTED_TASKS "
    "LIMIT_MIN_SUBMITTED_TASKS LIMIT_OPENCL_MEM MAIN_THREAD_BIND MAIN_THREAD_COREID MAIN_THREAD_CPUID "
    "MALLOC_SIMULATION_FOLD MAX_MEMORY_USE MAX_PRIO MAX_WORKERSIZE MEMORY_STATS MINIMUM_AVAILABLE_MEM "
    "MINIMUM_CLEAN_BUFFERS MIN_PRIO MIN_WORKERSIZE MPI_CACHE MPI_CACHE_STATS MPI_COOP_SENDS MPI_DEBUG_LEVEL_MAX "
    "MPI_DEBUG_LEVEL_MIN MPI_DRIVER_CALL_FREQUENCY MPI_DRIVER_TASK_FREQUENCY MPI_EARLYDATA_ALLOCATE MPI_FAKE_RANK "
    "MPI_FAKE_SIZE MPI_GPUDIRECT MPI_MASTER_NODE MPI_MEM_THROTTLE MPI_MS_MULTIPLE_THREAD MPI_NDETACHED_SEND "
    "MPI_NOBIND MPI_NREADY_PROCESS MPI_PRIORITIES MPI_PSM2 MPI_RECV_WAIT_FINALIZE MPI_REDUX_ARITY_THRESHOLD MPI_STATS "
    "MPI_THREAD_COREID MPI_THREAD_CPUID MPI_THREAD_MULTIPLE_SEND MPI_TRACE_SYNC_CLOCKS NCPU NCPUS NCUDA NHIP "
    "NMAX_FPGA NMPIMSTHREADS NMPI_MS NOPENCL NTASKS_THRESHOLD NTCPIPMSTHREADS NTCPIP_MS NTHREADS_PER_CORE "
    "NWORKER_PER_CUDA NWORKER_PER_HIP OPENCL_ONLY_ON_CPUS OPENCL_ON_CPUS OPENCL_PIPELINE PCI_FLAT "
    "PERF_MODEL_HOMOGENEOUS_CPU PREFETCH RAND_SEED RESERVE_NCPU SCHED_GRAPH_TEST_DESCENDANTS SCHED_READY "
    "SCHED_SORTED_ABOVE SCHED_SORTED_BELOW SILENT SIMGRID SIMGRID_CUDA_MALLOC_COST SIMGRID_CUDA_QUEUE_COST "
    "SIMGRID_FETCHING_INPUT_COST SIMGRID_SCHED_COST SIMGRID_TASK_PUSH_COST SIMGRID_TASK_SUBMIT_COST "
    "SIMGRID_TRANSFER_COST SINGLE_COMBINED_WORKER STATS SUBALLOCATOR SYNTHESIZE_ARITY_COMBINED_WORKER "
    "TARGET_AVAILABLE_MEM TARGET_CLEAN_BUFFERS TASK_BREAK_ON_EXEC TASK_BREAK_ON_POP TASK_BREAK_ON_PUSH "
    "TASK_BREAK_ON_SCHED TASK_PROGRESS TCPIP_MS_MULTIPLE_THREAD TCPIP_MS_PORT TCPIP_MS_SLAVES TCPIP_USE_LOCAL_SOCKET "
    "TRACE_BUFFER_SIZE USE_NUMA WATCHDOG_CRASH WATCHDOG_DELAY WORKERS_GETBIND WORKERS_NOBIND WORKER_TREE ";
static const char real[] = " "
                           "EXP_LEN_THRESHOLD HETEROPRIO_AURT_DOT_DIFF_10_NOD_OFFSET "
                           "HETEROPRIO_BEST_NODS_SCORE_EXP_SELECTIVITY HETEROPRIO_NOD_TIME_COMBINATION_EXP_SELECTIVITY "
                           "HETEROPRIO_NOD_TIME_COMBINATION_NOD_MULTIPLIER "
                           "HETEROPRIO_URTS_TIME_COMBINATION_EXP_SELECTIVITY "
                           "HETEROPRIO_URTS_TIME_COMBINATION_NOD_MULTIPLIER HETEROPRIO_URT_2_ARCH_NEED_MULTIPLIER "
                           "HETEROPRIO_URT_2_URT_MULTIPLIER HETEROPRIO_URT_DOT_DIFF_10_ARCH_DIFF_OFFSET "
                           "HETEROPRIO_URT_DOT_DIFF_11_ARCH_DIFF_OFFSET HETEROPRIO_URT_DOT_DIFF_11_NOD_OFFSET "
                           "HETEROPRIO_URT_DOT_DIFF_2_ARCH_NEED_MULTIPLIER "
                           "HETEROPRIO_URT_DOT_DIFF_3_ARCH_NEED_MULTIPLIER "
                           "HETEROPRIO_URT_DOT_DIFF_4_ARCH_NEED_MULTIPLIER HETEROPRIO_URT_DOT_DIFF_5_ARCH_DIFF_OFFSET "
                           "HETEROPRIO_URT_DOT_DIFF_5_NOD_OFFSET HETEROPRIO_URT_DOT_DIFF_9_ARCH_DIFF_OFFSET "
                           "HETEROPRIO_URT_DOT_DIFF_9_NOD_OFFSET HETEROPRIO_URT_URT_MULTIPLIER SCHED_ALPHA SCHED_BETA "
                           "SCHED_GAMMA IDLE_POWER "
                           "WINDOW_TIME_SIZE ";

/* Lists of cores, and of devices. */
static const char cores[] = " WORKERS_COREID WORKERS_CPUID ";
static const char devices[] = " WORKERS_CUDAID WORKERS_HIPID WORKERS_MAX_FPGAID WORKERS_OPENCLID ";

static bool is_in(const char *list, const char *name, size_t length)
{
  for (const char *at = list; length && (at = strstr(at, name)); at++)
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

enum { ID_LIMIT = 65536 };

/* A number, or with `ranges` also A-B and A-. @return the rest of the text, NULL if there is no entry */
static const char *skip_entry(const char *at, bool ranges, long *largest)
{
  char *end;
  if (*at < '0' || *at > '9') return NULL;
  const long first = strtol(at, &end, 10);
  *largest = first > *largest ? first : *largest;
  if (!ranges || *end != '-') return end;
  at = end + 1;
  if (*at < '0' || *at > '9') return at;
  const long last = strtol(at, &end, 10);
  *largest = last > *largest ? last : *largest;
  return end;
}

/* StarPU silently ends a list where it cannot parse it. */
static bool is_list(const char *value, bool ranges, long *largest)
{
  const char *between = ranges ? " ," : " ";
  int entries = 0;
  for (const char *at = value + strspn(value, " "); *at; entries++) {
    at = skip_entry(at, ranges, largest);
    if (!at || (*at && !strchr(between, *at))) return false;
    at += *at == ',';
    at += strspn(at, " ");
  }
  return entries > 0 && *largest < ID_LIMIT;
}

/* Bounds of a number beyond which StarPU aborts; false: any number will do. */
static bool find_limits(const char *name, long *least, long *most)
{
  hg_topology t;
  const bool seen = hg_topology_read(&t) == HG_OK;
  const long threads = sysconf(_SC_NPROCESSORS_CONF), each = seen ? t.threads / t.cores : 1;
  const struct {
    const char *name;
    long least, most;
  } limits[] = {{"NTHREADS_PER_CORE", 1, each},
                {"NWORKER_PER_CUDA", 1, STARPU_NMAXWORKERS - 1},
                {"MAIN_THREAD_CPUID", 0, threads - 1},
                {"MPI_THREAD_CPUID", 0, threads - 1},
                {"MAIN_THREAD_COREID", 0, threads / each - 1},
                {"MPI_THREAD_COREID", 0, threads / each - 1},
                {"TRACE_BUFFER_SIZE", 1, hg_memory_available() >> 20 /* MiB */}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (strcmp(limits[i].name, name) == 0) {
      *least = limits[i].least;
      *most = limits[i].most;
      return true;
    }
  return false;
}

static hg_status check_limits(const char *name, const char *value)
{
  static const char limited[] =
      " NTHREADS_PER_CORE NWORKER_PER_CUDA MAIN_THREAD_CPUID MAIN_THREAD_COREID MPI_THREAD_CPUID "
      "MPI_THREAD_COREID TRACE_BUFFER_SIZE ";
  long least, most;
  const long number = strtol(value, NULL, 10);
  if (!*value || !is_in(limited, name, strlen(name)) || !find_limits(name, &least, &most)) return HG_OK;
  if (number >= least && number <= most) return HG_OK;
  return hg_fail(HG_INVALID, "STARPU_%s: %ld in the environment is not in %ld..%ld on this machine", name, number,
                 least, most);
}

/* For a core that does not exist, StarPU would bind the worker to another one. */
static hg_status check_cores(const char *name, const char *value)
{
  const bool whole_cores = strcmp(name, "WORKERS_COREID") == 0;
  long largest = 0, least, most;
  if (!is_list(value, true, &largest))
    return hg_fail(HG_INVALID,
                   "STARPU_%s: '%s' in the environment, must be numbers and ranges, such as 0 2-5, from 0 to %d", name,
                   value, ID_LIMIT - 1);
  if (!find_limits(whole_cores ? "MAIN_THREAD_COREID" : "MAIN_THREAD_CPUID", &least, &most) || largest <= most)
    return HG_OK;
  return hg_fail(HG_INVALID, "STARPU_%s: '%s' in the environment names %s %ld, this machine has 0 to %ld", name, value,
                 whole_cores ? "core" : "hardware thread", largest, most);
}

/* Checks a variable as StarPU reads it. */
static hg_status check_variable(const char *name, const char *value)
{
  char *end;
  long largest = 0;
  const size_t length = strlen(name);
  if (is_in(whole, name, length) && (strtol(value, &end, 10) < 0 || *end || end == value))
    return hg_fail(HG_INVALID, "STARPU_%s: '%s' in the environment, must be a whole number >= 0", name, value);
  HG_TRY(check_limits(name, value));
  if (is_in(cores, name, length)) HG_TRY(check_cores(name, value));
  if (is_in(devices, name, length) && !is_list(value, false, &largest))
    return hg_fail(HG_INVALID, "STARPU_%s: '%s' in the environment, must be numbers from 0 to %d, separated by spaces",
                   name, value, ID_LIMIT - 1);
  if (!is_in(real, name, length)) return HG_OK;
  const float number = strtof(value, &end);
  if (!*end && end > value && isfinite(number)) return HG_OK;
  return hg_fail(HG_INVALID, "STARPU_%s: '%s' in the environment, must be a finite number", name, value);
}

static hg_status check_variables(void)
{
  static const char prefix[] = "STARPU_";
  for (char **v = environ; *v; v++) {
    char name[64];
    const size_t begin = sizeof prefix - 1, length = strcspn(*v, "=");
    if (strncmp(*v, prefix, begin) != 0 || !(*v)[length] || length - begin >= sizeof name) continue;
    snprintf(name, sizeof name, "%.*s", (int)(length - begin), *v + begin);
    HG_TRY(check_variable(name, *v + length + 1));
  }
  return HG_OK;
}

/* The folder of StarPU's models, and the variable that sets it. */
static const char *models(char folder[HG_PATH_MAX])
{
  static const char *const names[] = {
      "STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME", "STARPU_HOME", "HOME", "TMPDIR", "TEMP", "TMP"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (!value || (i == 0 && !*value)) continue;
    snprintf(folder, HG_PATH_MAX, i == 0 ? "%s" : "%s/.starpu/sampling", value);
    return names[i];
  }
  snprintf(folder, HG_PATH_MAX, "/tmp/.starpu/sampling");
  return "no variable";
}

/* Creates the folder as StarPU would. */
static bool make_folder(char *path)
{
  struct stat info;
  for (char *slash = path + strspn(path, "/"); (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST && stat(path, &info) != 0) return false;
  }
  return (mkdir(path, S_IRWXU) == 0 || errno == EEXIST) && access(path, W_OK | X_OK) == 0;
}

static bool make_folders(const char *folder)
{
  char inner[HG_PATH_MAX + 16];
  static const char *const part[] = {"codelets", "bus"};
  for (int i = 0; i < 2; i++) {
    snprintf(inner, sizeof inner, "%s/%s", folder, part[i]);
    if (!make_folder(inner)) return false;
  }
  return true;
}

hg_status hg_starpu_environment_check(void)
{
  char folder[HG_PATH_MAX];
  HG_TRY(check_variables());
  const char *name = models(folder);
  if (make_folders(folder)) return hg_starpu_models_check(folder);
  return hg_fail(HG_IO, "StarPU cannot store its models in %s (by %s): %s; set STARPU_HOME to another folder", folder,
                 name, strerror(errno));
}
