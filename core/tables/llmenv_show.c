/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One model on one card: every quantity as a table, or a screenful in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"
#include "llmenv_mix.h"
#include "llmenv_render.h"

#define DEFAULT LLMENV_BASIS_DEFAULT

/* ---- every quantity ---------------------------------------------------- */

static int
decimals_of (const char *unit)
{
  return strcmp (unit, "bytes") == 0 || strcmp (unit, "tokens") == 0 ? 0 : 2;
}

static void
fill_show (const llmenv_row *row, llmenv_table *t)
{
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const llmenv_quantity q = (llmenv_quantity) r;
      const llmenv_quantity_info *info = llmenv_quantity_get (q);
      const double value = llmenv_row_value (row, q, LLMENV_BASIS_DEFAULT,
                                             llmenv_row_argument (row, q));
      const llmenv_reason reason = llmenv_row_reason (row, q, value);
      *llmenv_table_cell (t, r, 0) = llmenv_text_cell (info->name);
      *llmenv_table_cell (t, r, 1)
        = llmenv_number_cell (value, reason, decimals_of (info->unit), LLMENV_NEAREST);
      *llmenv_table_cell (t, r, 2) = llmenv_text_cell (info->unit);
      *llmenv_table_cell (t, r, 3) = llmenv_text_cell (llmenv_reason_word (reason));
      *llmenv_table_cell (t, r, 4) = llmenv_text_cell (info->title);
    }
}

llmenv_status
llmenv_show_make (const llmenv_request *request, llmenv_table **table,
                  llmenv_error *error)
{
  llmenv_rows rows = { NULL, 0 };
  llmenv_request own = *request;
  const llmenv_build build = { .request = &own };
  llmenv_model_record *model;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  LLMENV_TRY (llmenv_build_model (&build, &model, error));
  LLMENV_TRY (llmenv_build_card (&build, &card, error));
  llmenv_row *row = llmenv_row_add (&rows, &build, model, card, error);
  llmenv_status st = row == NULL ? LLMENV_ETOOLARGE : llmenv_row_ready (row, error);
  llmenv_table *t = st != LLMENV_OK ? NULL
                    : llmenv_table_new ("show", model->name, 5, LLMENV_QUANTITY_COUNT);
  if (t != NULL)
    {
      const llmenv_column columns[] = {
        { "quantity", "", "as in llmenv_<name>", LLMENV_TEXT_COLUMN, -1 },
        { "value", "", "in the unit of its row", LLMENV_NUMBER_COLUMN, 2 },
        { "unit", "", "unit", LLMENV_TEXT_COLUMN, -1 },
        { "reason", "", "why there is no finite value", LLMENV_TEXT_COLUMN, -1 },
        { "meaning", "", "what it answers", LLMENV_TEXT_COLUMN, -1 },
      };
      memcpy (t->columns, columns, sizeof columns);
      fill_show (row, t);
      llmenv_caption_make (&own.options, 0, t->caption, sizeof t->caption);
      *table = t;
    }
  else if (st == LLMENV_OK)
    st = llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  free (rows.row);
  return st;
}

/* ---- a screenful ------------------------------------------------------- */

static const double contexts[] = { 4096, 8192, 32768, 131072 };
static const char *const context_names[] = { "4k", "8k", "32k", "128k" };

/* X with DECIMALS, or where that would be a page of digits, with six of them. */
static void
put_number (double x, int width, int decimals, FILE *out)
{
  if (fabs (x) < 1e15)
    fprintf (out, "%*.*f", width, decimals, x);
  else
    fprintf (out, "%*.6g", width, x);
}

static void
put_bytes (const char *label, double bytes, FILE *out)
{
  fprintf (out, "  %-22s ", label);
  if (isnan (bytes))
    {
      fprintf (out, "%12s\n", "no record");
      return;
    }
  put_number (bytes / 1e9, 12, 2, out);
  fputs (" GB ", out);
  put_number (bytes / 1073741824.0, 12, 2, out);
  fputs (" GiB\n", out);
}

/* Bytes of the parts of one role, in the type that the settings ask for. */
static void
put_weights (const llmenv_row *row, FILE *out)
{
  const llmenv_model *m = &row->model->model;
  const llmenv_settings *s = &row->options.settings;
  put_bytes ("weights", row->envelope[0].held, out);
  if (s->convention == LLMENV_PUBLISHED)
    return;
  for (int role = 0; role < LLMENV_WEIGHT_ROLE_COUNT; role++)
    {
      double own = 0, all = 0;
      for (size_t i = 0; i < m->n_parts; i++)
        {
          const double each = isnan (s->weight_bytes_each) ? m->parts[i].bytes_each
                                                           : s->weight_bytes_each;
          /* Exact bytes are spread by parameters. */
          const double bytes
            = m->parts[i].params * (isnan (s->weight_bytes) ? each : 1);
          all += bytes;
          own += m->parts[i].role == (llmenv_weight_role) role ? bytes : 0;
        }
      char label[40];
      snprintf (label, sizeof label, "  %s", llmenv_weight_role_word (role));
      if (own > 0)
        put_bytes (label, row->envelope[0].held * own / all, out);
    }
}

static void
put_held (const llmenv_row *row, FILE *out)
{
  const llmenv_envelope *e = &row->envelope[0];
  fprintf (out, "\nHolds\n");
  put_weights (row, out);
  for (size_t i = 0; i < N_OF (contexts); i++)
    {
      char label[40];
      snprintf (label, sizeof label, "one sequence at %s", context_names[i]);
      put_bytes (label, llmenv_row_value (row, LLMENV_Q_kv_bytes, DEFAULT, contexts[i]), out);
    }
  const double state = llmenv_row_value (row, LLMENV_Q_kv_bytes, DEFAULT, 0);
  if (state > 0)
    put_bytes ("  of that, fixed", state, out);
  put_bytes ("memory", e->memory, out);
  put_bytes ("left for sequences", e->memory * e->utilization - e->held - e->reserve, out);
}

/* The context of ROW, or the mix in its place; and either in words. */
static llmenv_at_context
context_of (const llmenv_row *row)
{
  const llmenv_lengths *mix = row->build->request->contexts;
  const llmenv_envelope *e = &row->envelope[0];
  return mix == NULL ? llmenv_context_at (e, row->L)
                     : llmenv_context_mix (e, mix->n, mix->length, mix->weight);
}

static void
put_context (const llmenv_row *row, FILE *out)
{
  fputs (row->build->request->contexts == NULL ? " at " : " at a mean of ", out);
  put_number (row->L, 0, 0, out);
  fputs (" tokens", out);
}

static void
put_streamed (const llmenv_row *row, FILE *out)
{
  const llmenv_step s = llmenv_step_of (&row->envelope[0], row->B, context_of (row));
  fputs ("\nStreams in a step of batch ", out);
  put_number (row->B, 0, 0, out);
  put_context (row, out);
  fputc ('\n', out);
  put_bytes ("weights", s.weight_bytes, out);
  put_bytes ("KV", s.kv_bytes, out);
  if (s.state_bytes > 0)
    put_bytes ("state", s.state_bytes, out);
  put_bytes ("all", s.bytes, out);
  if (!isfinite (s.seconds))
    return;
  fputs ("  at least ", out);
  put_number (1e3 * s.seconds, 0, 2, out);
  fprintf (out, " ms, at most %.1f tokens/s; %.1f FLOP/byte where the ridge is %.1f; %s bind%s\n",
           s.tokens_per_second, s.intensity, row->envelope[0].ridge,
           llmenv_limit_word (s.limit), s.limit == LLMENV_LIMIT_WEIGHTS ? "" : "s");
}

/* A value of Q in a field of WIDTH, or its word. */
static void
put_value (const llmenv_row *row, llmenv_quantity q, double value, int width,
           int decimals, FILE *out)
{
  const llmenv_reason reason = llmenv_row_reason (row, q, value);
  if (reason != LLMENV_HAS_VALUE)
    fprintf (out, " %*s", width, llmenv_reason_word (reason));
  else
    {
      fputc (' ', out);
      put_number (value, width, decimals, out);
    }
}

/* At L tokens; NaN: at the row's context or mix. */
static double
capacity_at (const llmenv_row *row, double L)
{
  return llmenv_row_value (row, LLMENV_Q_capacity, DEFAULT, L);
}

/* Tokens/s of the batch at each context, for some batches and for as many
 * sequences as fit. */
static void
put_rates (const llmenv_row *row, FILE *out)
{
  static const double batches[] = { 1, 8, 64 };
  fprintf (out, "\n%-24s", "At a context of");
  for (size_t i = 0; i < N_OF (contexts); i++)
    fprintf (out, " %14s", context_names[i]);
  fprintf (out, "\n  %-22s", "sequences that fit");
  for (size_t i = 0; i < N_OF (contexts); i++)
    put_value (row, LLMENV_Q_capacity, capacity_at (row, contexts[i]), 14, 1, out);
  for (size_t b = 0; b <= N_OF (batches); b++)
    {
      char label[40] = "tokens/s, as many as fit";
      if (b < N_OF (batches))
        snprintf (label, sizeof label, "tokens/s, batch %.0f", batches[b]);
      fprintf (out, "\n  %-22s", b < N_OF (batches) ? label : "tokens/s, all that fit");
      for (size_t i = 0; i < N_OF (contexts); i++)
        {
          const double fits = floor (capacity_at (row, contexts[i]));
          const double B = b < N_OF (batches) ? batches[b] : fits;
          if (!(fits >= B && B > 0) || isinf (B))
            fprintf (out, " %14s", isnan (fits) ? "no record" : "does not fit");
          else
            put_value (row, LLMENV_Q_throughput,
                       llmenv_quantity_value (LLMENV_Q_throughput, &row->envelope[0],
                                              B, contexts[i]), 14, 1, out);
        }
    }
  fputc ('\n', out);
}

static llmenv_limit
limit_at (const llmenv_row *row, llmenv_at_context c, double B)
{
  return llmenv_step_of (&row->envelope[0], B, c).limit;
}

/* First whole batch above B at which another resource binds, at most MOST. */
static double
next_change (const llmenv_row *row, llmenv_at_context c, double B, double most)
{
  const llmenv_limit now = limit_at (row, c, B);
  double lo = B, hi = B;
  while (hi < most && limit_at (row, c, hi) == now)
    {
      lo = hi;
      hi = fmin (2 * hi + 1, most);
    }
  if (limit_at (row, c, hi) == now)
    return INFINITY;
  while (hi - lo > 1)
    {
      const double middle = floor ((lo + hi) / 2);
      if (limit_at (row, c, middle) == now)
        lo = middle;
      else
        hi = middle;
    }
  return hi;
}

/* "name value" or "name word". */
static void
put_named (const llmenv_row *row, llmenv_quantity q, int decimals, FILE *out)
{
  fputs (llmenv_quantity_get (q)->name, out);
  put_value (row, q, llmenv_row_value (row, q, DEFAULT, NAN), 0, decimals, out);
}

/* The wall; where there is none, or more than one crossing, what that means. */
static void
put_wall (const llmenv_row *row, FILE *out)
{
  llmenv_crossing c[LLMENV_MAX_CROSSINGS];
  const llmenv_envelope *e = &row->envelope[DEFAULT];
  const double wall = llmenv_row_value (row, LLMENV_Q_l_wall, DEFAULT, NAN);
  const size_t n = isnan (wall) ? 0 : llmenv_wall_crossings (e, c);
  if (isinf (wall))
    {
      fprintf (out, "l_wall never (some batch reaches the ridge at every context)\n");
      return;
    }
  put_named (row, LLMENV_Q_l_wall, 0, out);
  for (size_t i = 0; i < n; i++)
    if (c[i].direction > 0 && c[i].at > wall)
      {
        fprintf (out, " tokens (no batch reaches the ridge from there to ");
        put_number (c[i].at, 0, 0, out);
        fprintf (out, " tokens)\n");
        return;
      }
  fprintf (out, " tokens (no batch reaches the ridge past it)\n");
}

static void
put_crossings (const llmenv_row *row, FILE *out)
{
  fprintf (out, "Crossings: ");
  put_named (row, LLMENV_Q_b_eq, 1, out);
  fprintf (out, " (KV bytes equal weights), ");
  put_named (row, LLMENV_Q_b_star, 1, out);
  fprintf (out, " (ridge), ");
  put_wall (row, out);
}

static void
put_limits (const llmenv_row *row, FILE *out)
{
  const llmenv_at_context c = context_of (row);
  const double capacity = floor (capacity_at (row, NAN));
  const double most = isfinite (capacity) && capacity >= 1 ? fmax (4 * capacity, 1e6) : 1e6;
  fputs ("\nBinds", out);
  put_context (row, out);
  fputs (": ", out);
  for (double B = 1; isfinite (B);)
    {
      const double next = next_change (row, c, B, most);
      fprintf (out, "%s from batch ", llmenv_limit_word (limit_at (row, c, B)));
      put_number (B, 0, 0, out);
      fputs (isfinite (next) ? ", " : "", out);
      B = next;
    }
  if (isnan (capacity))
    fprintf (out, "\n");
  else if (capacity < 1)
    fprintf (out, "; no sequence fits\n");
  else if (isinf (capacity))
    fprintf (out, "; memory never\n");
  else
    {
      fputs ("; memory from batch ", out);
      put_number (capacity + 1, 0, 0, out);
      fputc ('\n', out);
    }
  put_crossings (row, out);
}

/* The three other cards with the least memory that hold a sequence. */
static llmenv_status
put_next_cards (const llmenv_build *build, const llmenv_row *row, FILE *out,
                llmenv_error *error)
{
  llmenv_rows rows = { NULL, 0 };
  llmenv_status st = LLMENV_OK;
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_cards && st == LLMENV_OK; i++)
    {
      llmenv_row *other = llmenv_row_add (&rows, build, row->model, c->cards[i], error);
      st = other == NULL ? LLMENV_ETOOLARGE : llmenv_row_ready (other, error);
      if (st != LLMENV_OK)
        break;
      other->sort = other->envelope[0].memory;
      if (c->cards[i] == row->card || !(capacity_at (other, NAN) >= 1)
          || isnan (other->envelope[0].ridge))
        rows.n--;
    }
  if (st == LLMENV_OK)
    {
      llmenv_rows_sort (&rows);
      fprintf (out, "\n%-34s %10s %10s %14s %14s\n", "Next cards that fit", "memory GB",
               "ridge", "sequences", "tokens/s");
      for (size_t i = 0; i < rows.n && i < 3; i++)
        {
          const llmenv_row *r = &rows.row[i];
          fprintf (out, "  %-32s %10.1f %10.1f %14.1f %14.1f\n", r->card->id,
                   r->envelope[0].memory / 1e9, r->envelope[0].ridge,
                   capacity_at (r, NAN),
                   llmenv_row_value (r, LLMENV_Q_throughput, DEFAULT, NAN));
        }
      if (rows.n == 0)
        fprintf (out, "  none of %zu\n", c->n_cards);
    }
  free (rows.row);
  return st;
}

llmenv_status
llmenv_show_text (const llmenv_request *request, FILE *out, llmenv_error *error)
{
  llmenv_rows rows = { NULL, 0 };
  llmenv_request own = *request;
  const llmenv_build build = { .request = &own };
  llmenv_model_record *model;
  llmenv_card_record *card;
  char caption[400];
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  LLMENV_TRY (llmenv_build_model (&build, &model, error));
  LLMENV_TRY (llmenv_build_card (&build, &card, error));
  llmenv_row *row = llmenv_row_add (&rows, &build, model, card, error);
  llmenv_status st = row == NULL ? LLMENV_ETOOLARGE : llmenv_row_ready (row, error);
  if (st == LLMENV_OK)
    {
      llmenv_caption_make (&own.options, 0, caption, sizeof caption);
      fprintf (out, "%s on %s\n%s\n", model->name, card->name, caption);
      const char *why = llmenv_record_text (model->json, "unavailable_reason");
      if (*why != '\0')
        fprintf (out, "%s\n", why);
      put_held (row, out);
      put_streamed (row, out);
      put_rates (row, out);
      put_limits (row, out);
      st = put_next_cards (&build, row, out, error);
    }
  free (rows.row);
  return st;
}
