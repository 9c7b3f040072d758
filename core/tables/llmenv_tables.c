/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making a table: its definition, its rows, its cells, its caption. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "llmenv_engine.h"
#include "llmenv_json.h"
#include "tables.h"

/* ---- definitions ------------------------------------------------------- */

static const llmenv_definition *
definition_at (size_t i)
{
  const struct { const llmenv_definition *list; size_t n; } lists[] = {
    { llmenv_tables_document_000, llmenv_n_tables_document_000 },
    { llmenv_tables_document_003, llmenv_n_tables_document_003 },
    { llmenv_tables_crossovers, llmenv_n_tables_crossovers },
    { llmenv_tables_records, llmenv_n_tables_records },
    { llmenv_tables_claims, llmenv_n_tables_claims },
  };
  for (size_t k = 0; k < N_OF (lists); k++)
    if (i < lists[k].n)
      return &lists[k].list[i];
    else
      i -= lists[k].n;
  return NULL;
}

const llmenv_table_info *
llmenv_table_get (size_t i)
{
  const llmenv_definition *d = definition_at (i);
  return d == NULL ? NULL : &d->info;
}

llmenv_status
llmenv_table_list (llmenv_table **table, llmenv_error *error)
{
  static const llmenv_column columns[] = {
    { "table", "", "name", LLMENV_TEXT_COLUMN, -1 },
    { "title", "", "what it shows", LLMENV_TEXT_COLUMN, -1 },
    { "group", "", "where it belongs", LLMENV_TEXT_COLUMN, -1 },
  };
  size_t n = 0;
  while (llmenv_table_get (n) != NULL)
    n++;
  llmenv_table *t = llmenv_table_new ("tables", "Tables", N_OF (columns), n);
  if (t == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  memcpy (t->columns, columns, sizeof columns);
  for (size_t i = 0; i < n; i++)
    {
      const llmenv_table_info *info = llmenv_table_get (i);
      *llmenv_table_cell (t, i, 0) = llmenv_text_cell (info->name);
      *llmenv_table_cell (t, i, 1) = llmenv_text_cell (info->title);
      *llmenv_table_cell (t, i, 2) = llmenv_text_cell (info->group);
    }
  *table = t;
  return LLMENV_OK;
}

static llmenv_status
find_definition (const char *name, const llmenv_definition **found,
                 llmenv_error *error)
{
  llmenv_nearest nearest;
  char shown[80], near[300];
  llmenv_nearest_start (&nearest, name);
  for (size_t i = 0; (*found = definition_at (i)) != NULL; i++)
    {
      if (strcmp ((*found)->info.name, name) == 0)
        return LLMENV_OK;
      llmenv_nearest_offer (&nearest, (*found)->info.name);
    }
  llmenv_printable (name, shown, sizeof shown);
  llmenv_nearest_text (&nearest, near, sizeof near);
  return llmenv_error_set (error, LLMENV_EBADOPTION, "no table '%s'%s", shown, near);
}

/* ---- caption ----------------------------------------------------------- */

static const char *
format_size (double bytes, char *text, size_t size)
{
  snprintf (text, size, "%.4g GB", bytes / 1e9);
  return text;
}

/* Append what FORMAT makes. */
__attribute__ ((format (printf, 3, 4)))
static void
append (char *text, size_t size, const char *format, ...)
{
  const size_t used = strlen (text);
  va_list args;
  va_start (args, format);
  vsnprintf (text + used, size - used, format, args);
  va_end (args);
}

/* Settings that are not the defaults: a figure must not hide them. */
static void
caption_add_settings (const llmenv_options *o, char *text, size_t size)
{
  const llmenv_settings *s = &o->settings;
  char memory[24];
  if (!isnan (s->memory))
    append (text, size, ", memory %s", format_size (s->memory, memory, sizeof memory));
  if (s->utilization < 1)
    append (text, size, ", utilization %g", s->utilization);
  if (s->bandwidth_efficiency < 1)
    append (text, size, ", bandwidth efficiency %g", s->bandwidth_efficiency);
  if (s->compute_efficiency < 1)
    append (text, size, ", compute efficiency %g", s->compute_efficiency);
  if (s->overhead > 0)
    append (text, size, ", overhead %g s", s->overhead);
  if (*o->state_type != '\0')
    append (text, size, ", state %s", o->state_type);
  if (s->engine.engine != LLMENV_ENGINE_IDEAL)
    append (text, size, ", allocated by %s (%.0f slots, %.0f ranks)",
            llmenv_engine_word (s->engine.engine), s->engine.slots, s->engine.ranks);
}

/* A whole number, or what is too long for one with six digits. */
static const char *
format_count (double x, char text[24])
{
  snprintf (text, 24, fabs (x) < 1e15 ? "%.0f" : "%.6g", x);
  return text;
}

void
llmenv_caption_make (const llmenv_options *o, int as_printed, char *text, size_t size)
{
  static const char *const bases[] = { "", "active", "touched", "resident" };
  const llmenv_settings *s = &o->settings;
  const int published = s->convention == LLMENV_PUBLISHED;
  char count[24] = "", weights[48] = "", reserve[24], contexts[200] = "context";
  char context[24], batch[24];
  if (*o->contexts != '\0')
    {
      const char *slash = strrchr (o->contexts, '/');
      snprintf (contexts, sizeof contexts, "contexts of %.120s, mean",
                slash == NULL ? o->contexts : slash + 1);
    }
  if (s->count > 1)
    snprintf (count, sizeof count, "%.0f x ", s->count);
  if (!isnan (s->weight_bytes))
    format_size (s->weight_bytes, weights, sizeof weights);
  snprintf (text, size,
            "%s%s, %s weights (%s), KV %s%s%s, %s arithmetic, card %s%s, %s %s, batch %s, reserve %s%s",
            published ? "published" : "layered", as_printed ? " as printed" : "",
            s->basis != LLMENV_BASIS_DEFAULT ? bases[s->basis]
            : published ? "active" : "touched",
            *weights != '\0' ? weights : *o->weight_type != '\0' ? o->weight_type
            : published ? "bf16" : "released format",
            o->k_type, strcmp (o->k_type, o->v_type) != 0 ? "/" : "",
            strcmp (o->k_type, o->v_type) != 0 ? o->v_type : "",
            o->compute_type, count, o->card, contexts, format_count (o->context, context),
            format_count (o->batch, batch),
            format_size (s->reserve, reserve, sizeof reserve),
            !published && s->embedding == LLMENV_STREAMED ? ", embedding streamed" : "");
  caption_add_settings (o, text, size);
}

void
llmenv_caption_narrowed (const llmenv_request *request, char *text, size_t size)
{
  const llmenv_catalogue *all = request->all, *part = request->catalogue;
  if (all != NULL && part->n_models < all->n_models)
    append (text, size, ", %zu of %zu models", part->n_models, all->n_models);
  if (all != NULL && part->n_cards < all->n_cards)
    append (text, size, ", %zu of %zu cards", part->n_cards, all->n_cards);
}

/* ---- from rows to cells ------------------------------------------------ */

static llmenv_status
make_cells (const llmenv_definition *d, const llmenv_build *build,
            const llmenv_rows *rows, llmenv_table **table, llmenv_error *error)
{
  const int as_printed = build->request->as_printed;
  llmenv_table *t
    = llmenv_table_new (d->info.name, d->info.title, d->n_columns, rows->n);
  if (t == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_column_def *kept[64];
  size_t n = 0;
  for (size_t c = 0; c < d->n_columns && n < N_OF (kept); c++)
    if (!(as_printed && d->columns[c].whole_only))
      kept[n++] = &d->columns[c];
  t->n_columns = n;
  for (size_t c = 0; c < n; c++)
    t->columns[c] = (llmenv_column) { kept[c]->name, kept[c]->unit, kept[c]->note,
                                      kept[c]->kind, kept[c]->decimals };
  for (size_t r = 0; r < rows->n; r++)
    for (size_t c = 0; c < n; c++)
      *llmenv_table_cell (t, r, c) = kept[c]->cell (&rows->row[r], kept[c]);
  memcpy (t->defs, kept, n * sizeof *kept);
  for (size_t r = 0; r < rows->n; r++)
    t->rows[r] = llmenv_row_facts (&rows->row[r]);
  t->as_printed = as_printed;
  llmenv_caption_make (&build->request->options, as_printed, t->caption, sizeof t->caption);
  llmenv_caption_narrowed (build->request, t->caption, sizeof t->caption);
  *table = t;
  return LLMENV_OK;
}

/* ---- the shipped selections -------------------------------------------- */

static json_t *
read_shipped (const char *name, llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  return llmenv_data_file (name, path, error) == LLMENV_OK
         ? llmenv_json_read (path, error) : NULL;
}

static llmenv_status
select_printed (llmenv_build *build, const char *name, llmenv_error *error)
{
  if (!build->request->as_printed)
    return LLMENV_OK;
  build->selection
    = json_object_get (json_object_get (build->printed, "tables"), name);
  if (build->selection == NULL)
    return llmenv_error_set (error, LLMENV_EBADOPTION,
                             "table %s is not one that document 003 prints", name);
  return LLMENV_OK;
}

static llmenv_status
build_table (const llmenv_definition *d, llmenv_build *build,
             llmenv_table **table, llmenv_error *error)
{
  llmenv_rows rows = { NULL, 0 };
  json_t *claims = NULL;
  llmenv_status st = select_printed (build, d->info.name, error);
  if (st == LLMENV_OK)
    st = llmenv_claims_of_table (d->info.name, build->request->catalogue, &claims, error);
  build->claims = claims;
  if (st == LLMENV_OK)
    st = d->rows (build, &rows, error);
  if (st == LLMENV_OK)
    st = make_cells (d, build, &rows, table, error);
  free (rows.row);
  json_decref (claims);
  return st;
}

/* Tables of what a document says, which stay whole whatever a request is
 * narrowed to; so do those as printed. */
static int
is_of_documents (const char *name)
{
  return strcmp (name, "misprints") == 0 || strncmp (name, "claims_", 7) == 0;
}

llmenv_status
llmenv_table_make (const char *name, const llmenv_request *request,
                   llmenv_table **table, llmenv_error *error)
{
  const llmenv_definition *d;
  llmenv_request own = *request;
  LLMENV_TRY (find_definition (name, &d, error));
  if ((own.as_printed || is_of_documents (name)) && own.all != NULL)
    {
      own.catalogue = own.all;
      own.all = NULL;
    }
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  /* As printed implies the convention that was printed. */
  if (own.as_printed)
    {
      own.options.settings.convention = LLMENV_PUBLISHED;
      own.points = NULL;
    }
  json_t *printed = read_shipped ("printed.json", error);
  json_t *document_000 = printed == NULL ? NULL
                         : read_shipped ("document_000.json", error);
  json_t *misprints = document_000 == NULL ? NULL
                      : read_shipped ("misprints.json", error);
  llmenv_build build = { &own, NULL, printed, document_000, misprints, NULL };
  const llmenv_status st = misprints == NULL ? error->status
                           : build_table (d, &build, table, error);
  json_decref (printed);
  json_decref (document_000);
  json_decref (misprints);
  return st;
}
