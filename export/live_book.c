/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_inputs.h"
#include "live_own.h"
#include "llmenv_builder.h"

/* Products of larger ones would overflow. */
static int
has_huge_input (const llmenv_request *r)
{
  enum { MOST_BITS = 60 };
  const double most = ldexp (1, MOST_BITS);
  const llmenv_options *o = &r->options;
  const llmenv_settings *s = &o->settings;
  int huge = o->context > most || o->batch > most || s->reserve > most || s->count > most || s->memory > most
             || s->weight_bytes > most || s->overhead > most || s->k_bytes > most || s->v_bytes > most
             || s->weight_bytes_each > most || s->state_bytes_each > most;
  for (size_t i = 0; r->points != NULL && i < LLMENV_TABLE_POINT_COUNT; i++)
    huge |= r->points[i] > most;
  for (size_t i = 0; r->inputs != NULL && llmenv_own_field_get (i) != NULL; i++)
    {
      llmenv_own_fields own = r->inputs->own_model;
      huge |= *llmenv_own_field_at (&own, i) > most;
    }
  return huge || (r->inputs != NULL && (r->inputs->price > most || r->inputs->own_peak > most
                                        || r->inputs->own_bandwidth > most || r->inputs->own_memory > most));
}

int
live_can (const llmenv_request *request, const char **why)
{
  const int pieces = live_data_pieces (request->catalogue, &request->options);
  *why = request->options.settings.engine.engine != LLMENV_ENGINE_IDEAL
         ? "an engine allocates by rules that formulas do not have"
         : has_huge_input (request) ? "an input is too large for a spreadsheet to compute with"
         : request->contexts != NULL ? "a mix of contexts is summed by the core"
         : request->as_printed ? "printed tables do not follow inputs"
         : pieces > LIVE_PIECES ? "a model has more lengths of windows than formulas take" : NULL;
  return *why == NULL;
}

/* ---- the book ------------------------------------------------------------------ */

/* The own card is the request's card until an analyst changes it; a price of 1
 * makes the cost of a million tokens a share of any. */
static void
propose_own (llmenv_request *r, llmenv_inputs *own)
{
  llmenv_options o = r->options;
  *own = r->inputs == NULL ? llmenv_inputs_default () : *r->inputs;
  r->inputs = own;
  o.settings.convention = LLMENV_LAYERED;
  const llmenv_card card = llmenv_card_numbers_get (llmenv_catalogue_card (r->catalogue, o.card), &o).card;
  if (isnan (own->price))
    own->price = 1;
  if (isnan (own->own_peak))
    own->own_peak = isnan (card.peak) ? 100 : card.peak / 1e12;
  if (isnan (own->own_bandwidth))
    own->own_bandwidth = isnan (card.bandwidth) ? 1000 : card.bandwidth / 1e9;
  if (isnan (own->own_memory))
    own->own_memory = isnan (card.memory) ? 32 : card.memory / 1e9;
}

void
live_book_open (live_book *live, xl_book *book, const llmenv_request *request)
{
  *live = (live_book) { .own = *request, .request = &live->own, .book = book, .next_row = LIVE_FIRST,
                        .data = { .catalogue = request->catalogue, .options = request->options,
                                  .n_pieces = live_data_pieces (request->catalogue, &request->options) } };
  book->is_live = 1;
  propose_own (&live->own, &live->own_inputs);
  live->inputs = xl_sheet_add (book, "Inputs");
  live->whatif = xl_sheet_add (book, "What-if");
  live->own_sheet = xl_sheet_add (book, "Own model");
}

static void
head_calc (xl_sheet *xl, const char *title)
{
  static const xl_style bold = { .flags = XL_BOLD, .size = 14 }, plain = { .color = 0x404040 };
  xl_text (xl, 0, 0, title, &bold);
  xl_text (xl, 1, 0, "Under each block's title its formulas in words ({name}: the column of that name), then the names. "
           "1E+300 stands for infinite.", &plain);
}

/* What is only looked at to see how a figure comes about is hidden: it would
 * print on hundreds of pages. */
static void
finish_sheets (live_book *live)
{
  xl_sheet *hidden[] = { &live->data.models, &live->data.cards, &live->lists, &live->models, &live->cards, &live->tables };
  xl_sheet *shown[] = { &live->inputs, &live->whatif, &live->own_sheet };
  for (size_t i = 0; i < N_OF (hidden); i++)
    {
      worksheet_hide (hidden[i]->worksheet);
      worksheet_set_tab_color (hidden[i]->worksheet, 0xBFBFBF);
    }
  for (size_t i = 0; i < N_OF (shown); i++)
    worksheet_set_tab_color (shown[i]->worksheet, 0xC00000);
}

void
live_book_data (live_book *live)
{
  static const llmenv_convention conventions[] = { LLMENV_LAYERED, LLMENV_PUBLISHED };
  live->data.models = xl_sheet_add (live->book, "Data models");
  live->data.cards = xl_sheet_add (live->book, "Data cards");
  live->lists = xl_sheet_add (live->book, "Data lists");
  live->models = xl_sheet_add (live->book, "Calc models");
  live->cards = xl_sheet_add (live->book, "Calc cards");
  live->tables = xl_sheet_add (live->book, "Calc tables");
  if (live->book->error != LXW_NO_ERROR)
    return;
  head_calc (&live->models, "Where rankings of models are computed");
  head_calc (&live->cards, "Where rankings of cards are computed");
  head_calc (&live->tables, "Where tables with rows of their own are computed");
  live_data_write (&live->data);
  live_inputs_write (&live->inputs, &live->lists, &live->data, live->request, live->words, sizeof live->words);
  live_own_data (live);
  for (size_t i = 0; i < 2; i++)
    {
      live_open_models (live, conventions[i], LIVE_FIRST + i * (live->data.catalogue->n_models + LIVE_GAP));
      live_open_cards (live, conventions[i], LIVE_FIRST + i * (live->data.catalogue->n_cards + LIVE_GAP));
    }
  live_own_write (live);
  live_whatif_write (live);
  finish_sheets (live);
}

void
live_book_free (live_book *live)
{
  for (int i = 0; i < 2; i++)
    {
      live_block_free (live->of_models[i]);
      live_block_free (live->of_cards[i]);
    }
  for (size_t i = 0; i < live->n_tables; i++)
    live_block_free (live->of_table[i]);
}
