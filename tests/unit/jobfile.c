/* SPDX-License-Identifier: MIT */
/* Job files: names, quoted values, comments, and what is refused; parameters of an application as options. */
#include "job/jobfile.h"

#include "job/parameters.h"

#include "tap.h"

static hg_option_kind kind_of(const char *name)
{
  if (strcmp(name, "quiet") == 0) return HG_OPTION_FLAG;
  if (strcmp(name, "trace") == 0) return HG_OPTION_EITHER;
  return strcmp(name, "size") == 0 || strcmp(name, "output") == 0 ? HG_OPTION_VALUE
                                                                  : HG_OPTION_UNKNOWN;
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
  tap_ok(refused && strstr(hg_message(), part), "%s is refused (%s)", name,
         refused ? hg_message() : "it is read");
  if (!refused) hg_options_free(&list);
}

/* Parameters of all types, and one of an option's name. */
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

static bool none_taken(const char *name)
{
  (void)name;
  return false;
}

static bool width_taken(const char *name)
{
  return strcmp(name, "width") == 0;
}

static void parameters_are_options(void)
{
  struct argp_option *o;
  if (!tap_ok(hg_parameters_options(&job, none_taken, &o) == HG_OK, "parameters are options %s", hg_message())) return;
  tap_ok(strcmp(o[0].name, "growth-rate") == 0 && strcmp(o[0].arg, "X") == 0 && strcmp(o[1].arg, "X") == 0 &&
             strcmp(o[2].arg, "N") == 0 && strcmp(o[3].arg, "N") == 0 && !o[4].name,
         "two are numbers, two whole numbers");
  hg_parameters_free(o);
  tap_ok(hg_parameters_set(&job, 0, ".25") == HG_OK && values.rate == .25, "a real is set");
  tap_ok(hg_parameters_set(&job, 1, "1.5") == HG_OK && (double)values.width == 1.5, "... in single precision");
  tap_ok(hg_parameters_set(&job, 2, "7") == HG_OK && values.grains == 7, "... and a whole number");
  tap_ok(hg_parameters_set(&job, 3, "8") == HG_OK && values.seed == 8, "... of 64 bits");
  tap_ok(hg_parameters_set(&job, 2, "1.5") == HG_INVALID && strstr(hg_message(), "--grains"),
         "1.5 grains are refused (%s)", hg_message());
  tap_ok(hg_parameters_options(&job, width_taken, &o) == HG_INVALID && strstr(hg_message(), "'width'"),
         "a parameter with an option's name is refused (%s)", hg_message());
}

static void names_have_forty_letters_at_most(void)
{
  char name[42] = "";
  const hg_parameter one[] = {{name, MEMBER(rate), HG_PARAMETER_DOUBLE, 0, 1, "any"}, {0}};
  const hg_job named = {.parameters = &values, .parameter_bytes = sizeof values, .parameter = one};
  struct argp_option *o;
  memset(name, 'n', 40);
  if (tap_ok(hg_parameters_options(&named, none_taken, &o) == HG_OK && strlen(o[0].name) == 40, "a name of 40 letters"))
    hg_parameters_free(o);
  name[40] = 'n';
  tap_ok(hg_parameters_options(&named, none_taken, &o) == HG_INVALID, "one of 41 is refused: %s", hg_message());
}

int main(void)
{
  parameters_are_options();
  names_have_forty_letters_at_most();
  reads("# note\n\n Job_Size = 31,21 # so\r\n", "--size=31,21",
        "a parameter of the table with a comment");
  reads("quiet\n", "--quiet", "an option without a value");
  reads("trace", "--trace", "one that may have a value, without");
  reads("trace = there", "--trace=there", "... and with it");
  reads("Output_path = \"a # b = c.npy\" # note\n", "--output=a # b = c.npy",
        "a value in double quotes");
  reads("Output_path = 'it is \"here\" '\n", "--output=it is \"here\" ", "one in single quotes");
  reads("Output_path = \"say \\\"a\\\\b\\\"\"\n", "--output=say \"a\\b\"", "quotes within quotes");
  reads("Output_path = a b.npy\n", "--output=a b.npy", "a blank within a value");
  refuses("\nOutput_path = a#b.npy\n", "job.txt:2:16", "a # within a name without quotes");
  refuses("Output_path = \"a.npy\n", "job.txt:1:15: the quote is not closed", "an open quote");
  refuses("Output_path = \"a\" b\n", "job.txt:1:19: 'b'", "a word behind the quote");
  refuses("Output_path = \"\"\n", "no value", "an empty value in quotes");
  refuses("size\nquiet\n", "job.txt:1:1: no value for 'size'",
          "an option that needs a value and has none");
  refuses("quiet = yes\n", "job.txt:1:9: 'quiet' takes no value",
          "a value for an option that takes none");
  refuses("  Job_Colour = red\n", "job.txt:1:3: 'Job_Colour' is neither", "an unknown name");
  refuses("job = other.txt\n", "neither", "a job file within a job file");
  return tap_done();
}
