/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formulas know of a model and of a card: numbers only, no names.
 * The records part fills these structs from files or from Octave structs. */
#ifndef LLMENV_MODEL_H
#define LLMENV_MODEL_H

#include <stddef.h>

/* Kinds of layer (spec section 2): id and the word used in records. */
#define LLMENV_LAYER_KINDS(X)                                                 \
  X (LLMENV_FULL,          "full")                                            \
  X (LLMENV_WINDOW,        "window")                                          \
  X (LLMENV_CHUNK,         "chunk")                                           \
  X (LLMENV_LATENT,        "latent")                                          \
  X (LLMENV_SPARSE_LATENT, "sparse_latent")                                   \
  X (LLMENV_SHARED,        "shared")                                          \
  X (LLMENV_RECURRENT,     "recurrent")                                       \
  X (LLMENV_CROSS,         "cross")                                           \
  X (LLMENV_ENCODER,       "encoder")                                         \
  X (LLMENV_NO_CACHE,      "none")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_LAYER_KINDS (X)
#undef X
  LLMENV_LAYER_KIND_COUNT
} llmenv_layer_kind;

/* COUNT equal layers.  Sizes that a kind does not use are 0. */
typedef struct
{
  llmenv_layer_kind kind;
  llmenv_layer_kind reads;     /* shared layers: the kind whose cache they read */
  double count;                /* layers */
  double q_heads, kv_heads;    /* heads per layer */
  double k_dim, v_dim;         /* elements per head */
  double window;               /* window or chunk, tokens */
  double rank, rope_dim;       /* latent width and rotary width, elements */
  double top;                  /* tokens that sparse attention selects */
  double index_heads, index_dim; /* indexer of sparse attention */
  double length;               /* encoder length of cross attention, tokens */
  double state_elements;       /* recurrent matrices, elements per layer */
  double conv_elements;        /* convolution columns, elements per layer */
  double state_bytes_each;     /* bytes per element of the recurrent matrices */
  double conv_bytes_each;      /* bytes per element of the convolution columns */
} llmenv_layer_group;

/* Roles of a part of the weights: what a decode step does with it. */
#define LLMENV_WEIGHT_ROLES(X)                                                \
  X (LLMENV_ROLE_SHARED,    "shared",    "streamed by every step")            \
  X (LLMENV_ROLE_ROUTED,    "routed",    "experts: streamed when touched")    \
  X (LLMENV_ROLE_HEAD,      "head",      "output head, streamed")             \
  X (LLMENV_ROLE_EMBEDDING, "embedding", "untied input embedding, a lookup")  \
  X (LLMENV_ROLE_TABLE,     "table",     "per-layer or n-gram table, a lookup") \
  X (LLMENV_ROLE_TOWER,     "tower",     "vision or audio tower, resident only") \
  X (LLMENV_ROLE_ENCODER,   "encoder",   "encoder, resident only")            \
  X (LLMENV_ROLE_MTP,       "mtp",       "multi-token prediction, resident only")

typedef enum
{
#define X(symbol, word, meaning) symbol,
  LLMENV_WEIGHT_ROLES (X)
#undef X
  LLMENV_WEIGHT_ROLE_COUNT
} llmenv_weight_role;

typedef struct
{
  llmenv_weight_role role;
  double params;               /* parameters */
  double bytes_each;           /* bytes per parameter in the released format */
} llmenv_weight_part;

/* The scalars of a record: one P, one k, one g.  NaN where it is silent. */
typedef struct
{
  double params;               /* P_tot, parameters */
  double active_params;        /* P, parameters */
  double kv_bytes;             /* k, bytes a token adds at 2 bytes an element */
  double gqa_ratio;            /* g */
} llmenv_scalars;

/* Why a quantity has no ordinary value. */
#define LLMENV_REASONS(X)                                                     \
  X (LLMENV_HAS_VALUE,      "")                                               \
  X (LLMENV_NONE,           "none")                                           \
  X (LLMENV_NEVER,          "never")                                          \
  X (LLMENV_UNBOUNDED,      "unbounded")                                      \
  X (LLMENV_NO_RECORD,      "no record")                                      \
  X (LLMENV_NOT_APPLICABLE, "not applicable")                                 \
  X (LLMENV_DOES_NOT_FIT,   "does not fit")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_REASONS (X)
#undef X
  LLMENV_REASON_COUNT
} llmenv_reason;

typedef struct
{
  llmenv_scalars published;    /* as document 003's tables use them */
  llmenv_scalars scalars;      /* right values, where there is no derivation */
  const llmenv_layer_group *layers; /* n_layers groups, or NULL */
  size_t n_layers;
  const llmenv_weight_part *parts;  /* n_parts parts, or NULL */
  size_t n_parts;
  double experts, top;         /* E and e; 0 for a dense model, NaN if silent */
  double format_bytes;         /* released bytes per parameter; 2 where silent */
  llmenv_reason kv_reason;     /* HAS_VALUE, NO_RECORD or NOT_APPLICABLE */
} llmenv_model;

/* A card.  NaN where the record is silent. */
typedef struct
{
  double peak;                 /* dense FLOP/s of the chosen compute type */
  double bandwidth;            /* bytes/s */
  double memory;               /* bytes */
} llmenv_card;

const char *llmenv_layer_kind_word (llmenv_layer_kind kind);
const char *llmenv_weight_role_word (llmenv_weight_role role);
const char *llmenv_weight_role_meaning (llmenv_weight_role role);
const char *llmenv_reason_word (llmenv_reason reason);

#endif
