/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up to four models on up to four cards, side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "live_own.h"
#include "live_quantity.h"
#include "llmenv_builder.h"
#include "sheet_drawing.h"

#define SHEET "'What-if'"

enum { PICKS = LLMENV_PICKS, PAIRS = PICKS * PICKS, BATCHES = 11 };
enum { TITLE_ROW, TEXT_ROW, PICK_HEAD = 3, FIRST_PICK, TABLE_HEAD = FIRST_PICK + PICKS + 2, FIRST_PAIR,
       CURVE_HEAD = FIRST_PAIR + PAIRS + 3, FIRST_BATCH, CHART_ROW = FIRST_BATCH + BATCHES + 2 };

/* What the analyst starts from, where the records have it. */
static const char *const proposed_models[] = { "llama-3-3-70b", "deepseek-v3", "gpt-oss-120b", "qwen3-30b-a3b" };
static const char *const proposed_cards[] = { "nvidia-h200-sxm", "nvidia-rtx-4090", "amd-instinct-mi300x", "nvidia-b200" };

/* One pair. */
typedef struct
{
  const llmenv_model_record *model; /* NULL: the own one, as of the card */
  const llmenv_card_record *card;
  size_t m, c;                 /* places; the first where none is picked */
  int is_picked;
} pair;

typedef struct
{
  live_book *live;
  char models[PICKS][LLMENV_NAME_SIZE], cards[PICKS][LLMENV_NAME_SIZE];
  pair pairs[PAIRS];
  live_block *block, *curves;
} whatif;

/* ---- picks ---------------------------------------------------------------- */

static int
is_picked (char list[PICKS][LLMENV_NAME_SIZE], int n, const char *id)
{
  for (int i = 0; i < n; i++)
    if (strcmp (list[i], id) == 0)
      return 1;
  return 0;
}

static void
pick (char list[PICKS][LLMENV_NAME_SIZE], int *n, const char *id)
{
  if (*n < PICKS && *id != '\0' && !is_picked (list, *n, id))
    snprintf (list[(*n)++], LLMENV_NAME_SIZE, "%s", id);
}

static void
pick_models (whatif *w)
{
  const llmenv_request *r = w->live->request;
  int n = 0;
  for (int i = 0; i < PICKS; i++)
    pick (w->models, &n, r->inputs->models[i]);
  if (n > 0)
    return;
  pick (w->models, &n, r->options.model);
  for (size_t i = 0; i < N_OF (proposed_models); i++)
    if (llmenv_catalogue_model (r->catalogue, proposed_models[i]) != NULL)
      pick (w->models, &n, proposed_models[i]);
  for (size_t i = 0; i < r->catalogue->n_models; i++)
    pick (w->models, &n, r->catalogue->models[i]->id);
}

static void
pick_cards (whatif *w)
{
  const llmenv_request *r = w->live->request;
  int n = 0;
  for (int i = 0; i < PICKS; i++)
    pick (w->cards, &n, r->inputs->cards[i]);
  if (n > 0)
    return;
  pick (w->cards, &n, r->options.card);
  for (size_t i = 0; i < N_OF (proposed_cards); i++)
    if (llmenv_catalogue_card (r->catalogue, proposed_cards[i]) != NULL)
      pick (w->cards, &n, proposed_cards[i]);
  for (size_t i = 0; i < r->catalogue->n_cards; i++)
    pick (w->cards, &n, r->catalogue->cards[i]->id);
}

static void
make_pairs (whatif *w)
{
  const llmenv_catalogue *c = w->live->data.catalogue;
  for (int i = 0; i < PAIRS; i++)
    {
      const char *model = w->models[i / PICKS], *card = w->cards[i % PICKS];
      pair *p = &w->pairs[i];
      *p = (pair) { .is_picked = *model != '\0' && *card != '\0' };
      p->model = *model == '\0' ? c->models[0] : llmenv_catalogue_model (c, model);
      p->card = *card == '\0' ? c->cards[0] : llmenv_catalogue_card (c, card);
      p->m = p->model != NULL ? live_model_index (&w->live->data, p->model) : c->n_models + 1;
      p->c = p->card != NULL ? live_card_place (w->live, p->card) : c->n_cards + 1;
    }
}

/* ---- blocks ----------------------------------------------------------------- */

static void
fill_row (whatif *w, live_block *b, size_t row, const pair *p, double B)
{
  live_book *live = w->live;
  const llmenv_inputs *in = live->request->inputs;
  const llmenv_options *o = &live->request->options;
  const llmenv_card own = { in->own_peak * 1e12, in->own_bandwidth * 1e9, in->own_memory * 1e9 };
  const llmenv_card card = p->card != NULL ? live_card_of (&live->data, p->card, b->convention) : own;
  live_who who = live_who_is (live, p->model, b->convention);
  if (p->model == NULL)
    who = (live_who) { &live->own_model, p->m, in->own_model.longest };
  live_row_fill (b, row, &who, &card, &o->settings, NAN, B, o->context);
}

/* Place of what pick AT of COLUMN names among the data; the first where nothing
 * is picked. */
static live_ref
match_pick (char column, size_t at, live_ref range)
{
  live_ref m = { "" };
  live_print (m.text, sizeof m.text, "IF(" SHEET "!$%c$%zu=\"\",1,MATCH(" SHEET "!$%c$%zu,%s,0))", column,
              FIRST_PICK + at + 1, column, FIRST_PICK + at + 1, range.text);
  return m;
}

/* A block of pairs, N rows each; of batches in the doubling of curves. */
static live_block *
make_block (whatif *w, const char *title, size_t each, int curves)
{
  live_book *live = w->live;
  const llmenv_options *o = &live->request->options;
  live_block *b = live_block_add (live, PAIRS * each, o->settings.convention, title);
  if (b == NULL)
    return NULL;
  for (size_t r = 0; r < b->n; r++)
    {
      const double B = curves ? exp2 ((double) (r % each)) : o->batch;
      fill_row (w, b, r, &w->pairs[r / each], B);
      const size_t at = r / each;
      const live_ref model = match_pick ('B', at / PICKS, live_model_range (&live->data, 0));
      const live_ref card = match_pick ('C', at % PICKS, live_card_range (&live->data, 0));
      const live_follows f = { model.text, card.text, "in_k_bytes", "in_v_bytes", curves ? NULL : "in_batch", "in_context" };
      live_about (b, r, w->pairs[at].c, "in_count", &o->settings, &f);
    }
  live_complete (live, b);
  return b;
}

/* ---- one decode step, by stream ---------------------------------------------- */

typedef enum { BY_WEIGHTS, BY_KV, BY_STATE, BY_COMPUTE, WHOLE_STEP, COST } stream;

static double
stream_value (const live_block *b, size_t row, const void *what)
{
  const llmenv_envelope *e = &b->row[row].envelope[0];
  const llmenv_step s = llmenv_step_at (e, b->row[row].B, b->row[row].L);
  switch (*(const stream *) what)
    {
    case BY_WEIGHTS: return s.weight_bytes / e->bandwidth;
    case BY_KV: return s.kv_bytes / e->bandwidth;
    case BY_STATE: return s.state_bytes / e->bandwidth;
    case BY_COMPUTE: return s.compute_seconds;
    default: return s.seconds;
    }
}

static const char *
limit_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return llmenv_limit_word (llmenv_step_at (&b->row[row].envelope[0], b->row[row].B, b->row[row].L).limit);
}

static void
step_terms (live_book *live, live_block *b)
{
  static const stream streams[] = { BY_WEIGHTS, BY_KV, BY_STATE, BY_COMPUTE, WHOLE_STEP };
  live_named (live, b, "throughput@L");
  live_named (live, b, "T@L");
  live_named (live, b, "A@L");
  live_term (b, "s weights", "{W@B}/{bandwidth}", stream_value, &streams[0]);
  live_term (b, "s KV", "({B}*{T@L}-{B}*{rc0})/{bandwidth}", stream_value, &streams[1]);
  live_term (b, "s state", "{B}*{rc0}/{bandwidth}", stream_value, &streams[2]);
  live_term (b, "s compute", "{B}*({F}+{A@L})/{peak}", stream_value, &streams[3]);
  live_term (b, "s step", "{B}/{throughput@L}", stream_value, &streams[4]);
  live_text_term (b, "binds",
                  "IF({s step}*0+IF(ISNUMBER({s compute}),{s compute},0)>{s weights}+{s KV}+{s state},\"compute\",IF(AND({s weights}>={s KV},{s weights}>={s state}),"
                  "\"weights\",IF({s KV}>={s state},\"KV\",\"state\")))", limit_value, NULL);
}

/* ---- the sheet ----------------------------------------------------------------- */

/* Columns of the comparison: what of the block, and how it is shown. */
static const struct { const char *head, *key, *inf_word, *zero_word; double scale; const char *format, *about; } columns[] = {
  { "Weights\n[GB]", "held", "", "", 1e-9, "#,##0.0", "weights in memory" },
  { "Free\n[GB]", "free", "", "", 1e-9, "#,##0.0", "memory less weights and reserve" },
  { "Longest\n[tokens]", "fill", "unbounded", "does not fit", 1, "#,##0", "largest context of one sequence" },
  { "At ctx_4k\n[sequences]", "capacity@ctx_4k", "unbounded", "does not fit", 1, "#,##0.0", "sequences that fit at the context ctx_4k of Inputs" },
  { "At ctx_8k\n[sequences]", "capacity@ctx_8k", "unbounded", "does not fit", 1, "#,##0.0", "the same at ctx_8k" },
  { "At ctx_32k\n[sequences]", "capacity@ctx_32k", "unbounded", "does not fit", 1, "#,##0.0", "the same at ctx_32k" },
  { "At ctx_128k\n[sequences]", "capacity@ctx_128k", "unbounded", "does not fit", 1, "#,##0.0", "the same at ctx_128k" },
  { "Weights\n[ms]", "s weights", "", "", 1e3, "#,##0.00", "time to stream the weights of a step" },
  { "KV\n[ms]", "s KV", "", "", 1e3, "#,##0.00", "time to stream the cache" },
  { "State\n[ms]", "s state", "", "", 1e3, "#,##0.00", "time to stream fixed state, both ways" },
  { "Arithmetic\n[ms]", "s compute", "", "", 1e3, "#,##0.00", "time of the FLOPs at peak" },
  { "Step\n[ms]", "s step", "", "", 1e3, "#,##0.00", "the longer of bytes and arithmetic, and the overhead" },
  { "Batch\n[tokens/s]", "throughput@L", "", "", 1, "#,##0", "tokens per second of the whole batch, at most" },
  { "Knee\n[sequences]", "b_knee@L", "none", "", 1, "#,##0.0", "batch at which one more sequence brings half of what the first brought" },
  { "Ridge\n[sequences]", "b_star@L", "none", "", 1, "#,##0.0", "batch at which arithmetic binds" },
};
enum { MODEL, CARD, FITS, FIRST_NUMBER, BINDS = FIRST_NUMBER + N_OF (columns), COSTS, LAST_COLUMN = COSTS };

static void
write_picks (whatif *w)
{
  static const xl_style head = { .flags = XL_HEAD }, rule = { .flags = XL_RULE | XL_LEFT };
  static const xl_style input = { .flags = XL_RULE, .fill = 0xFFF2CC };
  xl_sheet *xl = &w->live->whatif;
  xl_text (xl, PICK_HEAD, 0, "Compare", &head);
  xl_text (xl, PICK_HEAD, 1, "Model", &head);
  xl_text (xl, PICK_HEAD, 2, "Card", &head);
  for (size_t i = 0; i < PICKS; i++)
    {
      xl_number (xl, FIRST_PICK + i, 0, (double) i + 1, &rule);
      for (size_t k = 0; k < 2; k++)
        {
          char list[200];
          const char *text = k == 0 ? w->models[i] : w->cards[i];
          lxw_data_validation v = { .validate = LXW_VALIDATION_TYPE_LIST_FORMULA, .value_formula = list,
                                    .ignore_blank = LXW_VALIDATION_ON, .input_title = k == 0 ? "Model" : "Card",
                                    .input_message = k == 0 ? "One of the list, own-model for the one of sheet Own model, or nothing."
                                                            : "One of the list, own-card for the one of sheet Inputs, or nothing." };
          live_print (list, sizeof list, "=%s", (k == 0 ? live_model_range (&w->live->data, 0)
                                                     : live_card_range (&w->live->data, 0)).text);
          if (*text != '\0')
            xl_text (xl, FIRST_PICK + i, k + 1, text, &input);
          else
            xl_blank (xl, FIRST_PICK + i, k + 1, &input);
          xl_note (xl, worksheet_data_validation_cell (xl->worksheet, (lxw_row_t) (FIRST_PICK + i), (lxw_col_t) (k + 1), &v),
                   FIRST_PICK + i, k + 1);
        }
    }
}

/* A cell that shows NUMBER of the block as the column says; "" where nothing is
 * picked. */
static void
write_number (whatif *w, size_t row, size_t i)
{
  static const llmenv_reason words[] = { LLMENV_NONE, LLMENV_UNBOUNDED };
  live_block *b = w->block;
  live_column *c = live_named (w->live, b, columns[i].key);
  const xl_style style = { .number = columns[i].format, .flags = XL_RULE | XL_RIGHT };
  char formula[LIVE_FORMULA], whole[LIVE_FORMULA];
  const char *word = NULL;
  const double value = c->value[row];
  live_shown (formula, sizeof formula, live_cell_ref (b, c, row).text, columns[i].inf_word, columns[i].zero_word,
              "\"" LIVE_NO_RECORD "\"", columns[i].scale, LIVE_AS_IS);
  live_print (whole, sizeof whole, "=IF(OR($A%zu=\"\",$B%zu=\"\"),\"\",%s)", FIRST_PAIR + row + 1, FIRST_PAIR + row + 1, formula + 1);
  if (!w->pairs[row].is_picked)
    word = "";
  else if (isnan (value))
    word = LIVE_NO_RECORD;
  else if (isinf (value))
    word = llmenv_reason_word (words[strcmp (columns[i].inf_word, "unbounded") == 0]);
  else if (value == 0 && *columns[i].zero_word != '\0')
    word = columns[i].zero_word;
  if (word != NULL)
    xl_formula_text (&w->live->whatif, FIRST_PAIR + row, FIRST_NUMBER + i, whole, word, &style);
  else
    xl_formula (&w->live->whatif, FIRST_PAIR + row, FIRST_NUMBER + i, whole, value * columns[i].scale, &style);
}

static void
write_words (whatif *w, size_t row)
{
  static const xl_style indented = { .flags = XL_RULE | XL_INDENT };
  static const xl_style rule = { .flags = XL_RULE }, right = { .flags = XL_RULE | XL_RIGHT, .number = "#,##0.0000" };
  xl_sheet *xl = &w->live->whatif;
  live_block *b = w->block;
  const size_t at = FIRST_PAIR + row;
  const int picked = w->pairs[row].is_picked;
  char formula[500];
  live_print (formula, sizeof formula, "=$B$%zu&\"\"", FIRST_PICK + row / PICKS + 1);
  xl_formula_text (xl, at, MODEL, formula, w->models[row / PICKS], &rule);
  live_print (formula, sizeof formula, "=$C$%zu&\"\"", FIRST_PICK + row % PICKS + 1);
  xl_formula_text (xl, at, CARD, formula, w->cards[row % PICKS], &rule);
  const live_column *free = live_find (b, "free");
  const live_ref room = live_cell_ref (b, free, row);
  live_print (formula, sizeof formula, "=IF(OR($A%zu=\"\",$B%zu=\"\"),\"\",IF(ISNUMBER(%s),IF(%s>0,\"yes\",\"no\"),\"" LIVE_NO_RECORD "\"))",
              at + 1, at + 1, room.text, room.text);
  xl_formula_text (xl, at, FITS, formula, !picked ? "" : isnan (free->value[row]) ? LIVE_NO_RECORD
                   : free->value[row] > 0 ? "yes" : "no", &rule);
  live_print (formula, sizeof formula, "=IF(OR($A%zu=\"\",$B%zu=\"\"),\"\",%s)", at + 1, at + 1,
              live_cell_ref (b, live_find (b, "binds"), row).text);
  xl_formula_text (xl, at, BINDS, formula, picked ? limit_value (b, row, NULL) : "", &indented);
  const live_column *speed = live_find (b, "throughput@L");
  const live_ref tokens = live_cell_ref (b, speed, row);
  const double cost = w->live->request->inputs->price * w->live->request->options.settings.count * 1e6 / 3600 / speed->value[row];
  live_print (formula, sizeof formula, "=IF(OR($A%zu=\"\",$B%zu=\"\"),\"\",IFERROR(in_price*in_count*1E6/3600/%s,\"" LIVE_NO_RECORD "\"))",
              at + 1, at + 1, tokens.text);
  if (picked && isfinite (cost))
    xl_formula (xl, at, COSTS, formula, cost, &right);
  else
    xl_formula_text (xl, at, COSTS, formula, picked ? LIVE_NO_RECORD : "", &right);
}

static void
write_comparison (whatif *w)
{
  static const xl_style head = { .flags = XL_HEAD }, right = { .flags = XL_HEAD | XL_RIGHT };
  static const xl_style indented = { .flags = XL_HEAD | XL_INDENT };
  static const struct { size_t at; const char *text, *about; } others[] = {
    { MODEL, "Model", "as picked above" }, { CARD, "Card", "as picked above; ganged as Inputs says" },
    { FITS, "Fits", "whether weights and reserve leave memory for a cache" },
    { BINDS, "Binds", "the longest stream of the step, or compute" },
    { COSTS, "Cost\n[per 1e6 tokens]", "price of the cards over tokens per second" },
  };
  xl_sheet *xl = &w->live->whatif;
  for (size_t i = 0; i < N_OF (others); i++)
    {
      xl_text (xl, TABLE_HEAD, others[i].at, others[i].text, others[i].at == BINDS ? &indented : &head);
      xl_comment (xl, TABLE_HEAD, others[i].at, others[i].about);
    }
  for (size_t i = 0; i < N_OF (columns); i++)
    {
      xl_text (xl, TABLE_HEAD, FIRST_NUMBER + i, columns[i].head, &right);
      xl_comment (xl, TABLE_HEAD, FIRST_NUMBER + i, columns[i].about);
    }
  xl_height (xl, TABLE_HEAD, 48);
  step_terms (w->live, w->block);
  for (size_t r = 0; r < PAIRS; r++)
    {
      for (size_t i = 0; i < N_OF (columns); i++)
        write_number (w, r, i);
      write_words (w, r);
    }
}

/* ---- curves and charts ------------------------------------------------------------ */

static void
write_curves (whatif *w)
{
  static const xl_style head = { .flags = XL_HEAD | XL_RIGHT }, number = { .number = "#,##0", .flags = XL_RULE | XL_RIGHT },
                        bold = { .flags = XL_BOLD };
  xl_sheet *xl = &w->live->whatif;
  live_block *b = w->curves;
  const live_column *speed = live_named (w->live, b, "throughput@L");
  xl_text (xl, CURVE_HEAD - 1, 0, "Tokens/s of the whole batch against its size, at the context of Inputs, whether or not it fits", &bold);
  xl_text (xl, CURVE_HEAD, 0, "batch\n[sequences]", &head);
  xl_height (xl, CURVE_HEAD, 66);
  for (size_t p = 0; p < PAIRS; p++)
    {
      char formula[200], name[2 * LLMENV_NAME_SIZE + 8];
      live_print (formula, sizeof formula, "=IF(OR($A$%zu=\"\",$B$%zu=\"\"),\"\",$A$%zu&\" on \"&$B$%zu)", FIRST_PAIR + p + 1,
                  FIRST_PAIR + p + 1, FIRST_PAIR + p + 1, FIRST_PAIR + p + 1);
      live_print (name, sizeof name, w->pairs[p].is_picked ? "%s on %s" : "", w->models[p / PICKS], w->cards[p % PICKS]);
      xl_formula_text (xl, CURVE_HEAD, p + 1, formula, name, &head);
    }
  for (size_t k = 0; k < BATCHES; k++)
    {
      xl_number (xl, FIRST_BATCH + k, 0, exp2 ((double) k), &number);
      for (size_t p = 0; p < PAIRS; p++)
        {
          const size_t row = p * BATCHES + k;
          char formula[200];
          const live_ref x = live_cell_ref (b, speed, row);
          live_print (formula, sizeof formula, "=IF(OR($A$%zu=\"\",$B$%zu=\"\"),\"\",IF(ISNUMBER(%s),%s,\"\"))", FIRST_PAIR + p + 1,
                      FIRST_PAIR + p + 1, x.text, x.text);
          if (w->pairs[p].is_picked && isfinite (speed->value[row]))
            xl_formula (xl, FIRST_BATCH + k, p + 1, formula, speed->value[row], &number);
          else
            xl_formula_text (xl, FIRST_BATCH + k, p + 1, formula, "", &number);
        }
    }
}

static lxw_chart_series *
add_series (drawing *d, const char *name, size_t x, size_t y, size_t first, size_t last, size_t k)
{
  static const lxw_color_t colors[] = { 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7 };
  static const uint8_t dashes[] = { LXW_CHART_LINE_DASH_SOLID, LXW_CHART_LINE_DASH_DASH, LXW_CHART_LINE_DASH_LONG_DASH,
                                    LXW_CHART_LINE_DASH_DASH_DOT };
  lxw_chart_series *s = d->chart == NULL ? NULL : chart_add_series (d->chart, NULL, NULL);
  if (s == NULL)
    return NULL;
  lxw_chart_line line = { .color = colors[k % 4], .width = 2, .dash_type = dashes[k % 4] };
  lxw_chart_fill fill = { .color = colors[k % 4] };
  chart_series_set_categories (s, "What-if", (lxw_row_t) first, (lxw_col_t) x, (lxw_row_t) last, (lxw_col_t) x);
  chart_series_set_values (s, "What-if", (lxw_row_t) first, (lxw_col_t) y, (lxw_row_t) last, (lxw_col_t) y);
  chart_series_set_name (s, name);
  if (d->chart->type == LXW_CHART_SCATTER_STRAIGHT)
    chart_series_set_line (s, &line);
  else
    chart_series_set_fill (s, &fill);
  return s;
}

static void
place (whatif *w, drawing *d, size_t n)
{
  lxw_chart_options options = { .x_offset = 6, .y_offset = 6, .x_scale = 1.19, .y_scale = 1.2,
                                .object_position = LXW_OBJECT_MOVE_DONT_SIZE };
  if (d->chart != NULL)
    xl_note (&w->live->whatif, worksheet_insert_chart_opt (w->live->whatif.worksheet, (lxw_row_t) CHART_ROW,
                                                           (lxw_col_t) (n == 0 ? 0 : n == 1 ? 4 : 11), d->chart, &options),
             CHART_ROW, 0);
}

/* Four curves: every STEP-th pair from the first. */
static void
add_curves (whatif *w, sheet *s, const char *title, size_t step, size_t n)
{
  const chart_look look = { title, "batch, sequences", "tokens/s", 1, 1 };
  drawing d = drawing_start (s, LXW_CHART_SCATTER_STRAIGHT, &look);
  for (size_t k = 0; k < PICKS; k++)
    {
      char name[60];
      live_print (name, sizeof name, "=" SHEET "!$%s$%d", live_letters ((int) (k * step + 1)).text, CURVE_HEAD + 1);
      lxw_chart_series *series = add_series (&d, name, 0, k * step + 1, FIRST_BATCH, FIRST_BATCH + BATCHES - 1, k);
      for (size_t i = 0; series != NULL && i < BATCHES; i++)
        {
          drawing_remember (series->categories, exp2 ((double) i), NULL);
          drawing_remember (series->values, !w->pairs[k * step].is_picked ? NAN
                            : live_find (w->curves, "throughput@L")->value[k * step * BATCHES + i], NULL);
        }
      live_print (name, sizeof name, "%.25s on %.25s", w->models[k * step / PICKS], w->cards[k * step % PICKS]);
      if (series != NULL)
        drawing_remember (series->title.range, NAN, name);
    }
  if (d.chart != NULL)
    {
      chart_axis_set_log_base (d.along, 2);
      chart_axis_set_log_base (d.value, 10);
      chart_axis_set_num_format (d.value, "#,##0");
      chart_axis_set_min (d.along, 1);
      chart_axis_set_max (d.along, exp2 (BATCHES - 1));
    }
  place (w, &d, n);
}

/* The streams of a step on the first card, stacked. */
static void
add_streams (whatif *w, sheet *s)
{
  const chart_look look = { "The first model on the picked cards: time of one step's bytes, by stream", NULL, "ms", 0, 0 };
  drawing d = drawing_start (s, LXW_CHART_COLUMN_STACKED, &look);
  static const char *const names[] = { "weights", "KV", "state" };
  for (size_t k = 0; k < 3; k++)
    {
      lxw_chart_series *series = add_series (&d, names[k], CARD, FIRST_NUMBER + 7 + k, FIRST_PAIR, FIRST_PAIR + PICKS - 1, k);
      for (size_t i = 0; series != NULL && i < PICKS; i++)
        {
          drawing_remember (series->categories, NAN, w->cards[i]);
          drawing_remember (series->values, !w->pairs[i].is_picked ? NAN
                            : 1e3 * live_find (w->block, columns[7 + k].key)->value[i], NULL);
        }
    }
  if (d.chart != NULL)
    chart_axis_set_num_format (d.value, "#,##0.0");
  place (w, &d, 2);
}

void
live_whatif_write (live_book *live)
{
  static const xl_style title = { .flags = XL_BOLD, .size = 14 }, plain = { .color = 0x404040 };
  static const double widths[] = { 24, 24, 22 };
  whatif w = { .live = live };
  sheet s = { .xl = live->whatif };
  xl_sheet *xl = &live->whatif;
  pick_models (&w);
  pick_cards (&w);
  make_pairs (&w);
  w.block = make_block (&w, "What-if: pairs", 1, 0);
  w.curves = make_block (&w, "What-if: tokens/s against batch", BATCHES, 1);
  if (w.block == NULL || w.curves == NULL)
    return;
  xl_text (xl, TITLE_ROW, 0, "What-if: pick models and cards in the yellow cells, and compare", &title);
  xl_formula_text (xl, TEXT_ROW, 0, "=in_words", live->words, &plain);
  for (size_t i = 0; i <= LAST_COLUMN; i++)
    xl_width (xl, i, i < N_OF (widths) ? widths[i] : 11.5);
  xl_link (xl, TEXT_ROW + 1, 0, "Contents", "Back to contents");
  write_picks (&w);
  write_comparison (&w);
  write_curves (&w);
  add_curves (&w, &s, "The picked models on the first card", PICKS, 0);
  add_curves (&w, &s, "The first model on the picked cards", 1, 1);
  add_streams (&w, &s);
  worksheet_gridlines (xl->worksheet, LXW_HIDE_ALL_GRIDLINES);
  xl_print_setup (xl, TABLE_HEAD, CHART_ROW + 20, LAST_COLUMN + 1);
}
