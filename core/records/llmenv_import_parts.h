/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that files of tensors are sorted into, by name. */
#ifndef LLMENV_IMPORT_PARTS_H
#define LLMENV_IMPORT_PARTS_H

#include "llmenv_model.h"

/* Parts of the weights, in the order of a record's list. */
#define PARTS(X)                                                              \
  X (ATTENTION, "attention",              LLMENV_ROLE_SHARED)                 \
  X (SCAN,      "recurrent layers",       LLMENV_ROLE_SHARED)                 \
  X (MLP,       "dense mlp",              LLMENV_ROLE_SHARED)                 \
  X (SHEXP,     "shared experts",         LLMENV_ROLE_SHARED)                 \
  X (PROJECTION, "latent projections of the experts", LLMENV_ROLE_SHARED)     \
  X (OTHER,     "norms, routers and other", LLMENV_ROLE_SHARED)               \
  X (EXPERT,    "routed experts",         LLMENV_ROLE_ROUTED)                 \
  X (HEAD,      "output head",            LLMENV_ROLE_HEAD)                   \
  X (EMBEDDING, "input embedding",        LLMENV_ROLE_EMBEDDING)              \
  X (TABLE,     "per-layer embeddings",   LLMENV_ROLE_TABLE)                  \
  X (POSITION,  "positions",              LLMENV_ROLE_TABLE)                  \
  X (TOWER,     "towers and projectors",  LLMENV_ROLE_TOWER)                  \
  X (ENCODER,   "encoder",                LLMENV_ROLE_ENCODER)                \
  X (MTP,       "multi-token prediction", LLMENV_ROLE_MTP)

typedef enum
{
#define X(symbol, name, role) symbol,
  PARTS (X)
#undef X
  N_PARTS
} part;

static const struct { const char *name; llmenv_weight_role role; } part_of[] = {
#define X(symbol, name, role) { name, role },
  PARTS (X)
#undef X
};

#endif
