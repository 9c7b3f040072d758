/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model by its dimensions.  Its row on Data models is the one that the core
 * makes for records (live_data.c), here in formulas. */
#include "live_own.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "live_quantity.h"
#include "llmenv_builder.h"

#define SHEET "'Own model'"

enum { TITLE_ROW, TEXT_ROW, HEAD_ROW = 3, FIRST_ROW };
enum { WHAT, VALUE, UNIT, NAME, GAP_COLUMN, QUANTITY, QUESTION, LAYERED, PUBLISHED, QUNIT };

/* ---- the row of data ------------------------------------------------------- */

#define HEADS "om_kv_heads*om_k_dim"
#define HEADS_V "om_kv_heads*om_v_dim"
#define FULL_K "om_layers*IF(om_rank>0,om_rank+om_rope_dim," HEADS ")"
#define FULL_V "om_layers*IF(om_rank>0,0," HEADS_V ")"
#define FULL_F "om_layers*2*om_q_heads*IF(om_rank>0,2*om_rank+om_rope_dim,om_k_dim+om_v_dim)"
#define WINDOW_F "om_window_layers*2*om_q_heads*(om_k_dim+om_v_dim)"
#define STATE "om_recurrent_layers*om_state_elements*om_state_bytes"
/* As the core: share 1 without experts or without routed weights. */
#define SHARE "IF(om_experts*om_expert_params>0,om_top/om_experts,1)"
#define ELEMENTS "(" FULL_K "+" FULL_V "+om_window_layers*(" HEADS "+" HEADS_V "))"

/* Of the sums: the piece before the window's end, and the one after it. */
static const struct { live_piece_column column; const char *first, *later; } layered_pieces[] = {
  { LIVE_P_end, "0", "IF(om_window_layers>0,om_window,1E+280)" },
  { LIVE_P_hck, "0", "om_window_layers*om_window*" HEADS }, { LIVE_P_hcv, "0", "om_window_layers*om_window*" HEADS_V },
  { LIVE_P_hc0, STATE, STATE },
  { LIVE_P_hsk, FULL_K "+om_window_layers*" HEADS, FULL_K }, { LIVE_P_hsv, FULL_V "+om_window_layers*" HEADS_V, FULL_V },
  { LIVE_P_rck, "0", "om_window_layers*om_window*" HEADS }, { LIVE_P_rcv, "0", "om_window_layers*om_window*" HEADS_V },
  { LIVE_P_rc0, "2*" STATE, "2*" STATE },
  { LIVE_P_rsk, FULL_K "+om_window_layers*" HEADS, FULL_K }, { LIVE_P_rsv, FULL_V "+om_window_layers*" HEADS_V, FULL_V },
  { LIVE_P_fc, "0", "om_window*(" WINDOW_F ")" }, { LIVE_P_fs, FULL_F "+" WINDOW_F, FULL_F },
}, published_pieces[] = {
  { LIVE_P_end, "0", "1E+280" },
  { LIVE_P_hck, "0", "0" }, { LIVE_P_hcv, "0", "0" }, { LIVE_P_hc0, "0", "0" },
  { LIVE_P_hsk, ELEMENTS "/2", ELEMENTS "/2" }, { LIVE_P_hsv, ELEMENTS "/2", ELEMENTS "/2" },
  { LIVE_P_rck, "0", "0" }, { LIVE_P_rcv, "0", "0" }, { LIVE_P_rc0, "0", "0" },
  { LIVE_P_rsk, ELEMENTS "/2", ELEMENTS "/2" }, { LIVE_P_rsv, ELEMENTS "/2", ELEMENTS "/2" },
  { LIVE_P_fc, "0", "0" },
  { LIVE_P_fs, "IF(" ELEMENTS "=0,0,2*" ELEMENTS "*IF(om_rank>0,1,om_q_heads/om_kv_heads))",
    "IF(" ELEMENTS "=0,0,2*" ELEMENTS "*IF(om_rank>0,1,om_q_heads/om_kv_heads))" },
};

#define ALWAYS "(om_params-om_lookup_params%s-om_expert_params)"
#define ACTIVE "(om_params-om_expert_params*(1-" SHARE "))"

/* Weights in units of 1e9 parameters; of the bytes twice that. */
static const struct { live_model_column column; const char *layered, *published; } weights[] = {
  { LIVE_M_held_p, "om_params", "om_params" },
  { LIVE_M_S_p, "{S}", "IF(om_experts=0," ACTIVE ",om_params-(om_params-" ACTIVE ")/(1-" SHARE "))" },
  { LIVE_M_X_p, "om_expert_params", "IF(OR(om_experts=0," ACTIVE "=om_params),0,(om_params-" ACTIVE ")/(1-" SHARE "))" },
  { LIVE_M_Wa_p, "{S}+om_expert_params*" SHARE, ACTIVE },
  { LIVE_M_Wr_p, "{S}+om_expert_params", "om_params" },
};

/* One cell of the row, with the core's value. */
static void
put (live_book *live, int column, const char *formula, double value)
{
  static const xl_style plain = { .number = "General" };
  char whole[LIVE_FORMULA];
  const size_t row = live_own_model_row (&live->data);
  live_print (whole, sizeof whole, "=IFERROR(%s,\"" LIVE_NO_RECORD "\")", formula);
  if (isnan (value))
    xl_formula_text (&live->data.models, row, (size_t) column, whole, LIVE_NO_RECORD, &plain);
  else
    xl_formula (&live->data.models, row, (size_t) column, whole, value, &plain);
}

/* {S} of TEXT: what every step streams. */
static const char *
with_always (const live_book *live, const char *text, char *out, size_t size)
{
  const int streamed = live->request->options.settings.embedding == LLMENV_STREAMED;
  char always[100];
  live_print (always, sizeof always, ALWAYS, streamed ? "*0" : "");
  if (strncmp (text, "{S}", 3) == 0)
    live_print (out, size, "%s%s", always, text + 3);
  else
    live_print (out, size, "%s", text);
  return out;
}

static void
put_weights (live_book *live, llmenv_convention c)
{
  double value[LIVE_MODEL_COLUMN_COUNT];
  char amount[600], formula[700];
  live_model_values (&live->data, &live->own_model, c, live->request->inputs->own_model.longest, value);
  for (size_t i = 0; i < N_OF (weights); i++)
    {
      with_always (live, c == LLMENV_PUBLISHED ? weights[i].published : weights[i].layered, amount, sizeof amount);
      for (int bytes = 0; bytes < 2; bytes++)
        {
          const live_model_column at = weights[i].column + (live_model_column) bytes;
          live_print (formula, sizeof formula, "(%s)*1E9%s", amount, bytes ? "*2" : "");
          put (live, live_model_at (&live->data, c, at), formula, value[at]);
        }
    }
  put (live, live_model_at (&live->data, c, LIVE_M_share), SHARE, value[LIVE_M_share]);
  if (c == LLMENV_PUBLISHED)
    live_print (amount, sizeof amount, "%s", ACTIVE);
  else
    with_always (live, "{S}+om_expert_params*" SHARE, amount, sizeof amount);
  live_print (formula, sizeof formula, "2E9*(%s)", amount);
  put (live, live_model_at (&live->data, c, LIVE_M_F), formula, value[LIVE_M_F]);
  put (live, live_model_at (&live->data, c, LIVE_M_wf), formula, value[LIVE_M_wf]);
  put (live, live_model_at (&live->data, c, LIVE_M_longest), "om_longest", value[LIVE_M_longest]);
  for (int i = LIVE_M_ww_p; i <= LIVE_M_ww_b; i++)
    xl_text (&live->data.models, live_own_model_row (&live->data),
             (size_t) live_model_at (&live->data, c, (live_model_column) i), LIVE_NO_RECORD, &(xl_style) { 0 });
}

static void
put_pieces (live_book *live, llmenv_convention c)
{
  for (int p = 0; p < live->data.n_pieces; p++)
    {
      double value[LIVE_PIECE_COLUMN_COUNT];
      live_piece_values (&live->data, &live->own_model, c, p, value);
      for (size_t i = 0; i < N_OF (layered_pieces); i++)
        {
          const int of_layers = c == LLMENV_LAYERED;
          const char *first = of_layers ? layered_pieces[i].first : published_pieces[i].first;
          const char *later = of_layers ? layered_pieces[i].later : published_pieces[i].later;
          const live_piece_column at = layered_pieces[i].column;
          put (live, live_piece_at (&live->data, c, p, at),
               p == 0 ? first : p > 1 && at == LIVE_P_end ? "1E+280" : later, value[at]);
        }
    }
}

void
live_own_data (live_book *live)
{
  static const llmenv_convention both[] = { LLMENV_LAYERED, LLMENV_PUBLISHED };
  const size_t row = live_own_model_row (&live->data);
  live->own_model = llmenv_own_model_make (&live->request->inputs->own_model, live->own_layers, live->own_parts);
  xl_text (&live->data.models, row, 0, LLMENV_OWN_MODEL, &(xl_style) { 0 });
  for (size_t i = 0; i < 2; i++)
    {
      xl_text (&live->data.models, row, (size_t) live_why_at (&live->data, both[i]), LIVE_NO_RECORD, &(xl_style) { 0 });
      put_weights (live, both[i]);
      put_pieces (live, both[i]);
    }
}

/* ---- the sheet --------------------------------------------------------------- */

static void
write_field (xl_sheet *xl, size_t row, const llmenv_own_field_info *f, double x)
{
  static const xl_style rule = { .flags = XL_RULE }, muted = { .flags = XL_RULE, .color = 0x7F7F7F };
  static const xl_style indented = { .flags = XL_RULE | XL_INDENT };
  const xl_style input = { .flags = XL_RULE | XL_RIGHT, .fill = 0xFFF2CC,
                           .number = x == floor (x) ? "#,##0" : "#,##0.#########" };
  char name[40], title[33], formula[80], what[120];
  lxw_data_validation v = { .validate = LXW_VALIDATION_TYPE_DECIMAL,
                            .criteria = LXW_VALIDATION_CRITERIA_GREATER_THAN_OR_EQUAL_TO,
                            .input_title = title, .input_message = what, .error_title = title,
                            .error_message = "A number, 0 or more." };
  live_print (name, sizeof name, "om_%s", f->name);
  live_print (title, sizeof title, "%s", f->name);
  live_print (what, sizeof what, "%c%s", toupper ((unsigned char) f->what[0]), f->what + 1);
  xl_text (xl, row, WHAT, what, &rule);
  xl_number (xl, row, VALUE, x, &input);
  xl_text (xl, row, UNIT, f->unit, &indented);
  xl_text (xl, row, NAME, name, &muted);
  live_print (formula, sizeof formula, "=" SHEET "!$B$%zu", row + 1);
  xl_note (xl, workbook_define_name (xl->book->workbook, name, formula), row, VALUE);
  xl_note (xl, worksheet_data_validation_cell (xl->worksheet, (lxw_row_t) row, VALUE, &v), row, VALUE);
}

/* The own model on the card of the Inputs, as one row of formulas. */
static live_block *
own_block (live_book *live, llmenv_convention c)
{
  const llmenv_options *o = &live->request->options;
  const live_who who = { &live->own_model, live->data.catalogue->n_models + 1, live->request->inputs->own_model.longest };
  const llmenv_card_record *card = llmenv_catalogue_card (live->data.catalogue, o->card);
  const llmenv_card one = live_card_of (&live->data, card, c);
  live_block *b = live_block_add (live, 1, c, c == LLMENV_LAYERED ? "Own model, layered" : "Own model, published");
  if (b == NULL)
    return NULL;
  live_row_fill (b, 0, &who, &one, &o->settings, NAN, o->batch, o->context);
  const live_ref chosen = live_match_card (live);
  const live_follows f = { NULL, chosen.text, "in_k_bytes", "in_v_bytes", "in_batch", "in_context" };
  live_about (b, 0, live_card_place (live, card), "in_count", &o->settings, &f);
  live_complete (live, b);
  return b;
}

static void
write_envelope_cell (live_book *live, live_block *b, llmenv_quantity q, size_t row, size_t column)
{
  const llmenv_quantity_info *info = llmenv_quantity_get (q);
  const live_at_point at = info->takes & LLMENV_TAKES_BYTES ? live_at_memory () : live_at_row ();
  live_column *c = live_quantity (b, q, LLMENV_BASIS_DEFAULT, &at);
  const double scale = strcmp (info->unit, "bytes") == 0 ? 1e-9 : 1;
  const int fits = q == LLMENV_Q_fill || q == LLMENV_Q_capacity;
  const xl_style style = { .number = strcmp (info->unit, "tokens") == 0 ? "#,##0" : "#,##0.00", .flags = XL_RULE | XL_RIGHT };
  char formula[LIVE_FORMULA];
  live_shown (formula, sizeof formula, live_cell_ref (b, c, 0).text, info->inf_word,
              fits ? llmenv_reason_word (LLMENV_DOES_NOT_FIT) : "", "\"" LIVE_NO_RECORD "\"", scale, LIVE_AS_IS);
  const double value = c->value[0];
  const llmenv_reason reason = llmenv_quantity_reason (q, &b->row[0].envelope[0], value);
  if (reason == LLMENV_HAS_VALUE)
    xl_formula (&live->own_sheet, row, column, formula, value * scale, &style);
  else
    xl_formula_text (&live->own_sheet, row, column, formula, llmenv_reason_word (reason), &style);
}

static void
write_envelope (live_book *live)
{
  static const xl_style rule = { .flags = XL_RULE }, indented = { .flags = XL_RULE | XL_INDENT };
  live_block *layered = own_block (live, LLMENV_LAYERED), *published = own_block (live, LLMENV_PUBLISHED);
  if (layered == NULL || published == NULL)
    return;
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
      const size_t row = FIRST_ROW + (size_t) q;
      xl_text (&live->own_sheet, row, QUANTITY, info->name, &rule);
      xl_text (&live->own_sheet, row, QUESTION, info->title, &rule);
      write_envelope_cell (live, layered, (llmenv_quantity) q, row, LAYERED);
      write_envelope_cell (live, published, (llmenv_quantity) q, row, PUBLISHED);
      xl_text (&live->own_sheet, row, QUNIT, strcmp (info->unit, "bytes") == 0 ? "GB" : info->unit, &indented);
    }
}

/* What contradicts itself, in words. */
static void
write_check (xl_sheet *xl)
{
  static const xl_style red = { .flags = XL_BOLD, .color = 0xC00000 };
  xl_formula_text (xl, TEXT_ROW + 1, 0, "=IF(om_params<om_lookup_params+om_expert_params,\"Embedding and experts have more parameters "
                   "than the model.\",IF(om_top>om_experts,\"A token has more experts than a layer.\",\"\"))", "", &red);
}

void
live_own_write (live_book *live)
{
  static const char *const heads[] = { "Dimension", "Value", "Unit", "Name", "", "Quantity", "What it answers", "Layered", "Published", "Unit" };
  static const double widths[] = { 58, 16, 16, 22, 3, 16, 52, 16, 16, 12 };
  static const xl_style head = { .flags = XL_HEAD }, right = { .flags = XL_HEAD | XL_RIGHT };
  static const xl_style indented = { .flags = XL_HEAD | XL_INDENT };
  static const xl_style title = { .flags = XL_BOLD, .size = 14 }, plain = { .color = 0x404040 };
  const llmenv_own_field_info *f;
  xl_sheet *xl = &live->own_sheet;
  llmenv_inputs own = *live->request->inputs;
  xl_text (xl, TITLE_ROW, 0, "Own model: type its dimensions, and read its envelope", &title);
  xl_text (xl, TEXT_ROW, 0, "On the card, context, batch and types of sheet Inputs; kv_context at the card's memory. Sheet What-if "
           "compares it as " LLMENV_OWN_MODEL ". As written: llama-3-1-8b.", &plain);
  xl_link (xl, TEXT_ROW + 1, QUANTITY, "Contents", "Back to contents");
  for (size_t i = 0; i < N_OF (heads); i++)
    {
      if (*heads[i] != '\0')
        xl_text (xl, HEAD_ROW, i, heads[i], i == VALUE || i == LAYERED || i == PUBLISHED ? &right
                 : i == UNIT || i == QUNIT ? &indented : &head);
      xl_width (xl, i, widths[i]);
    }
  for (size_t i = 0; (f = llmenv_own_field_get (i)) != NULL; i++)
    write_field (xl, FIRST_ROW + i, f, *llmenv_own_field_at (&own.own_model, i));
  write_envelope (live);
  write_check (xl);
  worksheet_gridlines (xl->worksheet, LXW_HIDE_ALL_GRIDLINES);
  worksheet_freeze_panes (xl->worksheet, FIRST_ROW, 0);
  xl_print_setup (xl, HEAD_ROW, FIRST_ROW + 18, QUNIT);
}
