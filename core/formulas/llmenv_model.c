/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_model.h"

const char *
llmenv_layer_kind_word (llmenv_layer_kind kind)
{
  static const char *const words[] = {
#define X(symbol, word) word,
    LLMENV_LAYER_KINDS (X)
#undef X
  };
  return (unsigned) kind < LLMENV_LAYER_KIND_COUNT ? words[kind] : "unknown";
}

static const struct
{
  const char *word, *meaning;
} roles[] = {
#define X(symbol, word, meaning) { word, meaning },
  LLMENV_WEIGHT_ROLES (X)
#undef X
};

const char *
llmenv_weight_role_word (llmenv_weight_role role)
{
  return (unsigned) role < LLMENV_WEIGHT_ROLE_COUNT ? roles[role].word : "unknown";
}

const char *
llmenv_weight_role_meaning (llmenv_weight_role role)
{
  return (unsigned) role < LLMENV_WEIGHT_ROLE_COUNT ? roles[role].meaning : "unknown";
}

const char *
llmenv_reason_word (llmenv_reason reason)
{
  static const char *const words[] = {
#define X(symbol, word) word,
    LLMENV_REASONS (X)
#undef X
  };
  return (unsigned) reason < LLMENV_REASON_COUNT ? words[reason] : "unknown";
}
