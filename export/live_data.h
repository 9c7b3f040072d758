/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record sheets that formulas read: what the core makes of each model and
 * card before the Inputs come in.  One row a model (the last: the analyst's
 * own), the columns below once for each convention; one row a card. */
#ifndef LIVE_DATA_H
#define LIVE_DATA_H

#include "live_calc.h"
#include "llmenv_inputs.h"

/* Weights: _p in parameters, _b in bytes as released.  X (name, what) */
#define LIVE_MODEL_COLUMNS(X)                                                 \
  X (held_p, "parameters in memory") X (held_b, "bytes in memory, as released") \
  X (S_p, "always streamed, parameters") X (S_b, "always streamed, bytes")    \
  X (X_p, "experts, parameters") X (X_b, "experts, bytes")                    \
  X (Wa_p, "active, parameters") X (Wa_b, "active, bytes")                    \
  X (Wr_p, "all that can be streamed, parameters") X (Wr_b, "the same, bytes") \
  X (share, "e/E") X (F, "2P, FLOP per token")                                \
  X (wf, "2P of walls and B*") X (ww_p, "weights of walls and B*, where not the step's, parameters") \
  X (ww_b, "the same, bytes") X (longest, "context that the model advertises")

/* Of each piece of the sums over layers (from a window's end on): constant and
 * slope of bytes held and read, as factors of the bytes per K and V element and
 * what is fixed; of attention FLOP. */
#define LIVE_PIECE_COLUMNS(X)                                                 \
  X (end, "tokens at which the piece begins")                                 \
  X (hck, "held, x K bytes") X (hcv, "held, x V bytes") X (hc0, "held, bytes") \
  X (hsk, "held per token, x K bytes") X (hsv, "held per token, x V bytes")   \
  X (rck, "read, x K bytes") X (rcv, "read, x V bytes") X (rc0, "read, bytes") \
  X (rsk, "read per token, x K bytes") X (rsv, "read per token, x V bytes")   \
  X (fc, "attention FLOP") X (fs, "attention FLOP per token of context")

typedef enum
{
#define X(name, what) LIVE_M_##name,
  LIVE_MODEL_COLUMNS (X)
#undef X
  LIVE_MODEL_COLUMN_COUNT
} live_model_column;

typedef enum
{
#define X(name, what) LIVE_P_##name,
  LIVE_PIECE_COLUMNS (X)
#undef X
  LIVE_PIECE_COLUMN_COUNT
} live_piece_column;

typedef enum { LIVE_C_peak, LIVE_C_bandwidth, LIVE_C_memory, LIVE_CARD_COLUMN_COUNT } live_card_column;

typedef struct
{
  const llmenv_catalogue *catalogue;
  llmenv_options options;      /* of the request */
  int n_pieces;                /* most of any model, 2 at least */
  xl_sheet models, cards;
} live_data;

/* Most pieces of any model of CATALOGUE under SETTINGS (2 at least). */
int live_data_pieces (const llmenv_catalogue *catalogue, const llmenv_options *options);

/* Write both sheets; the own model's row and the own card's are left to their
 * sheets (live_own.h, live_inputs.h). */
void live_data_write (live_data *data);

/* Rows of the own model and the own card, from 0 on the sheet. */
size_t live_own_model_row (const live_data *data);
size_t live_own_card_row (const live_data *data);
enum { LIVE_DATA_FIRST = 5 };

/* Columns on the sheet. */
int live_model_at (const live_data *data, llmenv_convention convention, live_model_column column);
int live_piece_at (const live_data *data, llmenv_convention convention, int piece,
                   live_piece_column column);
int live_why_at (const live_data *data, llmenv_convention convention);
int live_card_at (llmenv_convention convention, live_card_column column);

/* All cells of a column, own rows included. */
live_ref live_model_range (const live_data *data, int column);
live_ref live_card_range (const live_data *data, int column);

/* What the core makes of MODEL: the values of both kinds of column. */
void live_model_values (const live_data *data, const llmenv_model *model,
                        llmenv_convention convention, double longest,
                        double value[LIVE_MODEL_COLUMN_COUNT]);
void live_piece_values (const live_data *data, const llmenv_model *model,
                        llmenv_convention convention, int piece,
                        double value[LIVE_PIECE_COLUMN_COUNT]);

/* Numbers of CARD in CONVENTION at the request's compute type. */
llmenv_card live_card_of (const live_data *data, const llmenv_card_record *card,
                          llmenv_convention convention);

/* Where MODEL stands, from 1; 0 where it does not. */
size_t live_model_index (const live_data *data, const llmenv_model_record *model);

#endif
