/* SPDX-License-Identifier: MIT */
/* Job files: names, quoted values, comments, wrong input; parameters of an application as options; options of a grid.
 */
#include "job/jobfile.h"

#include <sys/wait.h>
#include <unistd.h>

#include "options/grid_options.h"
#include "job/parameters.h"
#include "job/snapshot_options.h"
#include "job/job.h"

#include "tap.h"

static hg_option_kind kind_of(const char *name, const char **meant)
{
  if (strcmp(name, "extent") == 0) name = "size";
  *meant = name;
  if (strcmp(name, "quiet") == 0) return HG_OPTION_FLAG;
  if (strcmp(name, "trace") == 0) return HG_OPTION_EITHER;
  return strcmp(name, "size") == 0 || strcmp(name, "output") == 0 ? HG_OPTION_VALUE : HG_OPTION_UNKNOWN;
}

static hg_status parse(const char *text, hg_option_list *list)
{
  return hg_jobfile_parse(text, strlen(text), "job.txt", kind_of, list);
}

static void reads(const char *text, const char *option, const char *name)
{
  hg_option_list list;
  if (!tap_ok(parse(text, &list) == HG_OK, "%s is read", name)) return;
  const char *last = list.count ? list.argument[list.count - 1] : "(none)";
  tap_ok(strcmp(last, option) == 0, "... as %s (expected %s)", last, option);
  hg_options_free(&list);
}

static void refuses(const char *text, const char *part, const char *name)
{
  hg_option_list list;
  const bool refused = parse(text, &list) == HG_FORMAT;
  tap_ok(refused && strstr(hg_message(), part), "%s is refused (%s)", name, refused ? hg_message() : "it is read");
  if (!refused) hg_options_free(&list);
}

/* Parameters of all types, and one with the name of an option. */
static struct {
  double rate;
  float width;
  int grains;
  int64_t seed;
} values = {.5, 2, 3, 4};
#define MEMBER(name) offsetof(__typeof__(values), name)
static const hg_parameter list[] = {{"growth_rate", MEMBER(rate), HG_PARAMETER_DOUBLE, 0, 1, "growth"},
                                    {"width", MEMBER(width), HG_PARAMETER_FLOAT, 0, 9, "cm"},
                                    {"grains", MEMBER(grains), HG_PARAMETER_INT, 1, 9, NULL},
                                    {"seed", MEMBER(seed), HG_PARAMETER_INT64, 0, 9, NULL},
                                    {0}};
static const hg_job job = {.parameters = &values, .parameter_bytes = sizeof values, .parameter = list};

static const hg_option widths[] = {{"width", HG_TEXT(hg_grid_options, sched), "X", "taken", 0}, {0}};
static const hg_command empty, has_width = {.set = {{.option = widths}}};

/* The exit status of a program with options and a command line of one. */
static int exit_of(const hg_option *rows, void *at, char *option)
{
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    hg_command command = {.set = {{.option = rows, .values = at}}};
    if (!freopen("/dev/null", "w", stderr)) _exit(99);
    hg_command_parse(&command, 2, (char *[]){"program", option, NULL});
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static void parameters_are_options(void)
{
  hg_option *o;
  if (!tap_ok(hg_parameters_options(&job, &empty, &o) == HG_OK, "parameters are options %s", hg_message())) return;
  tap_ok(strcmp(o[0].name, "growth-rate") == 0 && strcmp(o[0].arg, "X") == 0 && strcmp(o[1].arg, "X") == 0 &&
             strcmp(o[2].arg, "N") == 0 && strcmp(o[3].arg, "N") == 0 && !o[4].name,
         "two are numbers, two whole numbers");
  hg_command command = {.set = {{.option = o, .values = &values}}};
  char *line[] = {"program", "--growth-rate=.25", "--width", "1.5", "--grains=7", "--seed=8", NULL};
  hg_command_parse(&command, 6, line);
  tap_ok(values.rate == .25, "a real is set");
  tap_ok((double)values.width == 1.5, "... in single precision");
  tap_ok(values.grains == 7, "... and a whole number");
  tap_ok(values.seed == 8, "... of 64 bits");
  tap_ok(hg_option_given(&command, "seed") && !hg_option_given(&has_width, "width"),
         "given parameters are marked as such");
  tap_int(exit_of(o, &values, "--grains=1.5"), 2, "1.5 grains are refused");
  tap_int(exit_of(o, &values, "--grains=9"), 0, "the largest number of grains is taken");
  tap_int(exit_of(o, &values, "--grains=10"), 2, "... one more is refused");
  hg_parameters_free(o);
  tap_ok(hg_parameters_options(&job, &has_width, &o) == HG_INVALID && strstr(hg_message(), "'width'"),
         "a parameter with an option's name is refused (%s)", hg_message());
}

static void many_parameters_are_options(void)
{
  enum { MANY = 300, LAST = MANY - 1 };
  static int value[MANY];
  static char name[MANY][8];
  static hg_parameter all[MANY + 1];
  for (int i = 0; i < MANY; i++) {
    snprintf(name[i], sizeof name[i], "p%d", i);
    all[i] = (hg_parameter){name[i], (size_t)i * sizeof *value, HG_PARAMETER_INT, 0, 9, "one of many"};
  }
  const hg_job many = {.parameters = value, .parameter_bytes = sizeof value, .parameter = all};
  hg_option *o;
  if (!tap_ok(hg_parameters_options(&many, &empty, &o) == HG_OK, "300 parameters are options %s", hg_message())) return;
  hg_command command = {.set = {{.option = o, .values = value}}};
  hg_command_parse(&command, 2, (char *[]){"program", "--p299=7", NULL});
  tap_int(value[LAST], 7, "the last of them is set");
  tap_ok(hg_option_given(&command, "p299") && !hg_option_given(&command, "p43"), "... and it alone was given");
  hg_parameters_free(o);
}

static hg_status name_parameter(char *name, int length)
{
  const hg_parameter one[] = {{name, MEMBER(rate), HG_PARAMETER_DOUBLE, 0, 1, "growth"}, {0}};
  hg_job named = job;
  hg_option *o;
  memset(name, 'a', (size_t)length);
  named.parameter = one;
  const hg_status status = hg_parameters_options(&named, &empty, &o);
  if (status == HG_OK) hg_parameters_free(o);
  return status;
}

static void names_have_a_length(void)
{
  char name[50] = "";
  tap_int(name_parameter(name, 40), HG_OK, "a name of 40 characters is valid");
  tap_int(name_parameter(name, 41), HG_INVALID, "... of 41 is none");
}

static hg_grid_options grid_of(char *option)
{
  hg_grid_options o = {.block = 0};
  hg_command command = {.set = {HG_GRID_SET(&o, NULL)}};
  hg_command_parse(&command, 2, (char *[]){"grid", option, NULL});
  return o;
}

/* An old name sets the value of the present one, and is not in --help. */
static void names_of_before_work(void)
{
  const hg_grid_options today = grid_of("--time-block=7"), before = grid_of("--block=7");
  tap_ok(today.block == 7 && before.block == 7, "--block is --time-block");
  const hg_command command = {.set = {HG_GRID_SET(NULL, NULL)}};
  const hg_option *o = hg_command_option(&command, "block", NULL);
  tap_ok(o && strcmp(o->name, "time-block") == 0, "... and is found (%s)", o ? o->name : "none");
}

static hg_job snapshots_of(char *option)
{
  hg_job one = {.snapshot_every = 1};
  hg_command command = {.set = {HG_SNAPSHOT_SET(&one)}};
  hg_command_parse(&command, 2, (char *[]){"one", option, NULL});
  return one;
}

static void grids_have_options(void)
{
  const hg_job one = snapshots_of("--snapshot-stride=3"), two = snapshots_of("--snapshot-stride=3,2");
  tap_ok(one.snapshot_stride[1] == 3 && one.snapshot_stride[2] == 3, "one stride is that of all axes");
  tap_ok(two.snapshot_stride[0] == 3 && two.snapshot_stride[1] == 2 && two.snapshot_stride[2] == 1,
         "two are those of two axes");
  const hg_grid_options spaced = grid_of("--spacing=.5,1e-300");
  tap_ok(spaced.spacing[0] == .5 && spaced.spacing[1] == 1e-300 && spaced.spacing[2] == 1e-300,
         "the last spacing is that of the later axes");
  tap_int(exit_of(hg_grid_option_list, &(hg_grid_options){.block = 0}, "--spacing=.5"), 0, "a spacing");
  tap_int(exit_of(hg_grid_option_list, &(hg_grid_options){.block = 0}, "--spacing=5e-301"), 2,
          "... below 1e-300 is refused");
}

int main(void)
{
  parameters_are_options();
  many_parameters_are_options();
  names_have_a_length();
  names_of_before_work();
  grids_have_options();
  reads("# note\n\n Job_Size = 31,21 # so\r\n", "--size=31,21", "a parameter of the table with a comment");
  reads("quiet\n", "--quiet", "an option without a value");
  reads("\xef\xbb\xbfsize = 3\r\n", "--size=3", "a file with a byte order mark and Windows' ends of lines");
  refuses("\xef\xbb\xbfsizes = 3\n", "job.txt:1:1: 'sizes' is neither", "a wrong name after a byte order mark");
  refuses("quiet\n\xef\xbb\xbfsize = 3\n", "job.txt:2:1", "a byte order mark within a file");
  reads("trace", "--trace", "one that may have a value, without");
  reads("trace = there", "--trace=there", "... and with it");
  reads("Output_path = \"a # b = c.npy\" # note\n", "--output=a # b = c.npy", "a value in double quotes");
  reads("Output_path = 'it is \"here\" '\n", "--output=it is \"here\" ", "one in single quotes");
  reads("Output_path = \"say \\\"a\\\\b\\\"\"\n", "--output=say \"a\\b\"", "quotes within quotes");
  reads("Output_path = a b.npy\n", "--output=a b.npy", "a blank within a value");
  refuses("\nOutput_path = a#b.npy\n", "job.txt:2:16", "a # within a name without quotes");
  refuses("Output_path = \"a.npy\n", "job.txt:1:15: the quote is not closed", "an open quote");
  refuses("Output_path = \"a\" b\n", "job.txt:1:19: unexpected 'b'", "a word after the quote");
  refuses("Output_path = \"\"\n", "no value", "an empty value in quotes");
  refuses("size = 3\nextent = 4\n", "job.txt:2:1: 'extent' is given twice", "an option under two names");
  refuses("size = 3\nquiet\n Job_Size = 4\n", "job.txt:3:2: 'size' is given twice", "a name that is there twice");
  reads("Output_path = a.npy\noutput = b.npy\n", "--output=b.npy", "a second output");
  refuses("size\nquiet\n", "job.txt:1:1: no value for 'size'", "an option that needs a value and has none");
  refuses("quiet = yes\n", "job.txt:1:9: 'quiet' takes no value", "a value for an option that takes none");
  refuses("  Job_Colour = red\n", "job.txt:1:3: 'Job_Colour' is neither", "an unknown name");
  refuses("job = other.txt\n", "neither", "a job file within a job file");
  return tap_done();
}
