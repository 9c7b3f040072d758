/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command: arguments in, a table or a workbook out.
 * Exit status: 0 good, 1 a check failed, 2 bad usage or input. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "claims.h"
#include "llmenv_audit.h"
#include "llmenv_help.h"
#include "llmenv_inputs.h"
#include "llmenv_own.h"
#include "llmenv_render.h"
#include "llmenv_report.h"
#include "llmenv_select.h"
#include "llmenv_summary.h"
#include "llmenv_sweep.h"

#ifndef LLMENV_VERSION
#define LLMENV_VERSION "0"
#endif

typedef enum { AS_TEXT, AS_CSV, AS_JSON } format;

enum { MOST_ARGUMENTS = 1024, MOST_OWN = 8 };

/* What the command line asks for. */
typedef struct
{
  const char *verb;
  const char *argument[MOST_ARGUMENTS];
  int n_arguments;
  const char *vary[LLMENV_MAX_AXES]; /* of sweep and solve */
  size_t n_vary;
  const char *own[MOST_OWN];   /* paths of models to add */
  size_t n_own;
  const char *models, *cards, *tables, *from, *to, *whole;
  llmenv_selection selection;  /* models, cards and tables as lists */
  llmenv_inputs inputs;        /* of the workbook; the request's */
  llmenv_request request;
  llmenv_catalogue *catalogue; /* request.catalogue, to add to */
  format format;
  int descending, help, save;
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

/* Options of single commands, beside those of llmenv_options. */
static const struct
{
  const char *name;
  size_t offset;               /* of the text in the invocation */
} own_options[] = {
  { "models", offsetof (invocation, models) },
  { "cards", offsetof (invocation, cards) },
  { "tables", offsetof (invocation, tables) },
  { "from", offsetof (invocation, from) },
  { "to", offsetof (invocation, to) },
  { "whole", offsetof (invocation, whole) },
};
enum { N_OWN_OPTIONS = sizeof own_options / sizeof *own_options };

static int
takes_value (const char *name)
{
  for (int i = 0; i < N_OWN_OPTIONS; i++)
    if (strcmp (own_options[i].name, name) == 0)
      return 1;
  return strcmp (name, "direction") == 0 || strcmp (name, "vary") == 0
         || strcmp (name, "own") == 0 || strcmp (name, "inputs") == 0 || llmenv_option_find (name) >= 0;
}

static llmenv_status
add_own (invocation *in, const char *text, llmenv_error *error)
{
  if (in->n_own == MOST_OWN)
    return llmenv_error_set (error, LLMENV_EBADCALL, "at most %d models of one's own (--own)", MOST_OWN);
  in->own[in->n_own++] = text;
  return LLMENV_OK;
}

static llmenv_status
set_value (invocation *in, const char *name, const char *text, llmenv_error *error)
{
  for (int i = 0; i < N_OWN_OPTIONS; i++)
    if (strcmp (own_options[i].name, name) == 0)
      {
        *(const char **) (void *) ((char *) in + own_options[i].offset) = text;
        return LLMENV_OK;
      }
  if (strcmp (name, "direction") == 0)
    return set_direction (in, text, error);
  if (strcmp (name, "own") == 0)
    return add_own (in, text, error);
  if (strcmp (name, "inputs") == 0)
    return llmenv_inputs_read (text, &in->inputs, &in->request.options, error);
  if (strcmp (name, "vary") != 0)
    return llmenv_option_set_text (&in->request.options, name, text, error);
  if (in->n_vary == LLMENV_MAX_AXES)
    return llmenv_error_set (error, LLMENV_EBADCALL, "at most two inputs can be varied");
  in->vary[in->n_vary++] = text;
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
  else if (strcmp (name, "values") == 0)
    in->request.values_only = 1;
  else if (strcmp (name, "save") == 0)
    in->save = 1;
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
  if (value != NULL)
    value++;
  else if (takes_value (name) && *i + 1 < argc)
    value = argv[++*i];
  else if (takes_value (name))
    return llmenv_error_set (error, LLMENV_EBADOPTION, "option --%s needs a value", name);
  return set_value (in, name, value == NULL ? "" : value, error);
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
    else if (in->n_arguments < (strcmp (in->verb, "audit") == 0 ? MOST_ARGUMENTS
                                : LLMENV_QUANTITY_COUNT))
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

/* ---- models that are paths --------------------------------------------- */

static void
put_notes (const llmenv_import_notes *notes)
{
  for (size_t i = 0; i < notes->n; i++)
    fprintf (stderr, "llmenv: note: %s\n", notes->line[i]);
}

static llmenv_status
add_path (const invocation *in, const char *text, llmenv_error *error)
{
  llmenv_import_notes notes = { .n = 0 };
  LLMENV_TRY (llmenv_own_add (in->catalogue, text, &notes, error));
  put_notes (&notes);
  return LLMENV_OK;
}

/* A model of one's own joins the catalogue, and the models listed. */
static llmenv_status
add_named_path (invocation *in, const char *text, llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  if (access (text, F_OK) != 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "--own: %.400s: %s", text,
                             strerror (errno));
  /* A name alone is a path here. */
  snprintf (path, sizeof path, "%s%s", llmenv_own_looks_like_path (text) ? "" : "./", text);
  LLMENV_TRY (add_path (in, path, error));
  return in->models == NULL ? LLMENV_OK
         : llmenv_names_add (&in->selection.models, "--own", path, error);
}

/* Every model of the command line that is a path joins the catalogue. */
static llmenv_status
add_paths (invocation *in, llmenv_error *error)
{
  const llmenv_names *models = &in->selection.models;
  llmenv_import_notes notes = { .n = 0 };
  LLMENV_TRY (llmenv_own_resolve (in->catalogue, &in->request.options, &notes, error));
  put_notes (&notes);
  for (size_t i = 0; i < models->n; i++)
    LLMENV_TRY (add_path (in, models->name[i], error));
  for (size_t i = 0; i < in->n_own; i++)
    LLMENV_TRY (add_named_path (in, in->own[i], error));
  return LLMENV_OK;
}

/* The texts of --models, --cards and --tables as lists. */
static llmenv_status
read_lists (invocation *in, llmenv_error *error)
{
  llmenv_selection *s = &in->selection;
  if (in->models != NULL)
    LLMENV_TRY (llmenv_names_split (&s->models, "--models", in->models, error));
  if (in->cards != NULL)
    LLMENV_TRY (llmenv_names_split (&s->cards, "--cards", in->cards, error));
  return in->tables == NULL ? LLMENV_OK
         : llmenv_names_split (&s->tables, "--tables", in->tables, error);
}

/* ---- verbs ------------------------------------------------------------- */

static llmenv_status
run_table (const invocation *in, llmenv_error *error)
{
  llmenv_table *list;
  if (in->n_arguments == 1)
    return make_and_put (in, in->argument[0], error);
  if (in->format == AS_TEXT)
    {
      llmenv_help_tables (stdout);
      return check_output (error);
    }
  LLMENV_TRY (llmenv_table_list (&list, error));
  return put_table (in, list, NULL, error);
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

/* One line: how many claims have each verdict. */
static llmenv_status
put_verdicts (const invocation *in, llmenv_error *error)
{
  llmenv_claims_counts n;
  LLMENV_TRY (llmenv_claims_summary (in->request.catalogue, &n, error));
  printf ("\n%zu claims, %zu do not hold:", n.claims, n.failing);
  for (int v = 0; v < LLMENV_VERDICT_COUNT; v++)
    printf ("%s %zu %s", v > 0 ? "," : "", n.of[v], llmenv_verdict_word ((llmenv_verdict) v));
  printf ("\n");
  return check_output (error);
}

/* The claims of one document, or of both. */
static llmenv_status
run_claims (const invocation *in, llmenv_error *error)
{
  static const char *const documents[] = { "000", "003" };
  int found = 0;
  const int json_list = in->format == AS_JSON && in->n_arguments == 0;
  if (in->format == AS_CSV && in->n_arguments == 0)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "--csv takes one document: llmenv claims 000 or llmenv claims 003");
  for (size_t i = 0; i < 2; i++)
    {
      char name[16];
      if (in->n_arguments > 0 && strcmp (in->argument[0], documents[i]) != 0)
        continue;
      if (json_list)
        putchar (found == 0 ? '[' : ',');
      else if (found > 0)
        putchar ('\n');
      found++;
      snprintf (name, sizeof name, "claims_%s", documents[i]);
      LLMENV_TRY (make_and_put (in, name, error));
    }
  if (found == 0)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "no document '%.20s', expected 000 or 003", in->argument[0]);
  if (json_list)
    puts ("]");
  return in->format == AS_TEXT ? put_verdicts (in, error) : check_output (error);
}

static llmenv_status
run_show (const invocation *in, llmenv_error *error)
{
  llmenv_table *table;
  invocation own = *in;
  llmenv_request *request = &own.request;
  LLMENV_TRY (llmenv_option_set_text (&request->options, "Model", in->argument[0], error));
  LLMENV_TRY (add_path (in, in->argument[0], error));
  if (in->n_arguments > 1)
    LLMENV_TRY (llmenv_option_set_text (&request->options, "Card", in->argument[1], error));
  LLMENV_TRY (llmenv_options_resolve (&request->options, request->catalogue, error));
  if (in->format == AS_TEXT)
    {
      LLMENV_TRY (llmenv_show_text (request, stdout, error));
      return check_output (error);
    }
  LLMENV_TRY (llmenv_show_make (request, &table, error));
  return put_table (&own, table, show_head (&request->options), error);
}

static llmenv_status
run_sweep (const invocation *in, llmenv_error *error)
{
  llmenv_table *table;
  const llmenv_sweep sweep = {
    in->argument, (size_t) in->n_arguments, in->vary, in->n_vary, in->models, in->cards,
  };
  LLMENV_TRY (llmenv_sweep_make (&sweep, &in->request, &table, error));
  return put_table (in, table, NULL, error);
}

/* End of the bracket: of the option, or DEFAULT. */
static llmenv_status
read_end (const char *name, const char *text, double *value, llmenv_error *error)
{
  if (text != NULL && llmenv_parse_number (text, value))
    return LLMENV_OK;
  return llmenv_error_set (error, LLMENV_EBADOPTION, text == NULL
                           ? "solve needs --from and --to, the range of the input (no --%s)"
                           : "option --%s: '%.60s' is no number", name, text);
}

static llmenv_status
run_solve (const invocation *in, llmenv_error *error)
{
  llmenv_table *table;
  llmenv_question question = {
    .quantity = in->argument[0], .target = in->argument[1], .whole = in->whole,
    .models = in->models, .cards = in->cards,
  };
  if (in->n_vary != 1)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "solve varies one input: --vary kv_bytes --from 0.28 --to 4");
  question.input = in->vary[0];
  LLMENV_TRY (read_end ("from", in->from, &question.lo, error));
  LLMENV_TRY (read_end ("to", in->to, &question.hi, error));
  LLMENV_TRY (llmenv_solve_make (&question, &in->request, &table, error));
  return put_table (in, table, NULL, error);
}

static llmenv_status
run_report (const invocation *in, llmenv_error *error)
{
  llmenv_inputs inputs = in->inputs;
  llmenv_request request = in->request;
  LLMENV_TRY (llmenv_inputs_resolve (&inputs, in->catalogue, error));
  request.inputs = &inputs;
  return llmenv_report_write (in->argument[0], &request, error);
}

/* A check that fails: the table is out, the exit status is 1. */
enum { CHECK_FAILED = LLMENV_STATUS_COUNT };

static llmenv_status
run_audit (const invocation *in, llmenv_error *error)
{
  llmenv_audit audit = { NULL, 0, 0 };
  llmenv_table *table;
  size_t unexplained = 0;
  llmenv_status st = in->n_arguments > 0 ? LLMENV_OK
                     : llmenv_audit_add_all (&audit, in->request.catalogue, error);
  for (int i = 0; i < in->n_arguments && st == LLMENV_OK; i++)
    {
      llmenv_import_notes notes = { .n = 0 };
      st = llmenv_audit_add (&audit, in->argument[i], &notes, error);
      if (st == LLMENV_OK)
        put_notes (&notes);
    }
  if (st == LLMENV_OK)
    st = llmenv_audit_make (&audit, &in->request, &table, &unexplained, error);
  if (st == LLMENV_OK)
    st = put_table (in, table, NULL, error);
  llmenv_audit_free (&audit);
  return st != LLMENV_OK ? st : unexplained > 0 ? (llmenv_status) CHECK_FAILED : LLMENV_OK;
}

static llmenv_status
put_import (const invocation *in, json_t *json, llmenv_error *error)
{
  llmenv_model_record *record;
  char saved[LLMENV_PATH_SIZE] = "";
  if (in->save)
    LLMENV_TRY (llmenv_own_save (json, in->request.catalogue, saved, error));
  if (in->save)
    fprintf (stderr, "llmenv: saved as %s in %s\n", llmenv_record_text (json, "id"), saved);
  if (in->format == AS_JSON)
    {
      json_dumpf (json, stdout, JSON_INDENT (2) | JSON_REAL_PRECISION (17));
      putchar ('\n');
      return check_output (error);
    }
  LLMENV_TRY (llmenv_model_record_make (json_incref (json), in->argument[0], &record, error));
  llmenv_summary_text (record, stdout);
  llmenv_model_record_free (record);
  return check_output (error);
}

static llmenv_status
run_import (const invocation *in, llmenv_error *error)
{
  llmenv_import_notes notes = { .n = 0 };
  json_t *json;
  if (in->format == AS_CSV)
    return llmenv_error_set (error, LLMENV_EBADCALL, "import prints a summary or --json, not --csv");
  LLMENV_TRY (llmenv_import_path (in->argument[0], &json, &notes, error));
  put_notes (&notes);
  const llmenv_status st = put_import (in, json, error);
  json_decref (json);
  return st;
}

static const struct
{
  const char *name;
  int least, most;             /* arguments */
  int narrows;                 /* lists choose the records that it shows */
  llmenv_status (*run) (const invocation *in, llmenv_error *error);
} verbs[] = {
  { "report", 1, 1, 1, run_report },
  { "models", 0, 0, 1, run_models },
  { "cards", 0, 0, 1, run_cards },
  { "show", 1, 2, 0, run_show },
  { "table", 0, 1, 1, run_table },
  { "rank", 1, 1, 1, run_rank },
  { "claims", 0, 1, 0, run_claims },
  { "sweep", 1, LLMENV_QUANTITY_COUNT, 0, run_sweep },
  { "solve", 1, 2, 0, run_solve },
  { "audit", 0, MOST_ARGUMENTS, 0, run_audit },
  { "import", 1, 1, 0, run_import },
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

/* RUN with the records that the command line names in place. */
static llmenv_status
run_on_records (invocation *in, int narrows,
                llmenv_status (*run) (const invocation *in, llmenv_error *error),
                llmenv_error *error)
{
  llmenv_catalogue catalogue;
  llmenv_lengths lengths;
  LLMENV_TRY (llmenv_catalogue_load (&catalogue, error));
  in->request.catalogue = in->catalogue = &catalogue;
  llmenv_status st = llmenv_request_contexts (&in->request, &lengths, error);
  if (st == LLMENV_OK)
    st = read_lists (in, error);
  if (st == LLMENV_OK)
    st = add_paths (in, error);
  if (st == LLMENV_OK && narrows)
    st = llmenv_request_narrow (&in->request, &in->selection, error);
  if (st == LLMENV_OK)
    st = run (in, error);
  llmenv_lengths_free (&lengths);
  llmenv_selection_free (&in->selection);
  llmenv_catalogue_free (&catalogue);
  return st;
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
      return run_on_records (in, verbs[i].narrows, verbs[i].run, error);
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
  invocation in = { .inputs = llmenv_inputs_default (),
                    .request = { .options = llmenv_options_default () } };
  in.request.inputs = &in.inputs;
  in.request.points = in.inputs.points;
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
  if (st == LLMENV_OK || st == (llmenv_status) CHECK_FAILED)
    return st == LLMENV_OK ? 0 : 1;
  fprintf (stderr, "llmenv: %s\n", error.text);
  return 2;
}
