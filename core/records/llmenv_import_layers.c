/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kind each layer is.
 *
 * Configurations say it in one of many ways: a list of words, a string of
 * letters, flags, indices from 0 or from 1, a period, blocks as objects; and
 * where none is there, one window or one kind holds for all.  The ways are
 * tried in the order of `ways`, most explicit first. */
#include "llmenv_import_config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------- */

typedef struct
{
  const char *word;
  llmenv_layer_kind kind;
  llmenv_state_kind state;
  llmenv_mlp_kind mlp;
} layer_word;

static const layer_word words[] = {
  { "full_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "attn", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "full", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "global", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "global_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "softmax_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "self_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "gqa", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "mla", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "multi_latent_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "deepseek_sparse_attention", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "sliding_attention", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "sliding_window_attention", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "sliding_window", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "sliding", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "local", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "local_attention", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "window", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "swa", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "chunked_attention", LLMENV_CHUNK, STATE_NONE, MLP_BY_FIELDS },
  { "cross_attention", LLMENV_CROSS, STATE_NONE, MLP_BY_FIELDS },
  { "linear_attention", LLMENV_RECURRENT, STATE_LINEAR, MLP_BY_FIELDS },
  { "linear", LLMENV_RECURRENT, STATE_LINEAR, MLP_BY_FIELDS },
  { "gated_deltanet", LLMENV_RECURRENT, STATE_DELTA, MLP_BY_FIELDS },
  { "gdn", LLMENV_RECURRENT, STATE_DELTA, MLP_BY_FIELDS },
  { "kda", LLMENV_RECURRENT, STATE_KDA, MLP_BY_FIELDS },
  { "lightning_attention", LLMENV_RECURRENT, STATE_LIGHTNING, MLP_BY_FIELDS },
  { "lightning", LLMENV_RECURRENT, STATE_LIGHTNING, MLP_BY_FIELDS },
  { "mamba", LLMENV_RECURRENT, STATE_SSM, MLP_BY_FIELDS },
  { "ssm", LLMENV_RECURRENT, STATE_SSM, MLP_BY_FIELDS },
  { "mamba1", LLMENV_RECURRENT, STATE_MAMBA1, MLP_BY_FIELDS },
  { "mamba2", LLMENV_RECURRENT, STATE_MAMBA2, MLP_BY_FIELDS },
  { "recurrent", LLMENV_RECURRENT, STATE_LRU, MLP_BY_FIELDS },
  { "rglru", LLMENV_RECURRENT, STATE_LRU, MLP_BY_FIELDS },
  { "conv", LLMENV_RECURRENT, STATE_CONV, MLP_BY_FIELDS },
  { "short_conv", LLMENV_RECURRENT, STATE_CONV, MLP_BY_FIELDS },
  { "rwkv", LLMENV_RECURRENT, STATE_RWKV, MLP_BY_FIELDS },
  { "hybrid", LLMENV_FULL, STATE_SSM, MLP_BY_FIELDS },
  { "hybrid_mamba", LLMENV_FULL, STATE_SSM, MLP_BY_FIELDS },
  { "parallel", LLMENV_FULL, STATE_SSM, MLP_BY_FIELDS },
  { "mlp", LLMENV_NO_CACHE, STATE_NONE, MLP_DENSE },
  { "ffn", LLMENV_NO_CACHE, STATE_NONE, MLP_DENSE },
  { "moe", LLMENV_NO_CACHE, STATE_NONE, MLP_MOE },
  { "none", LLMENV_NO_CACHE, STATE_NONE, MLP_BY_FIELDS },
  { "no_op", LLMENV_NO_CACHE, STATE_NONE, MLP_BY_FIELDS },
  /* letters */
  { "M", LLMENV_RECURRENT, STATE_SSM, MLP_BY_FIELDS },
  { "*", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "A", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "G", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "F", LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS },
  { "L", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "S", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "W", LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS },
  { "-", LLMENV_NO_CACHE, STATE_NONE, MLP_DENSE },
  { "E", LLMENV_NO_CACHE, STATE_NONE, MLP_MOE },
};

static const layer_word *
find_word (const char *word)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (words[i].word, word) == 0)
      return &words[i];
  return NULL;
}

static void
set_layer (llmenv_config *c, size_t i, llmenv_layer_kind kind,
           llmenv_state_kind state, llmenv_mlp_kind mlp)
{
  llmenv_shape *s = &c->layers[i].shape;
  s->kind = kind;
  s->state = state;
  s->mlp = mlp;
}

static void
set_word (llmenv_config *c, llmenv_field f, size_t i, const char *word)
{
  const layer_word *w = find_word (word);
  if (w != NULL)
    {
      set_layer (c, i, w->kind, w->state, w->mlp);
      c->layers[i].shape.is_neutral = strcmp (word, "attention") == 0 || strcmp (word, "attn") == 0
                                      || strcmp (word, "*") == 0 || strcmp (word, "A") == 0;
      return;
    }
  char name[96], shown[48];
  llmenv_printable (word, shown, sizeof shown);
  llmenv_config_fail (c, "%s[%zu]: layers of kind \"%s\" are not modelled",
                      llmenv_config_spelling (c, f, name, sizeof name), i, shown);
}

/* Lists that count prediction layers too are longer than the stack. */
static int
check_length (llmenv_config *c, llmenv_field f, size_t n)
{
  char name[96];
  llmenv_config_spelling (c, f, name, sizeof name);
  if (n < c->n)
    llmenv_config_fail (c, "%s: %zu entries for %zu layers", name, n, c->n);
  else if (n > c->n)
    llmenv_import_note (c->notes, "%s has %zu entries, the first %zu are the model's layers",
                        name, n, c->n);
  return n >= c->n;
}

/* ---- the ways ---------------------------------------------------------- */

/* Words; a short list of block types repeats. */
static int
by_words (llmenv_config *c)
{
  const llmenv_field f = F_kind_words;
  const json_t *list = llmenv_config_find (c, f);
  if (list == NULL)
    return 0;
  char name[96];
  llmenv_config_spelling (c, f, name, sizeof name);
  const size_t n = json_array_size (list);
  if (n == 0)
    llmenv_config_refuse (c, f, "a list of layer kinds", list);
  const int repeats = strstr (name, "block_types") != NULL;
  if (n == 0 || (!repeats && !check_length (c, f, n)))
    return 1;
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      const json_t *item = json_array_get (list, i % n);
      if (!json_is_string (item))
        llmenv_config_refuse (c, f, "a list of layer kinds in words", item);
      else
        set_word (c, f, i, json_string_value (item));
    }
  return 1;
}

/* One letter a layer ("M-M*E"); REPEATS: a pattern shorter than the stack. */
static int
letters (llmenv_config *c, llmenv_field f, int repeats)
{
  const json_t *text = llmenv_config_find (c, f);
  if (!json_is_string (text))
    return 0;
  const char *s = json_string_value (text);
  const size_t n = strlen (s);
  if (n == 0 || (!repeats && !check_length (c, f, n)))
    {
      if (n == 0)
        llmenv_config_refuse (c, f, "a letter for each layer", text);
      return 1;
    }
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      const char word[2] = { s[i % n], '\0' };
      set_word (c, f, i, word);
    }
  return 1;
}

static int
by_letters (llmenv_config *c)
{
  return letters (c, F_kind_letters, 0);
}

static int
by_repeated_letters (llmenv_config *c)
{
  return letters (c, F_window_period, 1);
}

/* A list of 0 and 1. */
static int
flags (llmenv_config *c, llmenv_field f, const llmenv_layer_kind kind[2],
       const llmenv_state_kind state[2])
{
  const json_t *list = llmenv_config_find (c, f);
  if (!json_is_array (list) || json_array_size (list) == 0)
    return 0;
  if (!check_length (c, f, json_array_size (list)))
    return 1;
  for (size_t i = 0; i < c->n; i++)
    {
      const json_t *item = json_array_get (list, i);
      const double x = json_is_boolean (item) ? json_is_true (item)
                       : json_is_number (item) ? json_number_value (item) : NAN;
      if (x != 0 && x != 1)
        {
          llmenv_config_refuse (c, f, "a list of 0 and 1", item);
          return 1;
        }
      set_layer (c, i, kind[(int) x], state[(int) x], MLP_BY_FIELDS);
    }
  return 1;
}

static int
by_softmax_flags (llmenv_config *c)
{
  return flags (c, F_softmax_flags,
                (const llmenv_layer_kind[2]) { LLMENV_RECURRENT, LLMENV_FULL },
                (const llmenv_state_kind[2]) { STATE_LINEAR, STATE_NONE });
}

static int
by_window_flags (llmenv_config *c)
{
  return flags (c, F_window_flags,
                (const llmenv_layer_kind[2]) { LLMENV_FULL, LLMENV_WINDOW },
                (const llmenv_state_kind[2]) { STATE_NONE, STATE_NONE });
}

/* Rotary layers are chunked, the others see everything.  A file of which the
 * class fills the list has every so many layers without rotary positions. */
static int
by_rotary_layers (llmenv_config *c)
{
  if (!llmenv_config_has (c, F_chunk))
    return 0;
  const llmenv_layer_kind kind[2] = { LLMENV_FULL, LLMENV_CHUNK };
  const llmenv_state_kind state[2] = { STATE_NONE, STATE_NONE };
  if (flags (c, F_rotary_layers, kind, state))
    return 1;
  const double period = llmenv_config_or (c, F_rotary_period, 0);
  for (size_t i = 0; i < c->n; i++)
    set_layer (c, i, kind[!(period > 0 && fmod ((double) i + 1, period) == 0)],
               STATE_NONE, MLP_BY_FIELDS);
  return 1;
}

/* Lists of indices: where they start, what the layers listed are, what the
 * others are. */
static const struct
{
  llmenv_field field;
  int base;
  llmenv_layer_kind listed;
  llmenv_state_kind listed_state;
  llmenv_layer_kind other;
  llmenv_state_kind other_state;
  int neutral;                 /* the listed ones are attention of either kind */
} indices[] = {
  { F_full_from_1, 1, LLMENV_FULL, STATE_NONE, LLMENV_RECURRENT, STATE_LINEAR, 0 },
  { F_linear_from_1, 1, LLMENV_RECURRENT, STATE_LINEAR, LLMENV_FULL, STATE_NONE, 0 },
  { F_mamba_but, 0, LLMENV_FULL, STATE_NONE, LLMENV_RECURRENT, STATE_SSM, 1 },
  { F_conv_but, 0, LLMENV_FULL, STATE_NONE, LLMENV_RECURRENT, STATE_CONV, 1 },
  { F_both_at, 0, LLMENV_FULL, STATE_SSM, LLMENV_RECURRENT, STATE_SSM, 1 },
  { F_global_at, 0, LLMENV_FULL, STATE_SSM, LLMENV_WINDOW, STATE_SSM, 0 },
  { F_linear_but, 0, LLMENV_FULL, STATE_NONE, LLMENV_RECURRENT, STATE_LINEAR, 1 },
  { F_cross_at, 0, LLMENV_CROSS, STATE_NONE, LLMENV_FULL, STATE_NONE, 0 },
};

static int
by_indices (llmenv_config *c)
{
  for (size_t k = 0; k < sizeof indices / sizeof *indices; k++)
    {
      const llmenv_field f = indices[k].field;
      const json_t *list = llmenv_config_find (c, f), *item;
      if (!json_is_array (list))
        continue;
      const int is_neutral = indices[k].neutral;
      for (size_t i = 0; i < c->n; i++)
        set_layer (c, i, indices[k].other, indices[k].other_state, MLP_BY_FIELDS);
      for (size_t j = 0; (item = json_array_get (list, j)) != NULL; j++)
        {
          const double x = json_number_value (item) - indices[k].base;
          if (!json_is_number (item) || !(x >= 0 && x < (double) c->n) || x != floor (x))
            {
              llmenv_config_refuse (c, f, indices[k].base == 0
                                    ? "indices of layers, from 0"
                                    : "indices of layers, from 1", item);
              return 1;
            }
          set_layer (c, (size_t) x, indices[k].listed, indices[k].listed_state,
                     MLP_BY_FIELDS);
          c->layers[(size_t) x].shape.is_neutral = is_neutral;
        }
      return 1;
    }
  return 0;
}

/* [[["global", "local"], 12]]: runs of words, each repeated. */
static int
by_runs (llmenv_config *c)
{
  const json_t *runs = llmenv_config_find (c, F_kind_runs);
  size_t at = 0;
  if (!json_is_array (runs))
    return 0;
  for (size_t r = 0; r < json_array_size (runs) && at < c->n; r++)
    {
      const json_t *run = json_array_get (json_array_get (runs, r), 0);
      const json_t *times = json_array_get (json_array_get (runs, r), 1);
      const size_t n = json_array_size (run);
      if (n == 0 || !json_is_number (times))
        break;
      for (double k = 0; k < json_number_value (times) * (double) n && at < c->n; k++)
        {
          const char *word = json_string_value (json_array_get (run, (size_t) k % n));
          set_word (c, F_kind_runs, at++, word == NULL ? "" : word);
          if (c->status != LLMENV_OK)
            return 1;
        }
    }
  if (at < c->n)
    llmenv_config_refuse (c, F_kind_runs, "kinds for every layer", runs);
  return 1;
}

/* Linear attention, and full attention in the last of every so many layers. */
static int
by_interval (llmenv_config *c)
{
  const double every = llmenv_config_or (c, F_full_interval, 0);
  if (every == 0)
    return 0;
  char name[96];
  llmenv_config_spelling (c, F_full_interval, name, sizeof name);
  /* Of groups, layers after the last whole one are full. */
  const double whole = strcmp (name, "layer_group_size") == 0
                       ? every * floor ((double) c->n / every) : (double) c->n;
  for (size_t i = 0; i < c->n; i++)
    if (fmod ((double) i + 1, every) == 0 || (double) i >= whole)
      set_layer (c, i, LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS);
    else
      set_layer (c, i, LLMENV_RECURRENT, STATE_LINEAR, MLP_BY_FIELDS);
  return 1;
}

/* State-space layers, and attention at one place of each period; or, of an
 * even period, in its middle, in a shallow stack at its end. */
static int
by_period (llmenv_config *c)
{
  double period = llmenv_config_or (c, F_full_period, 0);
  double offset = llmenv_config_or (c, F_full_offset, 0);
  const double step = llmenv_config_or (c, F_mamba_step, 0);
  if (period == 0 && step > 0)
    {
      period = step;
      offset = floor (step / 2);
      if ((double) c->n <= offset)
        offset = (double) c->n - 1;
    }
  if (period == 0)
    return 0;
  for (size_t i = 0; i < c->n; i++)
    {
      const int attends = fmod ((double) i, period) == offset;
      set_layer (c, i, attends ? LLMENV_FULL : LLMENV_RECURRENT,
                 attends ? STATE_NONE : STATE_SSM, MLP_BY_FIELDS);
      c->layers[i].shape.is_neutral = attends;
    }
  return 1;
}

/* ---- blocks as objects ------------------------------------------------- */

static int
is_set (const json_t *object, const char *key)
{
  return json_is_true (json_object_get (object, key));
}

static double
block_number (llmenv_config *c, const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return value == NULL || json_is_null (value) ? 0
         : llmenv_config_value (c, F_blocks, value);
}

/* Width of an MLP that is given as a multiple of two thirds of the model's,
 * rounded up to a multiple of 256. */
static double
width_of_multiple (double hidden, double multiple)
{
  return 256 * ceil (floor (2 * multiple * hidden / 3) / 256);
}

static void
read_block_mlp (llmenv_config *c, const json_t *ffn, llmenv_shape *s)
{
  const json_t *moe = json_object_get (ffn, "moe");
  const json_t *multiple = json_object_get (ffn, "ffn_mult");
  s->mlp = MLP_DENSE;
  s->size = block_number (c, ffn, "intermediate_size");
  if (json_is_number (multiple) && s->size == 0)
    s->size = width_of_multiple (llmenv_config_need (c, F_hidden), json_number_value (multiple));
  if (is_set (ffn, "no_op"))
    s->mlp = MLP_NONE;
  if (is_set (ffn, "replace_with_linear"))
    {
      s->mlp = MLP_NONE;       /* one square matrix: counted with the small parts */
      c->no_weights = "an MLP is replaced by a single matrix";
    }
  if (!json_is_object (moe))
    return;
  s->mlp = MLP_MOE;
  s->experts = block_number (c, moe, "num_local_experts");
  s->expert_top = block_number (c, moe, "num_experts_per_tok");
  s->size = block_number (c, moe, "expert_intermediate_dim");
  s->shared_size = block_number (c, moe, "shared_expert_intermediate_dim");
  if (!(s->size > 0 && s->expert_top >= 1 && s->expert_top <= s->experts))
    llmenv_config_refuse (c, F_blocks, "experts with a width, of which one to all are chosen", moe);
}

static void
read_block (llmenv_config *c, const json_t *block, llmenv_shape *s)
{
  const json_t *attention = json_object_get (block, "attention");
  const double group = block_number (c, attention, "n_heads_in_group");
  s->kind = LLMENV_FULL;
  if (is_set (attention, "no_op") || is_set (attention, "replace_with_linear"))
    s->kind = LLMENV_NO_CACHE;
  if (is_set (attention, "replace_with_linear"))
    c->no_weights = "an attention is replaced by a single matrix";
  s->window = block_number (c, attention, "window_length");
  if (s->window > 0)
    s->kind = LLMENV_WINDOW;
  s->kv_heads = block_number (c, attention, "num_key_value_heads");
  if (group > 0)
    s->kv_heads = llmenv_config_need (c, F_heads) / group;
  if (s->kv_heads != floor (s->kv_heads))
    llmenv_config_refuse (c, F_blocks, "a group size that divides the heads", attention);
  read_block_mlp (c, json_object_get (block, "ffn"), s);
}

static int
by_blocks (llmenv_config *c)
{
  const json_t *blocks = llmenv_config_find (c, F_blocks);
  if (!json_is_array (blocks))
    return 0;
  c->has_blocks = 1;
  if (!check_length (c, F_blocks, json_array_size (blocks)))
    return 1;
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    read_block (c, json_array_get (blocks, i), &c->layers[i].shape);
  return 1;
}

/* ---- one kind, or a window for all or some ------------------------------ */

/* The last of each period sees everything; or the layers from one on slide;
 * or all slide. */
static int
by_window (llmenv_config *c)
{
  const double window = llmenv_config_or (c, F_window, 0);
  const int on = llmenv_config_flag (c, F_use_window, 1);
  if (window == 0 || !on)
    return 0;
  const json_t *pattern = llmenv_config_find (c, F_window_period);
  const double period = json_is_number (pattern) ? llmenv_config_number (c, F_window_period) : 0;
  const double from = period == 0 && llmenv_config_has (c, F_use_window)
                      ? llmenv_config_or (c, F_window_from, 0) : 0;
  for (size_t i = 0; i < c->n; i++)
    if ((period > 0 && fmod ((double) i + 1, period) == 0) || (double) i < from)
      set_layer (c, i, LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS);
    else
      set_layer (c, i, LLMENV_WINDOW, STATE_NONE, MLP_BY_FIELDS);
  return 1;
}

/* Families whose layers are all alike without a field that says so. */
static int
by_family (llmenv_config *c)
{
  llmenv_layer_kind kind = LLMENV_RECURRENT;
  llmenv_state_kind state = STATE_NONE;
  if (c->traits & T_SSM)
    state = STATE_SSM;
  else if (c->traits & T_RWKV)
    state = c->traits & T_RWKV4 ? STATE_RWKV4 : STATE_RWKV;
  else if (c->traits & T_LINEAR)
    state = STATE_RETENTION;
  else if (c->traits & T_MLSTM)
    state = STATE_MLSTM;
  else if (c->traits & T_BESIDE)
    {
      kind = LLMENV_FULL;
      state = STATE_SSM;
    }
  else
    return 0;
  for (size_t i = 0; i < c->n; i++)
    set_layer (c, i, kind, state,
               c->traits & (T_SSM | T_RWKV) ? MLP_NONE : MLP_BY_FIELDS);
  return 1;
}

/* A hybrid whose file says nothing of its layers. */
static int
by_missing_list (llmenv_config *c)
{
  if (c->traits & T_HYBRID)
    llmenv_config_fail (c, "layer_types (or hybrid_override_pattern, attn_layer_indices, ...) is missing:"
                        " which layers of a %.40s keep a state is not known", c->type);
  return c->traits & T_HYBRID;
}

/* Sizes of a state without a word on which layers keep one: a file of an
 * unknown family that has them and no heads is all state; one with both
 * cannot be read. */
static int
by_state_fields (llmenv_config *c)
{
  static const struct { llmenv_field size; llmenv_state_kind state; } kinds[] = {
    { F_ssm_state, STATE_SSM }, { F_ssm_layer, STATE_SSM }, { F_delta_v_heads, STATE_DELTA },
    { F_kda_heads, STATE_KDA }, { F_conv_kernel, STATE_CONV },
    { F_lru_width, STATE_LRU }, { F_expand_v, STATE_RETENTION },
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
      char name[96];
      if (!llmenv_config_has (c, kinds[k].size))
        continue;
      if (llmenv_config_has (c, F_kv_heads) || llmenv_config_has (c, F_kv_rank)
          || (llmenv_config_has (c, F_heads) && kinds[k].state != STATE_RETENTION))
        {
          llmenv_config_fail (c, "%s says that layers keep a state, and no field known here"
                              " (layer_types, hybrid_override_pattern, attn_layer_period, ...)"
                              " says which", llmenv_config_spelling (c, kinds[k].size, name,
                                                                     sizeof name));
          return 1;
        }
      for (size_t i = 0; i < c->n; i++)
        set_layer (c, i, LLMENV_RECURRENT, kinds[k].state,
                   kinds[k].state == STATE_SSM ? MLP_NONE : MLP_BY_FIELDS);
      return 1;
    }
  return 0;
}

static int
by_nothing (llmenv_config *c)
{
  for (size_t i = 0; i < c->n; i++)
    set_layer (c, i, LLMENV_FULL, STATE_NONE, MLP_BY_FIELDS);
  return 1;
}

static int (*const ways[]) (llmenv_config *c) = {
  by_blocks, by_words, by_letters, by_softmax_flags, by_window_flags, by_runs,
  by_indices, by_repeated_letters, by_rotary_layers, by_family, by_interval, by_period,
  by_missing_list, by_state_fields, by_window, by_nothing,
};

/* ---- how many, and what follows ---------------------------------------- */

/* Layers: the field, else the length of the list that has one entry a layer. */
static size_t
count_layers (llmenv_config *c)
{
  double n = llmenv_config_number (c, F_layers);
  const json_t *words_list = llmenv_config_find (c, F_kind_words);
  const json_t *pattern = llmenv_config_find (c, F_kind_letters);
  if (isnan (n) && c->status == LLMENV_OK)
    n = json_is_array (words_list) ? (double) json_array_size (words_list)
        : json_is_string (pattern) ? (double) json_string_length (pattern)
        : json_is_array (llmenv_config_find (c, F_blocks))
          ? (double) json_array_size (llmenv_config_find (c, F_blocks))
          : llmenv_config_need (c, F_layers);
  if (c->status == LLMENV_OK && !(n >= 1 && n <= LLMENV_MAX_LAYERS))
    llmenv_config_refuse (c, F_layers, "a whole number from 1 to 100000",
                          llmenv_config_find (c, F_layers));
  return c->status == LLMENV_OK ? (size_t) n : 0;
}

/* Caches that are known and not modelled: the field that gives them away. */
static const struct
{
  const char *key, *what;
} unmodelled[] = {
  { "compress_ratios", "compressed sparse attention" },
  { "compress_ratio", "compressed attention" },
  { "kv_compression_ratio", "compressed attention" },
  { "nsa_config", "native sparse attention with a compressed cache" },
  { "yoco_layers", "layers that read one shared cache" },
  { "num_self_decoder_layers", "layers that read one shared cache" },
  { "cross_decoder_layers", "layers that read one shared cache" },
};

static void
refuse_unmodelled (llmenv_config *c)
{
  for (size_t i = 0; i < sizeof unmodelled / sizeof *unmodelled; i++)
    {
      const json_t *value = json_object_get (c->text, unmodelled[i].key);
      if (value != NULL && !json_is_null (value) && !json_is_false (value))
        llmenv_config_fail (c, "%s: %s is not modelled, so what a token adds to the cache"
                            " is not known", unmodelled[i].key, unmodelled[i].what);
    }
}

/* "Attention" without a further word slides where a window is given that no
 * other layer claims, but in the layers that a list makes full. */
static void
slide_neutral (llmenv_config *c)
{
  const json_t *full = llmenv_config_find (c, F_full_at), *item;
  if (!(llmenv_config_or (c, F_window, 0) > 0) || !llmenv_config_flag (c, F_use_window, 1))
    return;
  for (size_t i = 0; i < c->n; i++)
    if (c->layers[i].shape.kind == LLMENV_WINDOW)
      return;
  for (size_t i = 0; i < c->n; i++)
    if (c->layers[i].shape.is_neutral)
      c->layers[i].shape.kind = LLMENV_WINDOW;
  for (size_t k = 0; (item = json_array_get (full, k)) != NULL; k++)
    {
      const double i = json_is_number (item) ? json_number_value (item) : -1;
      if (i >= 0 && i < (double) c->n && c->layers[(size_t) i].shape.is_neutral)
        c->layers[(size_t) i].shape.kind = LLMENV_FULL;
    }
}

static int
is_apart (const llmenv_config *c, const llmenv_shape *s)
{
  return s->kind == LLMENV_NO_CACHE && s->mlp != MLP_BY_FIELDS && !c->has_blocks;
}

/* Where MLPs are entries of their own, a mixer has none; and where some mixers
 * have an attention block beside them, the MLP belongs to that block. */
static void
separate_mlps (llmenv_config *c)
{
  int apart = (c->traits & T_ONE_EACH) != 0, beside = 0;
  for (size_t i = 0; i < c->n; i++)
    {
      const llmenv_shape *s = &c->layers[i].shape;
      apart |= is_apart (c, s);
      beside |= s->kind == LLMENV_FULL && s->state != STATE_NONE;
    }
  for (size_t i = 0; i < c->n; i++)
    {
      llmenv_shape *s = &c->layers[i].shape;
      if ((apart && s->kind != LLMENV_NO_CACHE) || (beside && s->kind == LLMENV_RECURRENT))
        s->mlp = MLP_NONE;
    }
}

/* A cross-attention layer caches a fixed length and is a layer of the stack
 * as well: the stack keeps it as a layer without a cache, and what it caches
 * follows behind. */
static llmenv_status
separate_cross (llmenv_config *c)
{
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    n += c->layers[i].shape.kind == LLMENV_CROSS;
  if (n == 0)
    return c->status;
  llmenv_layer *more = realloc (c->layers, (c->n + n) * sizeof *more);
  if (more == NULL)
    return c->status = llmenv_error_set (c->error, LLMENV_ETOOLARGE, "out of memory");
  c->layers = more;
  memset (more + c->n, 0, n * sizeof *more);
  for (size_t i = 0; i < c->n; i++)
    if (more[i].shape.kind == LLMENV_CROSS)
      more[i].shape.kind = LLMENV_NO_CACHE;
  for (size_t i = 0; i < n; i++)
    {
      more[c->n + i].shape.kind = LLMENV_CROSS;
      more[c->n + i].shape.mlp = MLP_NONE;
    }
  c->n += n;
  return c->status;
}

llmenv_status
llmenv_config_kinds (llmenv_config *c)
{
  const size_t stated = count_layers (c);
  refuse_unmodelled (c);
  if (c->status != LLMENV_OK)
    return c->status;
  c->n = c->traits & T_TWO_A_LAYER ? 2 * stated : stated;
  c->layers = calloc (c->n, sizeof *c->layers);
  if (c->layers == NULL)
    return c->status = llmenv_error_set (c->error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    if (ways[w] (c))
      break;
  if (c->status != LLMENV_OK)
    return c->status;
  slide_neutral (c);
  separate_mlps (c);
  return separate_cross (c);
}
