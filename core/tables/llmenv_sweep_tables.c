/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps and crossovers of named models and cards, as tables. */
#include "llmenv_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"

/* ---- named models and cards -------------------------------------------- */

/* What a text of names stands for: records of the catalogue. */
typedef struct
{
  llmenv_model_record **models;
  llmenv_card_record **cards;
  size_t n_models, n_cards;
} named;

/* Split MODELS and CARDS at commas; COPY is room for both. */
static llmenv_status
resolve_lists (char *models, char *cards, const llmenv_catalogue *c, named *n,
               llmenv_error *error)
{
  char *save;
  if (strcmp (models, "all") == 0)
    for (; n->n_models < c->n_models; n->n_models++)
      n->models[n->n_models] = c->models[n->n_models];
  else
    for (char *name = strtok_r (models, ",", &save); name != NULL;
         name = strtok_r (NULL, ",", &save))
      LLMENV_TRY (llmenv_model_named (c, name, &n->models[n->n_models++], error));
  if (strcmp (cards, "all") == 0)
    for (; n->n_cards < c->n_cards; n->n_cards++)
      n->cards[n->n_cards] = c->cards[n->n_cards];
  else
    for (char *name = strtok_r (cards, ",", &save); name != NULL;
         name = strtok_r (NULL, ",", &save))
      LLMENV_TRY (llmenv_card_named (c, name, &n->cards[n->n_cards++], error));
  return n->n_models > 0 && n->n_cards > 0 ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADOPTION, "no models or no cards named");
}

static void
free_named (named *n)
{
  free (n->models);
  free (n->cards);
}

static llmenv_status
resolve (const char *models, const char *cards, const llmenv_request *request,
         named *n, llmenv_error *error)
{
  const llmenv_catalogue *c = request->catalogue;
  char *m = strdup (models != NULL ? models : request->options.model);
  char *a = strdup (cards != NULL ? cards : request->options.card);
  /* As many names as there are characters are not exceeded. */
  const size_t most_m = c->n_models + (m == NULL ? 0 : strlen (m)) + 1;
  const size_t most_a = c->n_cards + (a == NULL ? 0 : strlen (a)) + 1;
  *n = (named) { calloc (most_m, sizeof *n->models), calloc (most_a, sizeof *n->cards), 0, 0 };
  const llmenv_status st
    = m == NULL || a == NULL || n->models == NULL || n->cards == NULL
      ? llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory")
      : resolve_lists (m, a, c, n, error);
  free (m);
  free (a);
  if (st != LLMENV_OK)
    free_named (n);
  return st;
}

/* ---- the table of a sweep ---------------------------------------------- */

/* After which progress is told. */
enum { ROWS_AT_ONCE = 512 };

/* Six significant digits. */
static int
decimals_of (double x)
{
  if (!isfinite (x) || x == 0)
    return 0;
  const double digits = 5 - floor (log10 (fabs (x)));
  return digits < 0 ? 0 : digits > 9 ? 9 : (int) digits;
}

static llmenv_cell
number_cell (double x, llmenv_reason reason)
{
  return llmenv_number_cell (x, reason, decimals_of (x), LLMENV_NEAREST);
}

/* The usual caption, with what is varied, and no one card where rows have
 * theirs. */
static void
caption (const llmenv_request *request, const llmenv_input inputs[], size_t n,
         const named *who, llmenv_table *t)
{
  llmenv_options options = request->options;
  if (who->n_cards > 1)
    snprintf (options.card, sizeof options.card, "of the row");
  else
    snprintf (options.card, sizeof options.card, "%s", who->cards[0]->id);
  llmenv_caption_make (&options, 0, t->caption, sizeof t->caption);
  for (size_t i = 0; i < n; i++)
    {
      const size_t used = strlen (t->caption);
      snprintf (t->caption + used, sizeof t->caption - used, "%s%s",
                i == 0 ? "; varied: " : ", ", llmenv_input_get (inputs[i])->name);
    }
}

typedef struct
{
  llmenv_quantity q[LLMENV_QUANTITY_COUNT];
  size_t n_q;
  llmenv_axis axes[LLMENV_MAX_AXES];
  size_t n_axes;
  named who;
  size_t points;               /* of one model on one card */
} plan;

static llmenv_status
make_plan (const llmenv_sweep *s, plan *p, llmenv_error *error)
{
  if (s->n_quantities == 0 || s->n_quantities > LLMENV_QUANTITY_COUNT)
    return llmenv_error_set (error, LLMENV_EBADCALL, "between 1 and %d quantities",
                             LLMENV_QUANTITY_COUNT);
  if (s->n_vary < 1 || s->n_vary > LLMENV_MAX_AXES)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "vary one or two inputs (--vary kv_bytes=0.5:4:50:log)");
  for (size_t i = 0; i < s->n_quantities; i++)
    LLMENV_TRY (llmenv_quantity_named (s->quantities[i], &p->q[p->n_q++], error));
  p->points = 1;
  for (size_t i = 0; i < s->n_vary; i++)
    {
      LLMENV_TRY (llmenv_axis_parse (s->vary[i], &p->axes[i], error));
      p->points *= p->axes[p->n_axes++].n;
    }
  return LLMENV_OK;
}

static void
free_plan (plan *p)
{
  for (size_t i = 0; i < p->n_axes; i++)
    free (p->axes[i].value);
}

static void
name_columns (const plan *p, llmenv_table *t)
{
  size_t c = 0;
  t->columns[c++] = (llmenv_column) { "model", "", "id of the model", LLMENV_TEXT_COLUMN, -1 };
  t->columns[c++] = (llmenv_column) { "card", "", "id of the card", LLMENV_TEXT_COLUMN, -1 };
  for (size_t a = 0; a < p->n_axes; a++)
    {
      const llmenv_input_info *i = llmenv_input_get (p->axes[a].input);
      t->columns[c++] = (llmenv_column) { i->column, i->unit, i->help, LLMENV_NUMBER_COLUMN, -1 };
    }
  for (size_t q = 0; q < p->n_q; q++)
    {
      const llmenv_quantity_info *i = llmenv_quantity_get (p->q[q]);
      t->columns[c++] = (llmenv_column) { i->name, i->unit, i->formula, LLMENV_NUMBER_COLUMN, 2 };
    }
}

/* Rows of one pair, from ROW on. */
static void
put_rows (const plan *p, const char *model, const char *card,
          const llmenv_envelope *e, const double *values, llmenv_table *t, size_t row,
          llmenv_progress *progress)
{
  for (size_t i = 0; i < p->points; i++)
    {
      size_t c = 0, rest = i;
      if (i > 0 && i % ROWS_AT_ONCE == 0)
        llmenv_progress_add (progress, ROWS_AT_ONCE);
      *llmenv_table_cell (t, row + i, c++) = llmenv_text_cell (model);
      *llmenv_table_cell (t, row + i, c++) = llmenv_text_cell (card);
      for (size_t a = 0; a < p->n_axes; a++)
        {
          *llmenv_table_cell (t, row + i, c++)
            = number_cell (p->axes[a].value[rest % p->axes[a].n], LLMENV_HAS_VALUE);
          rest /= p->axes[a].n;
        }
      for (size_t q = 0; q < p->n_q; q++)
        {
          const double x = values[q * p->points + i];
          *llmenv_table_cell (t, row + i, c++)
            = number_cell (x, llmenv_quantity_reason (p->q[q], e, x));
        }
    }
}

static llmenv_status
fill_table (const plan *p, const llmenv_request *request, llmenv_table *t,
            double *values, llmenv_error *error)
{
  llmenv_progress progress;
  size_t row = 0;
  llmenv_progress_start (&progress, 2 * (double) t->n_rows);
  for (size_t m = 0; m < p->who.n_models; m++)
    for (size_t a = 0; a < p->who.n_cards; a++, row += p->points)
      {
        const llmenv_model_record *model = p->who.models[m];
        const llmenv_card_record *card = p->who.cards[a];
        const llmenv_point point
          = llmenv_point_make (&model->model, card, &request->options, request->contexts);
        llmenv_envelope e;
        llmenv_error cause;
        llmenv_status st = llmenv_sweep_fill (&point, p->q, p->n_q, p->axes, p->n_axes,
                                              values, &progress, &cause);
        if (st != LLMENV_OK)
          return llmenv_error_set (error, st, "%s: %s", model->id, cause.text);
        LLMENV_TRY (llmenv_point_envelope (&point, &e));
        put_rows (p, model->id, card->id, &e, values, t, row, &progress);
      }
  llmenv_progress_end (&progress);
  return LLMENV_OK;
}

static llmenv_status
make_sweep (plan *p, const llmenv_request *request, llmenv_table **table,
            llmenv_error *error)
{
  llmenv_table *t
    = llmenv_table_new ("sweep", "Quantities over inputs", 2 + p->n_axes + p->n_q,
                        p->points * p->who.n_models * p->who.n_cards);
  double *values = malloc (p->points * p->n_q * sizeof *values);
  llmenv_status st = t == NULL || values == NULL
                     ? llmenv_error_set (error, LLMENV_ETOOLARGE,
                                         "a sweep of %zu points for each model and card is more than memory holds",
                                         p->points)
                     : LLMENV_OK;
  if (st == LLMENV_OK)
    {
      name_columns (p, t);
      llmenv_input varied[LLMENV_MAX_AXES];
      for (size_t a = 0; a < p->n_axes; a++)
        varied[a] = p->axes[a].input;
      caption (request, varied, p->n_axes, &p->who, t);
      st = fill_table (p, request, t, values, error);
    }
  free (values);
  if (st == LLMENV_OK)
    *table = t;
  else if (t != NULL)
    llmenv_table_free (t);
  return st;
}

llmenv_status
llmenv_sweep_make (const llmenv_sweep *sweep, const llmenv_request *request,
                   llmenv_table **table, llmenv_error *error)
{
  plan p = { .n_q = 0 };
  llmenv_request own = *request;
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  llmenv_status st = make_plan (sweep, &p, error);
  if (st == LLMENV_OK)
    st = resolve (sweep->models, sweep->cards, &own, &p.who, error);
  if (st == LLMENV_OK)
    {
      st = make_sweep (&p, &own, table, error);
      free_named (&p.who);
    }
  free_plan (&p);
  return st;
}

/* ---- the table of a solve ---------------------------------------------- */

enum { MOST_ANSWERS = 64, SOLVE_COLUMNS = 9 };

typedef struct
{
  llmenv_quantity a, b;
  double target;
  int has_target, is_whole;    /* else B is the other quantity */
  int is_share;                /* TARGET is a share of the way to the limit */
  llmenv_whole whole;
  llmenv_input input;
  double lo, hi;
} equation;

static llmenv_status
read_whole (const char *word, equation *q, llmenv_error *error)
{
  for (int k = 0; k < LLMENV_WHOLE_COUNT; k++)
    if (strcmp (word, llmenv_whole_word ((llmenv_whole) k)) == 0)
      {
        q->whole = (llmenv_whole) k;
        q->is_whole = 1;
        return LLMENV_OK;
      }
  char shown[60];
  llmenv_printable (word, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADOPTION,
                           "whole: '%s' is not accepted, expected first-at-least, first-at-most, last-at-least or last-at-most",
                           shown);
}

/* "90%": whether TEXT is that, and then the share. */
static int
read_share (const char *text, double *share)
{
  char number[40];
  const size_t n = strlen (text);
  if (n < 2 || n > sizeof number || text[n - 1] != '%')
    return 0;
  snprintf (number, sizeof number, "%.*s", (int) n - 1, text);
  const int is_number = llmenv_parse_number (number, share) && isfinite (*share);
  *share /= 100;
  return is_number;
}

static llmenv_status
read_equation (const llmenv_question *from, equation *q, llmenv_error *error)
{
  *q = (equation) { .lo = from->lo, .hi = from->hi };
  LLMENV_TRY (llmenv_quantity_named (from->quantity, &q->a, error));
  LLMENV_TRY (llmenv_input_named (from->input, &q->input, error));
  q->b = q->a;
  if (from->whole != NULL)
    LLMENV_TRY (read_whole (from->whole, q, error));
  if (from->target == NULL)
    return LLMENV_OK;
  q->is_share = read_share (from->target, &q->target);
  q->has_target = q->is_share || llmenv_parse_number (from->target, &q->target);
  if (q->has_target && !isfinite (q->target))
    return llmenv_error_set (error, LLMENV_EBADVALUE,
                             "target '%.40s' is not accepted, expected a finite number, a share such as 90%% or a quantity",
                             from->target);
  return q->has_target ? LLMENV_OK : llmenv_quantity_named (from->target, &q->b, error);
}

/* Answers of one row group. */
typedef struct
{
  const char *model, *card;
  llmenv_answer answers[MOST_ANSWERS];
  llmenv_solve_report report;
  llmenv_whole_answer whole;
  size_t n;
} solved;

static llmenv_status
refuse_bracket (const equation *q, const llmenv_point *p, llmenv_error *error)
{
  if (q->lo > q->hi || isnan (q->lo) || isnan (q->hi))
    return llmenv_error_set (error, LLMENV_EBADVALUE,
                             "%s: from %.15g to %.15g is no range", llmenv_input_get (q->input)->name, q->lo, q->hi);
  if (q->is_whole && !(fabs (q->lo) <= 0x1p53 && fabs (q->hi) <= 0x1p53))
    return llmenv_error_set (error, LLMENV_EBADVALUE,
                             "%s: from %.15g to %.15g is not accepted, whole numbers are searched up to 9007199254740992 (2^53)",
                             llmenv_input_get (q->input)->name, q->lo, q->hi);
  llmenv_point low = *p;
  return llmenv_point_set (&low, q->input, q->lo) != LLMENV_OK
         ? llmenv_input_refuse (q->input, q->lo, p, error)
         : llmenv_input_refuse (q->input, q->hi, p, error);
}

/* The equation of point P: its target in the quantity's unit. */
static llmenv_status
set_target (equation *q, const llmenv_point *p, llmenv_error *error)
{
  const double share = q->target;
  if (!q->is_share)
    return LLMENV_OK;
  const llmenv_status st = llmenv_solve_share (q->a, share, q->input, p, &q->target);
  return st == LLMENV_EBADVALUE
         ? llmenv_error_set (error, st, "target %.15g%%: %s has no two ends, finite and different, at %s 0 and infinite; give a number",
                             100 * share, llmenv_quantity_get (q->a)->name,
                             llmenv_input_get (q->input)->name)
         : st != LLMENV_OK ? llmenv_error_set (error, st, "%s", llmenv_status_text (st)) : st;
}

static llmenv_status
solve_pair (const equation *asked, const llmenv_point *a, const llmenv_point *b,
            solved *s, llmenv_error *error)
{
  equation own = *asked;
  const equation *q = &own;
  llmenv_status st;
  LLMENV_TRY (set_target (&own, a, error));
  if (q->is_whole)
    st = q->has_target
         ? llmenv_solve_integer (q->a, q->whole, q->target, q->input, q->lo, q->hi, a, &s->whole)
         : llmenv_cross_integer (q->a, a, q->whole, q->b, b, q->input, q->lo, q->hi, &s->whole);
  else
    st = q->has_target
         ? llmenv_solve (q->a, q->target, q->input, q->lo, q->hi, a, s->answers, MOST_ANSWERS, &s->report)
         : llmenv_cross (q->a, a, q->b, b, q->input, q->lo, q->hi, s->answers, MOST_ANSWERS, &s->report);
  s->n = q->is_whole ? 1 : s->report.n == 0 ? 1
         : s->report.n < MOST_ANSWERS ? s->report.n : MOST_ANSWERS;
  return st == LLMENV_EBADVALUE ? refuse_bracket (q, a, error)
         : st != LLMENV_OK ? llmenv_error_set (error, st, "%s", llmenv_status_text (st)) : st;
}

/* The word for an infinite side of a jump, or for the neighbour beyond the range
 * of a whole answer. */
static llmenv_reason
reason_of (const equation *q, const solved *s, double x)
{
  const llmenv_envelope known = { .kv_reason = LLMENV_HAS_VALUE };
  if (q->is_whole && s->whole.found && isnan (x))
    return LLMENV_NOT_APPLICABLE;
  return isinf (x) ? llmenv_quantity_reason (q->a, &known, x) : LLMENV_HAS_VALUE;
}

static void
put_answer (const equation *q, const solved *s, size_t i, llmenv_table *t, size_t row)
{
  const llmenv_answer *a = &s->answers[i];
  const int none = q->is_whole ? !s->whole.found : s->report.n == 0;
  const double at = none ? NAN : q->is_whole ? s->whole.at : a->at;
  const double value = none ? NAN : q->is_whole ? s->whole.value : a->value;
  const double before = q->is_whole ? s->whole.value_before : none ? s->report.at_lo : a->before;
  const double after = q->is_whole ? s->whole.value_after : none ? s->report.at_hi : a->after;
  const char *kind = none ? "no crossover" : q->is_whole ? "whole number"
                     : a->is_jump ? "jump" : a->until > a->at ? "from here on" : "root";
  const char *direction = none || q->is_whole ? "" : a->direction > 0 ? "rises"
                          : a->direction < 0 ? "falls" : "";
  const int evaluations = q->is_whole ? s->whole.evaluations
                          : none ? s->report.evaluations : a->evaluations;
  const llmenv_cell cells[SOLVE_COLUMNS] = {
    llmenv_text_cell (s->model), llmenv_text_cell (s->card),
    none ? llmenv_word_cell (LLMENV_NONE) : number_cell (at, LLMENV_HAS_VALUE),
    none ? llmenv_word_cell (LLMENV_NONE) : number_cell (value, LLMENV_HAS_VALUE),
    llmenv_text_cell (kind), llmenv_text_cell (direction),
    number_cell (before, none && !q->is_whole ? s->report.reason_lo : reason_of (q, s, before)),
    number_cell (after, none && !q->is_whole ? s->report.reason_hi : reason_of (q, s, after)),
    llmenv_number_cell (evaluations, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST),
  };
  for (size_t c = 0; c < SOLVE_COLUMNS; c++)
    *llmenv_table_cell (t, row, c) = cells[c];
}

static llmenv_status
solve_table (const equation *q, const solved *all, size_t n, const named *who,
             const llmenv_request *request, llmenv_table **table, llmenv_error *error)
{
  const llmenv_input_info *in = llmenv_input_get (q->input);
  const llmenv_quantity_info *info = llmenv_quantity_get (q->a);
  const llmenv_column columns[SOLVE_COLUMNS] = {
    { "model", "", "id of the model, or of both", LLMENV_TEXT_COLUMN, -1 },
    { "card", "", "id of the card, or of both", LLMENV_TEXT_COLUMN, -1 },
    { in->column, in->unit, "where the quantity meets the target", LLMENV_NUMBER_COLUMN, -1 },
    { "value", info->unit, "of the quantity there", LLMENV_NUMBER_COLUMN, -1 },
    { "kind", "", "root, jump, from here on, whole number, or no crossover", LLMENV_TEXT_COLUMN, -1 },
    { "direction", "", "whether the quantity rises or falls through the target", LLMENV_TEXT_COLUMN, -1 },
    { "before", info->unit, "of the quantity (the difference of two) before it, or at the lower end", LLMENV_NUMBER_COLUMN, -1 },
    { "after", info->unit, "the same after it, or at the upper end", LLMENV_NUMBER_COLUMN, -1 },
    { "evaluations", "", "of the quantity for this answer, beyond the scan; all of them without one", LLMENV_NUMBER_COLUMN, 0 },
  };
  size_t rows = 0, row = 0;
  for (size_t i = 0; i < n; i++)
    rows += all[i].n;
  llmenv_table *t = llmenv_table_new ("solve", info->title, SOLVE_COLUMNS, rows);
  if (t == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  memcpy (t->columns, columns, sizeof columns);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < all[i].n; k++)
      put_answer (q, &all[i], k, t, row++);
  caption (request, &q->input, 1, who, t);
  *table = t;
  return LLMENV_OK;
}

/* Two models, or two cards, against each other. */
static llmenv_status
solve_two (const equation *q, const named *who, const llmenv_request *request,
           llmenv_table **table, llmenv_error *error)
{
  if (who->n_models * who->n_cards != 2)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "give a target, or two models (--models A,B), or two cards (--cards A,B)");
  const llmenv_model_record *b_model = who->models[who->n_models - 1];
  const llmenv_card_record *b_card = who->cards[who->n_cards - 1];
  const llmenv_point a = llmenv_point_make (&who->models[0]->model, who->cards[0],
                                            &request->options, request->contexts);
  const llmenv_point b = llmenv_point_make (&b_model->model, b_card,
                                            &request->options, request->contexts);
  char models[300], cards[300];
  snprintf (models, sizeof models, who->n_models == 2 ? "%s = %s" : "%s",
            who->models[0]->id, b_model->id);
  snprintf (cards, sizeof cards, who->n_cards == 2 ? "%s = %s" : "%s",
            who->cards[0]->id, b_card->id);
  solved s = { .model = models, .card = cards };
  LLMENV_TRY (solve_pair (q, &a, &b, &s, error));
  return solve_table (q, &s, 1, who, request, table, error);
}

static llmenv_status
solve_each (const equation *q, const named *who, const llmenv_request *request,
            llmenv_table **table, llmenv_error *error)
{
  const size_t n = who->n_models * who->n_cards;
  llmenv_progress progress;
  solved *all = calloc (n, sizeof *all);
  if (all == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  llmenv_status st = LLMENV_OK;
  llmenv_progress_start (&progress, (double) n);
  for (size_t i = 0; i < n && st == LLMENV_OK; i++)
    {
      const llmenv_model_record *model = who->models[i / who->n_cards];
      const llmenv_card_record *card = who->cards[i % who->n_cards];
      const llmenv_point p = llmenv_point_make (&model->model, card, &request->options,
                                                request->contexts);
      llmenv_error cause;
      all[i].model = model->id;
      all[i].card = card->id;
      st = solve_pair (q, &p, &p, &all[i], &cause);
      if (st != LLMENV_OK)
        llmenv_error_set (error, st, "%s: %s", model->id, cause.text);
      llmenv_progress_add (&progress, 1);
    }
  llmenv_progress_end (&progress);
  if (st == LLMENV_OK)
    st = solve_table (q, all, n, who, request, table, error);
  free (all);
  return st;
}

llmenv_status
llmenv_solve_make (const llmenv_question *question, const llmenv_request *request,
                   llmenv_table **table, llmenv_error *error)
{
  equation q;
  named who;
  llmenv_request own = *request;
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  LLMENV_TRY (read_equation (question, &q, error));
  LLMENV_TRY (resolve (question->models, question->cards, &own, &who, error));
  const llmenv_status st = question->target == NULL
                           ? solve_two (&q, &who, &own, table, error)
                           : solve_each (&q, &who, &own, table, error);
  free_named (&who);
  return st;
}
