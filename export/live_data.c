/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODELS "'Data models'"
#define CARDS "'Data cards'"

enum { TITLE_ROW, TEXT_ROW, GROUP_ROW = 3, HEAD_ROW };

/* ---- places ------------------------------------------------------------ */

static int
columns_of_convention (const live_data *d)
{
  return 1 + LIVE_MODEL_COLUMN_COUNT + d->n_pieces * LIVE_PIECE_COLUMN_COUNT;
}

int
live_why_at (const live_data *d, llmenv_convention convention)
{
  return 1 + (convention == LLMENV_PUBLISHED) * columns_of_convention (d);
}

int
live_model_at (const live_data *d, llmenv_convention convention, live_model_column column)
{
  return live_why_at (d, convention) + 1 + (int) column;
}

int
live_piece_at (const live_data *d, llmenv_convention convention, int piece,
               live_piece_column column)
{
  return live_why_at (d, convention) + 1 + LIVE_MODEL_COLUMN_COUNT
         + piece * LIVE_PIECE_COLUMN_COUNT + (int) column;
}

int
live_card_at (llmenv_convention convention, live_card_column column)
{
  return 1 + (convention == LLMENV_PUBLISHED) * LIVE_CARD_COLUMN_COUNT + (int) column;
}

size_t
live_own_model_row (const live_data *d)
{
  return LIVE_DATA_FIRST + d->catalogue->n_models;
}

size_t
live_own_card_row (const live_data *d)
{
  return LIVE_DATA_FIRST + d->catalogue->n_cards;
}

static live_ref
range (const char *sheet, int column, size_t last)
{
  live_ref r;
  const live_name letters = live_letters (column);
  snprintf (r.text, sizeof r.text, "%s!$%s$%d:$%s$%zu", sheet, letters.text,
            LIVE_DATA_FIRST + 1, letters.text, last + 1);
  return r;
}

live_ref
live_model_range (const live_data *d, int column)
{
  return range (MODELS, column, live_own_model_row (d));
}

live_ref
live_card_range (const live_data *d, int column)
{
  return range (CARDS, column, live_own_card_row (d));
}

size_t
live_model_index (const live_data *d, const llmenv_model_record *model)
{
  for (size_t i = 0; i < d->catalogue->n_models; i++)
    if (d->catalogue->models[i] == model)
      return i + 1;
  return 0;
}

/* ---- what the core makes of a model ------------------------------------ */

/* The envelope with EACH bytes a weight (NaN: as released) and K and V bytes. */
static llmenv_envelope
envelope_of (const live_data *d, const llmenv_model *model, llmenv_convention convention,
             llmenv_basis basis, double each, double k, double v)
{
  llmenv_envelope e = { .kv_reason = LLMENV_NO_RECORD };
  llmenv_settings s = llmenv_settings_default (convention);
  s.embedding = d->options.settings.embedding;
  s.chunk = d->options.settings.chunk;
  s.state_bytes_each = d->options.settings.state_bytes_each;
  s.basis = basis;
  s.weight_bytes_each = each;
  s.k_bytes = k;
  s.v_bytes = v;
  llmenv_envelope_make (model, NULL, &s, &e);
  return e;
}

int
live_data_pieces (const llmenv_catalogue *catalogue, const llmenv_options *options)
{
  const live_data d = { .options = *options };
  int most = 2;
  for (size_t i = 0; i < catalogue->n_models; i++)
    {
      const llmenv_envelope e = envelope_of (&d, &catalogue->models[i]->model, LLMENV_LAYERED,
                                             LLMENV_TOUCHED, 1, 1, 1);
      most = e.n_pieces > most ? e.n_pieces : most;
    }
  return most;
}

static void
write_value (xl_sheet *xl, size_t row, int column, double x)
{
  static const xl_style plain = { .number = "General" };
  if (isfinite (x))
    xl_number (xl, row, (size_t) column, x, &plain);
  else
    xl_text (xl, row, (size_t) column, isnan (x) ? LIVE_NO_RECORD : "unbounded", &plain);
}

void
live_model_values (const live_data *d, const llmenv_model *m, llmenv_convention c,
                   double longest, double value[LIVE_MODEL_COLUMN_COUNT])
{
  for (int released = 0; released < 2; released++)
    {
      const double each = released ? NAN : 1;
      const llmenv_envelope active = envelope_of (d, m, c, LLMENV_ACTIVE, each, 1, 1);
      const llmenv_envelope touched = envelope_of (d, m, c, LLMENV_TOUCHED, each, 1, 1);
      const llmenv_envelope resident = envelope_of (d, m, c, LLMENV_RESIDENT, each, 1, 1);
      value[LIVE_M_held_p + released] = touched.held;
      value[LIVE_M_S_p + released] = touched.always;
      value[LIVE_M_X_p + released] = touched.routed;
      value[LIVE_M_Wa_p + released] = llmenv_envelope_weights (&active, 1);
      value[LIVE_M_Wr_p + released] = llmenv_envelope_weights (&resident, 1);
      value[LIVE_M_ww_p + released] = touched.wall_weights;
      value[LIVE_M_share] = touched.share;
      value[LIVE_M_F] = touched.flops;
      value[LIVE_M_wf] = touched.wall_flops;
    }
  value[LIVE_M_longest] = longest;
}

/* Sums are linear in the bytes of K and of V: three of them give the factors,
 * exactly, as all are whole numbers (or quarters). */
void
live_piece_values (const live_data *d, const llmenv_model *m, llmenv_convention c,
                   int piece, double value[LIVE_PIECE_COLUMN_COUNT])
{
  const llmenv_envelope e11 = envelope_of (d, m, c, LLMENV_TOUCHED, 1, 1, 1);
  const llmenv_envelope e21 = envelope_of (d, m, c, LLMENV_TOUCHED, 1, 2, 1);
  const llmenv_envelope e12 = envelope_of (d, m, c, LLMENV_TOUCHED, 1, 1, 2);
  const int i = piece < e11.n_pieces ? piece : e11.n_pieces - 1;
  const llmenv_piece *a = &e11.piece[i], *k = &e21.piece[i], *v = &e12.piece[i];
  value[LIVE_P_end] = piece < e11.n_pieces ? a->end : LIVE_NO_END;
  for (int s = 0; s < 2; s++)
    {
      const int at = s == LLMENV_HELD ? LIVE_P_hck : LIVE_P_rck;
      value[at] = k->constant[s] - a->constant[s];
      value[at + 1] = v->constant[s] - a->constant[s];
      value[at + 2] = a->constant[s] - value[at] - value[at + 1];
      value[at + 3] = k->slope[s] - a->slope[s];
      value[at + 4] = v->slope[s] - a->slope[s];
    }
  value[LIVE_P_fc] = a->constant[LLMENV_FLOPS];
  value[LIVE_P_fs] = a->slope[LLMENV_FLOPS];
}

static void
write_values (live_data *d, const llmenv_model *m, llmenv_convention c, double longest, size_t row)
{
  double value[LIVE_MODEL_COLUMN_COUNT], of_piece[LIVE_PIECE_COLUMN_COUNT];
  live_model_values (d, m, c, longest, value);
  for (int i = 0; i < LIVE_MODEL_COLUMN_COUNT; i++)
    write_value (&d->models, row, live_model_at (d, c, (live_model_column) i), value[i]);
  for (int p = 0; p < d->n_pieces; p++)
    {
      live_piece_values (d, m, c, p, of_piece);
      for (int n = 0; n < LIVE_PIECE_COLUMN_COUNT; n++)
        write_value (&d->models, row, live_piece_at (d, c, p, (live_piece_column) n), of_piece[n]);
    }
}

static void
write_model (live_data *d, const llmenv_model_record *record, size_t row)
{
  static const xl_style plain = { 0 };
  xl_text (&d->models, row, 0, record->id, &plain);
  for (int c = 0; c < 2; c++)
    {
      const llmenv_convention convention = (llmenv_convention) c;
      const char *why = record->model.kv_reason == LLMENV_NOT_APPLICABLE
                        ? llmenv_reason_word (LLMENV_NOT_APPLICABLE) : LIVE_NO_RECORD;
      xl_text (&d->models, row, (size_t) live_why_at (d, convention), why, &plain);
      write_values (d, &record->model, convention,
                    llmenv_record_number (record->json, "max_position_embeddings", convention), row);
    }
}

/* ---- headers ----------------------------------------------------------- */

static void
write_model_heads (live_data *d)
{
  static const struct { const char *name, *what; } columns[] = {
#define X(name, what) { #name, what },
    LIVE_MODEL_COLUMNS (X)
#undef X
  }, pieces[] = {
#define X(name, what) { #name, what },
    LIVE_PIECE_COLUMNS (X)
#undef X
  };
  static const xl_style head = { .flags = XL_HEAD }, bold = { .flags = XL_BOLD };
  char text[40];
  xl_text (&d->models, HEAD_ROW, 0, "model", &head);
  for (int c = 0; c < 2; c++)
    {
      const llmenv_convention convention = (llmenv_convention) c;
      const size_t why = (size_t) live_why_at (d, convention);
      xl_text (&d->models, GROUP_ROW, why, convention == LLMENV_LAYERED ? "layered" : "published", &bold);
      xl_text (&d->models, HEAD_ROW, why, "why", &head);
      xl_comment (&d->models, HEAD_ROW, why, "the word where the cache has no value");
      for (int i = 0; i < LIVE_MODEL_COLUMN_COUNT; i++)
        {
          const size_t at = (size_t) live_model_at (d, convention, (live_model_column) i);
          xl_text (&d->models, HEAD_ROW, at, columns[i].name, &head);
          xl_comment (&d->models, HEAD_ROW, at, columns[i].what);
        }
      for (int p = 0; p < d->n_pieces; p++)
        for (int i = 0; i < LIVE_PIECE_COLUMN_COUNT; i++)
          {
            const size_t at = (size_t) live_piece_at (d, convention, p, (live_piece_column) i);
            snprintf (text, sizeof text, "%s%d", pieces[i].name, p);
            xl_text (&d->models, HEAD_ROW, at, text, &head);
            xl_comment (&d->models, HEAD_ROW, at, pieces[i].what);
          }
    }
}

static void
write_cards (live_data *d)
{
  static const char *const names[] = { "peak", "bandwidth", "memory" };
  static const char *const units[] = { "FLOP/s", "bytes/s", "bytes" };
  static const xl_style head = { .flags = XL_HEAD }, plain = { 0 }, bold = { .flags = XL_BOLD };
  char text[60];
  xl_text (&d->cards, HEAD_ROW, 0, "card", &head);
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < LIVE_CARD_COLUMN_COUNT; i++)
      {
        const size_t at = (size_t) live_card_at ((llmenv_convention) c, (live_card_column) i);
        if (i == 0)
          xl_text (&d->cards, GROUP_ROW, at, c == LLMENV_LAYERED ? "layered" : "published", &bold);
        snprintf (text, sizeof text, "%s\n[%s]", names[i], units[i]);
        xl_text (&d->cards, HEAD_ROW, at, text, &head);
        xl_width (&d->cards, at, 18);
      }
  for (size_t r = 0; r < d->catalogue->n_cards; r++)
    {
      const llmenv_card_record *card = d->catalogue->cards[r];
      xl_text (&d->cards, LIVE_DATA_FIRST + r, 0, card->id, &plain);
      for (int c = 0; c < 2; c++)
        {
          const llmenv_card n = live_card_of (d, card, (llmenv_convention) c);
          const double value[] = { n.peak, n.bandwidth, n.memory };
          for (int i = 0; i < LIVE_CARD_COLUMN_COUNT; i++)
            write_value (&d->cards, LIVE_DATA_FIRST + r,
                         live_card_at ((llmenv_convention) c, (live_card_column) i), value[i]);
        }
    }
  xl_text (&d->cards, live_own_card_row (d), 0, LLMENV_OWN_CARD, &plain);
}

llmenv_card
live_card_of (const live_data *d, const llmenv_card_record *card, llmenv_convention convention)
{
  llmenv_options o = d->options;
  o.settings.convention = convention;
  return llmenv_card_numbers_get (card, &o).card;
}

void
live_data_write (live_data *d)
{
  static const xl_style title = { .flags = XL_BOLD, .size = 14 }, plain = { .color = 0x404040 };
  xl_text (&d->models, TITLE_ROW, 0, "What formulas read of each model", &title);
  xl_text (&d->models, TEXT_ROW, 0, "Made by the core from the records, before the Inputs: weights by what a step does with "
           "them, and the sums over layers as straight pieces. The last row is the model of sheet Own model.", &plain);
  xl_text (&d->cards, TITLE_ROW, 0, "What formulas read of each card", &title);
  xl_text (&d->cards, TEXT_ROW, 0, "One card, before count and efficiencies. The last row is the card that sheet Inputs "
           "describes.", &plain);
  write_model_heads (d);
  for (size_t r = 0; r < d->catalogue->n_models; r++)
    write_model (d, d->catalogue->models[r], LIVE_DATA_FIRST + r);
  write_cards (d);
  xl_width (&d->models, 0, 34);
  xl_width (&d->cards, 0, 34);
  worksheet_freeze_panes (d->models.worksheet, LIVE_DATA_FIRST, 1);
  worksheet_freeze_panes (d->cards.worksheet, LIVE_DATA_FIRST, 1);
}
