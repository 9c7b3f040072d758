/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command: arguments in, a table or a workbook out.
 * Exit status: 0 good, 1 a check failed, 2 bad usage or input. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "llmenv_help.h"
#include "llmenv_render.h"
#include "llmenv_report.h"

#ifndef LLMENV_VERSION
#define LLMENV_VERSION "0"
#endif

typedef enum { AS_TEXT, AS_CSV, AS_JSON } format;

/* What the command line asks for. */
typedef struct
{
  const char *verb;
  const char *argument[4];
  int n_arguments;
  llmenv_request request;
  format format;
  int descending, help;
} invocation;

/* ---- arguments --------------------------------------------------------- */

static llmenv_status
set_direction (invocation *in, const char *text, llmenv_error *error)
{
  if (strcmp (text, "ascending") != 0 && strcmp (text, "descending") != 0)
    return llmenv_error_set (error, LLMENV_EBADOPTION,
                             "option Direction: '%s' is not accepted, expected ascending or descending",
                             text);
  in->descending = strcmp (text, "descending") == 0;
  return LLMENV_OK;
}

static int
set_flag (invocation *in, const char *name)
{
  if (strcmp (name, "json") == 0)
    in->format = AS_JSON;
  else if (strcmp (name, "csv") == 0)
    in->format = AS_CSV;
  else if (strcmp (name, "as-printed") == 0)
    in->request.as_printed = 1;
  else if (strcmp (name, "help") == 0)
    in->help = 1;
  else
    return 0;
  return 1;
}

/* Option at ARGV[*I], without its dashes: "name=value" or "name" "value". */
static llmenv_status
read_option (invocation *in, int argc, char **argv, int *i, llmenv_error *error)
{
  char name[64];
  const char *text = argv[*i] + 2, *value = strchr (text, '=');
  const size_t n = value != NULL ? (size_t) (value - text) : strlen (text);
  if (n >= sizeof name)
    return llmenv_error_set (error, LLMENV_EBADOPTION, "no option '--%.40s...'", text);
  memcpy (name, text, n);
  name[n] = '\0';
  if (value == NULL && set_flag (in, name))
    return LLMENV_OK;
  const int is_direction = strcmp (name, "direction") == 0;
  if (value != NULL)
    value++;
  else if ((is_direction || llmenv_option_find (name) >= 0) && *i + 1 < argc)
    value = argv[++*i];
  else if (is_direction || llmenv_option_find (name) >= 0)
    return llmenv_error_set (error, LLMENV_EBADOPTION, "option --%s needs a value", name);
  if (is_direction)
    return set_direction (in, value, error);
  return llmenv_option_set_text (&in->request.options, name,
                                 value == NULL ? "" : value, error);
}

static llmenv_status
read_arguments (invocation *in, int argc, char **argv, llmenv_error *error)
{
  int options_end = 0;
  for (int i = 1; i < argc; i++)
    if (!options_end && strcmp (argv[i], "--") == 0)
      options_end = 1;
    else if (!options_end && strcmp (argv[i], "-h") == 0)
      in->help = 1;
    else if (!options_end && strncmp (argv[i], "--", 2) == 0)
      LLMENV_TRY (read_option (in, argc, argv, &i, error));
    else if (in->verb == NULL)
      in->verb = argv[i];
    else if (in->n_arguments < 4)
      in->argument[in->n_arguments++] = argv[i];
    else
      return llmenv_error_set (error, LLMENV_EBADCALL, "too many arguments: '%.80s'", argv[i]);
  return LLMENV_OK;
}

/* ---- output ------------------------------------------------------------ */

/* Nothing that was printed may be lost in silence. */
static llmenv_status
check_output (llmenv_error *error)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return LLMENV_OK;
  return llmenv_error_set (error, LLMENV_EBADFILE, "standard output: %s", strerror (errno));
}

static llmenv_status
put_table (const invocation *in, llmenv_table *table, json_t *head,
           llmenv_error *error)
{
  if (in->format == AS_JSON)
    llmenv_render_json (table, head, stdout);
  else if (in->format == AS_CSV)
    llmenv_render_csv (table, stdout);
  else
    llmenv_render_text (table, stdout);
  if (in->format != AS_JSON)
    json_decref (head);
  llmenv_table_free (table);
  return check_output (error);
}

static llmenv_status
make_and_put (const invocation *in, const char *name, llmenv_error *error)
{
  llmenv_table *table;
  LLMENV_TRY (llmenv_table_make (name, &in->request, &table, error));
  return put_table (in, table, NULL, error);
}

/* ---- verbs ------------------------------------------------------------- */

static llmenv_status
run_table (const invocation *in, llmenv_error *error)
{
  if (in->n_arguments == 1)
    return make_and_put (in, in->argument[0], error);
  llmenv_help_tables (stdout);
  return check_output (error);
}

static llmenv_status
run_models (const invocation *in, llmenv_error *error)
{
  return make_and_put (in, "models", error);
}

static llmenv_status
run_cards (const invocation *in, llmenv_error *error)
{
  return make_and_put (in, "cards", error);
}

static llmenv_status
run_rank (const invocation *in, llmenv_error *error)
{
  llmenv_table *table;
  LLMENV_TRY (llmenv_rank_make (in->argument[0], in->descending, &in->request,
                                &table, error));
  return put_table (in, table, NULL, error);
}

/* Options that were named on the command line or are defaults, by name. */
static json_t *
show_head (const llmenv_options *o)
{
  return json_pack ("{s:s, s:s, s:{s:s, s:f, s:f, s:s, s:s, s:s, s:f, s:f, s:f}}",
                    "model", o->model, "card", o->card, "options",
                    "Convention", o->settings.convention == LLMENV_PUBLISHED
                    ? "published" : "layered",
                    "Context", o->context, "Batch", o->batch,
                    "KType", o->k_type, "VType", o->v_type,
                    "WeightType", *o->weight_type != '\0' ? o->weight_type : "released",
                    "Reserve", o->settings.reserve,
                    "Utilization", o->settings.utilization,
                    "Count", o->settings.count);
}

static llmenv_status
run_show (const invocation *in, llmenv_error *error)
{
  llmenv_table *table;
  invocation own = *in;
  llmenv_request *request = &own.request;
  LLMENV_TRY (llmenv_option_set_text (&request->options, "Model", in->argument[0], error));
  if (in->n_arguments > 1)
    LLMENV_TRY (llmenv_option_set_text (&request->options, "Card", in->argument[1], error));
  if (in->format == AS_TEXT)
    {
      LLMENV_TRY (llmenv_show_text (request, stdout, error));
      return check_output (error);
    }
  LLMENV_TRY (llmenv_show_make (request, &table, error));
  return put_table (&own, table, show_head (&request->options), error);
}

static llmenv_status
run_report (const invocation *in, llmenv_error *error)
{
  return llmenv_report_write (in->argument[0], &in->request, error);
}

static const struct
{
  const char *name;
  int least, most;             /* arguments */
  llmenv_status (*run) (const invocation *in, llmenv_error *error);
} verbs[] = {
  { "report", 1, 1, run_report },
  { "models", 0, 0, run_models },
  { "cards", 0, 0, run_cards },
  { "show", 1, 2, run_show },
  { "table", 0, 1, run_table },
  { "rank", 1, 1, run_rank },
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static llmenv_status
no_verb (const char *name, llmenv_error *error)
{
  llmenv_nearest nearest;
  char shown[80], near[200];
  llmenv_nearest_start (&nearest, name);
  for (int i = 0; i < N_VERBS; i++)
    llmenv_nearest_offer (&nearest, verbs[i].name);
  llmenv_nearest_text (&nearest, near, sizeof near);
  llmenv_printable (name, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADCALL,
                           "no command '%s'%s; try 'llmenv --help'", shown, near);
}

static llmenv_status
run_verb (invocation *in, llmenv_error *error)
{
  for (int i = 0; i < N_VERBS; i++)
    {
      if (strcmp (verbs[i].name, in->verb) != 0)
        continue;
      if (in->help)
        {
          llmenv_help_verb (in->verb, stdout);
          return check_output (error);
        }
      if (in->n_arguments < verbs[i].least || in->n_arguments > verbs[i].most)
        return llmenv_error_set (error, LLMENV_EBADCALL, "usage: %s",
                                 llmenv_help_usage (in->verb));
      llmenv_catalogue catalogue;
      LLMENV_TRY (llmenv_catalogue_load (&catalogue, error));
      in->request.catalogue = &catalogue;
      const llmenv_status st = verbs[i].run (in, error);
      llmenv_catalogue_free (&catalogue);
      return st;
    }
  return no_verb (in->verb, error);
}

/* What the command says of itself, for people and for `make install`. */
static int
print_about (const char *flag)
{
  if (strcmp (flag, "--version") == 0)
    puts ("llmenv " LLMENV_VERSION);
  else if (strcmp (flag, "--man") == 0)
    llmenv_help_man (LLMENV_VERSION, stdout);
  else if (strcmp (flag, "--completion") == 0)
    llmenv_help_completion (stdout);
  else
    return 0;
  return 1;
}

int
main (int argc, char **argv)
{
  llmenv_error error = { LLMENV_OK, "" };
  invocation in = { .request = { .options = llmenv_options_default () } };
  gsl_set_error_handler_off ();
  llmenv_status st;
  if (argc == 2 && print_about (argv[1]))
    st = check_output (&error);
  else if ((st = read_arguments (&in, argc, argv, &error)) == LLMENV_OK)
    {
      if (in.verb == NULL && !in.help)
        st = llmenv_error_set (&error, LLMENV_EBADCALL,
                               "no command given; try 'llmenv --help'");
      else if (in.verb == NULL)
        {
          llmenv_help_all (stdout);
          st = check_output (&error);
        }
      else
        st = run_verb (&in, &error);
    }
  if (st == LLMENV_OK)
    return 0;
  fprintf (stderr, "llmenv: %s\n", error.text);
  return 2;
}
