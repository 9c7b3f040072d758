/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_contents.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_builder.h"
#include "sheet_table.h"

enum { N_COLUMNS = 5, LINE_LENGTH = 138 };

/* Where the next line goes. */
typedef struct
{
  const sheet_plan *plan;
  xl_sheet *xl;
  size_t row;
} page;

/* ---- reading the tables ------------------------------------------------ */

/* The finite values of a column above a bound. */
typedef struct
{
  size_t n, n_low;             /* all finite ones; those at or under the bound */
  size_t under_100, under_1000;
  double least, most;
  const char *least_id, *most_id;
} extent;

static const llmenv_table *
table_of (const page *p, const char *name)
{
  return sheet_plan_table (p->plan, name);
}

static const char *
row_id (const llmenv_table *t, size_t row)
{
  for (size_t c = 0; c < t->n_columns; c++)
    if (llmenv_table_cell (t, row, c)->text != NULL)
      return llmenv_table_cell (t, row, c)->text;
  return "";
}

/* COLUMN of sheet NAME; least and most count only values above BOUND. */
static extent
extent_of (const page *p, const char *name, const char *column, double bound)
{
  extent e = { 0, 0, 0, 0, INFINITY, -INFINITY, "", "" };
  const llmenv_table *t = table_of (p, name);
  const int c = t == NULL ? -1 : llmenv_table_column (t, column);
  for (size_t r = 0; c >= 0 && r < t->n_rows; r++)
    {
      const llmenv_cell *cell = llmenv_table_cell (t, r, (size_t) c);
      if (!sheet_cell_is_number (cell))
        continue;
      e.n++;
      e.n_low += cell->number <= bound;
      e.under_100 += cell->number < 100;
      e.under_1000 += cell->number < 1000;
      if (cell->number > bound && cell->number < e.least)
        {
          e.least = cell->number;
          e.least_id = row_id (t, r);
        }
      if (cell->number > bound && cell->number > e.most)
        {
          e.most = cell->number;
          e.most_id = row_id (t, r);
        }
    }
  return e;
}

static size_t
count_reason (const page *p, const char *name, const char *column, llmenv_reason reason)
{
  size_t n = 0;
  const llmenv_table *t = table_of (p, name);
  const int c = t == NULL ? -1 : llmenv_table_column (t, column);
  for (size_t r = 0; c >= 0 && r < t->n_rows; r++)
    n += llmenv_table_cell (t, r, (size_t) c)->text == NULL
         && llmenv_table_cell (t, r, (size_t) c)->reason == reason;
  return n;
}

static size_t
count_text (const page *p, const char *name, const char *column, const char *text)
{
  size_t n = 0;
  const llmenv_table *t = table_of (p, name);
  const int c = t == NULL ? -1 : llmenv_table_column (t, column);
  for (size_t r = 0; c >= 0 && r < t->n_rows; r++)
    {
      const char *own = llmenv_table_cell (t, r, (size_t) c)->text;
      n += own != NULL && strcmp (own, text) == 0;
    }
  return n;
}

static size_t
count_rows (const page *p, const char *name)
{
  const llmenv_table *t = table_of (p, name);
  return t == NULL ? 0 : t->n_rows;
}

/* The number in COLUMN of the row that begins with ID, or NaN. */
static double
value_of (const page *p, const char *name, const char *column, const char *id)
{
  const llmenv_table *t = table_of (p, name);
  const int c = t == NULL ? -1 : llmenv_table_column (t, column);
  for (size_t r = 0; c >= 0 && r < t->n_rows; r++)
    if (strcmp (row_id (t, r), id) == 0
        && sheet_cell_is_number (llmenv_table_cell (t, r, (size_t) c)))
      return llmenv_table_cell (t, r, (size_t) c)->number;
  return NAN;
}

/* Models of which the two conventions disagree by more than a tenth in Q. */
static size_t
count_differing (const page *p, const char *published, const char *layered)
{
  size_t n = 0;
  const llmenv_table *t = table_of (p, SHEET_BOTH);
  const int a = t == NULL ? -1 : llmenv_table_column (t, published);
  const int b = t == NULL ? -1 : llmenv_table_column (t, layered);
  for (size_t r = 0; a >= 0 && b >= 0 && r < t->n_rows; r++)
    {
      const llmenv_cell *x = llmenv_table_cell (t, r, (size_t) a);
      const llmenv_cell *y = llmenv_table_cell (t, r, (size_t) b);
      n += sheet_cell_is_number (x) && sheet_cell_is_number (y)
           && fabs (x->number - y->number) > 0.1 * fmax (fabs (x->number), fabs (y->number));
    }
  return n;
}

/* ---- writing ----------------------------------------------------------- */

/* One line over all columns, wrapped. */
__attribute__ ((format (printf, 2, 3))) static void
say (page *p, const char *format, ...)
{
  char text[1200];
  const xl_style style = { .flags = XL_WRAP };
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  xl_merged (p->xl, p->row++, 0, N_COLUMNS - 1,
             1 + 15 * ceil ((double) xl_length (text) / LINE_LENGTH), text, &style);
}

/* "1 model", "3 models". */
typedef struct { char text[48]; } counted;

static counted
count_of (size_t n, const char *noun)
{
  counted c;
  snprintf (c.text, sizeof c.text, "%zu %s%s", n, noun, n == 1 ? "" : "s");
  return c;
}

/* Append NAME to the list TEXT. */
static void
add_name (char *text, size_t size, const char *name, const char *more)
{
  const size_t used = strlen (text);
  snprintf (text + used, size - used, "%s%s%s", used > 0 ? ", " : "", name, more);
}

/* Tables asked for that have no rows, one a line of the list; both conventions
 * of a table under its name alone. */
static void
say_empty (page *p)
{
  char text[1000] = "";
  const llmenv_table_info *info;
  for (size_t i = 0; (info = llmenv_table_get (i)) != NULL; i++)
    {
      char layered[64];
      snprintf (layered, sizeof layered, "%s layered", info->name);
      const int has_one = table_of (p, info->name) != NULL;
      const int has_other = table_of (p, layered) != NULL;
      /* Tables of the documents are pairs; claims, which are none, have rows. */
      const int is_pair = strncmp (info->group, "document", 8) == 0 && strncmp (info->name, "claims_", 7) != 0;
      if (!sheet_plan_wants (p->plan, info->name))
        continue;
      if (!has_one)
        add_name (text, sizeof text, info->name, has_other ? " (published)" : "");
      else if (is_pair && !has_other)
        add_name (text, sizeof text, info->name, " (layered)");
    }
  if (*text != '\0')
    say (p, "Left out, as they would have no rows: %s.", text);
}

/* What the workbook was narrowed to. */
static void
say_scope (page *p)
{
  const llmenv_request *r = p->plan->request;
  const int whole = table_of (p, "misprints") != NULL || table_of (p, "claims_000") != NULL
                    || table_of (p, "claims_003") != NULL;
  char part[100] = "";
  llmenv_caption_narrowed (r, part, sizeof part);
  if (*part != '\0')
    say (p, "Narrowed to %s.%s%s", part + strlen (", "),
         whole ? " Claims and misprints are about the documents and stay whole." : "",
         r->as_printed ? " So do tables as printed." : "");
  if (r->n_tables > 0)
    say (p, "It holds only the tables that were asked for.");
  say_empty (p);
}

static void
say_what (page *p)
{
  const extent cache = extent_of (p, SHEET_MODELS, "kv_bytes", -1);
  const size_t models = count_rows (p, SHEET_MODELS), silent = models - cache.n;
  const llmenv_request *r = p->plan->request;
  char records[100] = "";
  if (r->all == NULL)
    snprintf (records, sizeof records, "%zu models and %zu cards are on record. ",
              r->catalogue->n_models, r->catalogue->n_cards);
  if (models > 0 && silent == 0)
    say (p, "%sThe cache of %s can be computed.", records, count_of (models, "model").text);
  else if (models > 0)
    say (p, "%sThe cache of %s can be computed; %zu %s \"no record\" or \"not applicable\"%s.",
         records, count_of (cache.n, "model").text, silent, silent == 1 ? "answers" : "answer",
         table_of (p, "no_record") != NULL ? ", and sheet no_record says why" : "");
  if (r->n_tables == 0)
    say (p, "The documents' tables stand here twice: published (their closed formulas, on the values they use) "
         "and layered (exact sums over layers, %s corrected). %zu printed cells are misprints.",
         count_of (count_text (p, "corrections", "applied", "yes"), "value").text, count_rows (p, "misprints"));
}

static void
say_cards (page *p)
{
  const extent ridge = extent_of (p, "ridge layered", "ridge_flop_per_byte", 0);
  const double own = value_of (p, SHEET_CARDS, "ridge", p->plan->card->id);
  const sheet *cards = sheet_plan_find (p->plan, SHEET_CARDS);
  const double count = p->plan->request->options.settings.count;
  if (ridge.n > 1)
    say (p, "The ridge points of %zu cards run from %s FLOP/byte (%s) to %s (%s).", ridge.n,
         xl_figure_of (ridge.least, 1).text, ridge.least_id,
         xl_figure_of (ridge.most, 1).text, ridge.most_id);
  if (cards != NULL)
    say (p, "The card of this workbook is %s%s%s: ridge %s FLOP/byte, memory %s GB.",
         count > 1 ? xl_figure_of (count, 0).text : "", count > 1 ? " x " : "",
         p->plan->card->id, xl_figure_of (own, 1).text, xl_figure_of (cards->memory_gb, 1).text);
}

static void
say_walls (page *p)
{
  const extent own = extent_of (p, "lwall_ranked layered", "l_wall", 0);
  const extent other = extent_of (p, "lwall_ranked", "l_wall", 0);
  if (own.n == 0)
    return;
  say (p, "Past its wall no batch brings a model to the ridge of %s. The wall lies under 100 tokens for %zu and under "
       "1,000 for %zu of %s in layered; for %zu and %zu of %zu in published.", p->plan->card->id,
       own.under_100, own.under_1000, count_of (own.n, "model").text, other.under_100, other.under_1000, other.n);
  if (own.n_low > 0)
    say (p, "In layered %s %s at 0: even without a cache the step stays under the ridge.",
         count_of (own.n_low, "wall").text, own.n_low == 1 ? "is" : "are");
  if (own.n - own.n_low > 1)
    say (p, "The shortest wall%s is %s tokens (%s), the longest %s (%s).", own.n_low > 0 ? " above 0" : "",
         xl_figure_of (floor (own.least), 0).text, own.least_id,
         xl_figure_of (floor (own.most), 0).text, own.most_id);
  if (table_of (p, SHEET_BOTH) != NULL)
    say (p, "The conventions differ by more than a tenth in the wall of %s and in the cache bytes of %zu: "
         "sheet both conventions shades them.",
         count_of (count_differing (p, "l_wall published", "l_wall layered"), "model").text,
         count_differing (p, "kv_bytes published", "kv_bytes layered"));
}

/* The fastest, the request's own and the slowest. */
static void
say_speed (page *p)
{
  const llmenv_options *o = &p->plan->request->options;
  const extent speed = extent_of (p, SHEET_MODELS, "throughput", 0);
  const double own = value_of (p, SHEET_MODELS, "throughput", p->plan->model->id);
  char mine[200] = "", slowest[200] = "";
  if (!isfinite (speed.least))
    return;
  if (isfinite (own) && strcmp (p->plan->model->id, speed.most_id) != 0
      && strcmp (p->plan->model->id, speed.least_id) != 0)
    snprintf (mine, sizeof mine, ", %s with %.120s", xl_figure_of (own, 1).text, p->plan->model->id);
  if (speed.least < speed.most)
    snprintf (slowest, sizeof slowest, "%s and %s with %.120s", *mine != '\0' ? "," : "",
              xl_figure_of (speed.least, 1).text, speed.least_id);
  say (p, "At batch %s and %s tokens a step gives at most %s tokens/s with %s%s%s.",
       xl_figure_of (o->batch, 0).text, xl_figure_of (o->context, 0).text,
       xl_figure_of (speed.most, 1).text, speed.most_id, mine, slowest);
}

static void
say_models (page *p)
{
  const extent k = extent_of (p, "cheap_end layered", "kv_kib_per_tok", 0);
  const extent fits = extent_of (p, SHEET_MODELS, "capacity", 0);
  const size_t too_large = count_reason (p, SHEET_MODELS, "capacity", LLMENV_DOES_NOT_FIT);
  if (k.n > 1)
    say (p, "One token adds from %s KiB of cache (%s) to %s KiB (%s), %s times as much.",
         xl_figure_of (k.least, 1).text, k.least_id, xl_figure_of (k.most, 1).text,
         k.most_id, xl_figure_of (k.most / k.least, 0).text);
  if (isfinite (fits.most))
    say (p, "%s %s not fit in the memory of %s; of those that do, %s holds the most sequences of %s tokens, %s.",
         count_of (too_large, "model").text, too_large == 1 ? "does" : "do", p->plan->card->id, fits.most_id,
         xl_figure_of (p->plan->request->options.context, 0).text, xl_figure_of (fits.most, 1).text);
  else if (too_large > 0)
    say (p, "%s %s not fit in the memory of %s, and no other is known to.",
         count_of (too_large, "model").text, too_large == 1 ? "does" : "do", p->plan->card->id);
  say_speed (p);
}

/* ---- the list of sheets ------------------------------------------------ */

static void
write_heading (page *p, const char *text)
{
  const xl_style style = { .flags = XL_BOLD | XL_BOTTOM, .size = 12, .color = 0x1F3A5F };
  xl_height (p->xl, p->row, 24);
  xl_text (p->xl, p->row++, 0, text, &style);
}

static void
write_entry (page *p, const sheet *s)
{
  const xl_style plain = { .flags = 0 };
  const xl_style count = { .number = xl_number_format (0) };
  xl_link (p->xl, p->row, 0, s->name, s->name);
  xl_text (p->xl, p->row, 1, s->title, &plain);
  if (s->group == SHEET_CONSUMER || s->group == SHEET_PUBLISHED || s->group == SHEET_LAYERED)
    xl_text (p->xl, p->row, 2,
             s->convention == LLMENV_PUBLISHED ? "published" : "layered", &plain);
  if (s->table != NULL)
    xl_number (p->xl, p->row, 3, (double) s->table->n_rows, &count);
  if (s->n_charts > 0)
    xl_number (p->xl, p->row, 4, s->n_charts, &count);
  p->row++;
}

/* Sheets of the live workbook: NAME, title; hidden ones have no link. */
static void
write_live (page *p, int hidden)
{
  static const struct { const char *name, *title; int hidden; } sheets[] = {
    { "Inputs", "What is assumed: change a yellow cell, and all figures follow", 0 },
    { "What-if", "Up to four models on up to four cards, side by side", 0 },
    { "Own model", "A model by its dimensions, and its whole envelope", 0 },
    { "Data models", "What formulas read of each model", 1 },
    { "Data cards", "What formulas read of each card", 1 },
    { "Data lists", "Storage types and bases to choose from", 1 },
    { "Calc models", "Every model on the card of the Inputs: one column a quantity", 1 },
    { "Calc cards", "Every card with the model of the Inputs", 1 },
    { "Calc tables", "Tables with rows of their own, What-if, own model, charts", 1 },
  };
  const xl_style plain = { .flags = 0 };
  write_heading (p, hidden ? "Behind the formulas: hidden sheets, to be shown with Unhide" : "Inputs and comparisons");
  for (size_t i = 0; i < N_OF (sheets); i++)
    if (sheets[i].hidden == hidden)
      {
        if (hidden)
          xl_text (p->xl, p->row, 0, sheets[i].name, &plain);
        else
          xl_link (p->xl, p->row, 0, sheets[i].name, sheets[i].name);
        xl_text (p->xl, p->row++, 1, sheets[i].title, &plain);
      }
}

/* Whether the lines below still hold. */
static void
say_live (page *p)
{
  static const char as_written[] = "Live: tables, rankings and charts are formulas. Change the yellow cells of sheet Inputs, "
    "and they follow.";
  const xl_style style = { .flags = XL_WRAP | XL_BOLD, .color = 0xC00000 };
  char formula[600];
  snprintf (formula, sizeof formula, "=IF(in_changed=0,\"%s\",\"Inputs were changed: tables and charts follow them, while "
            "the lines below describe the workbook as written. \"&in_words)", as_written);
  xl_merged (p->xl, p->row, 0, N_COLUMNS - 1, 31, as_written, &style);
  xl_formula_text (p->xl, p->row++, 0, formula, as_written, &style);
}

static void
write_list (page *p, int is_live)
{
  static const char *const names[N_COLUMNS] = { "sheet", "what it shows", "convention", "rows", "charts" };
  const xl_style head = { .flags = XL_HEAD }, right = { .flags = XL_HEAD | XL_RIGHT };
  for (size_t c = 0; c < N_COLUMNS; c++)
    xl_text (p->xl, p->row, c, names[c], c < 3 ? &head : &right);
  xl_height (p->xl, p->row++, 18);
  if (is_live)
    write_live (p, 0);
  for (int g = 0; g < SHEET_GROUP_COUNT; g++)
    {
      int seen = 0;
      for (size_t i = 0; i < p->plan->n; i++)
        if ((int) p->plan->sheets[i].group == g)
          {
            if (!seen++)
              write_heading (p, sheet_group_heading ((sheet_group) g));
            write_entry (p, &p->plan->sheets[i]);
          }
    }
  if (is_live)
    write_live (p, 1);
}

void
sheet_contents_write (const sheet_plan *plan, xl_sheet *xl, int is_live,
                      const char *why_not)
{
  static const double widths[N_COLUMNS] = { 26, 62, 13, 9, 9 };
  const xl_style title = { .flags = XL_BOLD, .size = 18 };
  page p = { plan, xl, 0 };
  for (size_t c = 0; c < N_COLUMNS; c++)
    xl_width (xl, c, widths[c]);
  xl_height (xl, 0, 28);
  xl_text (xl, p.row++, 0, "llmenv: the memory envelope of LLM inference", &title);
  say (&p, "%s", plan->caption);
  if (is_live)
    say_live (&p);
  else if (why_not != NULL)
    say (&p, "Values, no formulas: %s.", why_not);
  p.row++;
  say_scope (&p);
  say_what (&p);
  say_cards (&p);
  say_walls (&p);
  say_models (&p);
  p.row++;
  write_list (&p, is_live);
  worksheet_gridlines (xl->worksheet, LXW_HIDE_ALL_GRIDLINES);
  xl_print_setup (xl, -1, p.row, N_COLUMNS - 1);
}
