/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MLP of each layer: dense or experts, and how wide. */
#include "llmenv_import_config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which layers hold experts ------------------------------------------ */

/* A mark for every layer that the list of indices at F names, written as JSON
 * or as "3,4,5"; NULL where there is none. */
static unsigned char *
marks_of (llmenv_config *c, llmenv_field f)
{
  const json_t *list = llmenv_config_find (c, f), *item;
  unsigned char *marks = list == NULL ? NULL : calloc (c->n, 1);
  if (marks == NULL)
    return NULL;
  const char *s = json_is_string (list) ? json_string_value (list) : "";
  for (char *end; *s != '\0'; s = *end == ',' ? end + 1 : end)
    {
      const unsigned long x = strtoul (s, &end, 10);
      if (end == s)
        break;
      if (x < c->n)
        marks[x] = 1;
    }
  for (size_t k = 0; (item = json_array_get (list, k)) != NULL; k++)
    {
      const double x = json_is_number (item) ? json_number_value (item) : -1;
      if (x >= 0 && x < (double) c->n)
        marks[(size_t) x] = 1;
    }
  return marks;
}

static int
is_filled_list (const json_t *value)
{
  return json_array_size (value) > 0 || json_string_length (value) > 0;
}

/* By a list: words, indices or flags of every layer.  -1 where there is none. */
static int
moe_by_list (llmenv_config *c, const unsigned char *moe_at, size_t i)
{
  const json_t *words = llmenv_config_find (c, F_moe_words);
  const json_t *every = llmenv_config_find (c, F_moe_every);
  if (json_is_array (words))
    {
      const char *word = json_string_value (json_array_get (words, i));
      if (word == NULL)
        llmenv_config_refuse (c, F_moe_words, "a word for every layer", words);
      return word != NULL && strcmp (word, "dense") != 0;
    }
  if (is_filled_list (llmenv_config_find (c, F_moe_at)))
    return moe_at != NULL && moe_at[i];
  if (json_is_array (every) && json_is_boolean (json_array_get (every, i)))
    return json_is_true (json_array_get (every, i));
  if (json_is_array (every))
    return llmenv_config_at (c, F_moe_every, i) > 0;
  return -1;
}

/* The last layer that may hold experts; -1, or nothing, is the stack's. */
static double
last_mixed (llmenv_config *c)
{
  const json_t *end = llmenv_config_find (c, F_moe_end);
  if (json_is_array (end))
    end = json_array_get (end, 0);
  return json_number_value (end) > 0 ? json_number_value (end) : INFINITY;
}

/* By periods: the first layers are dense, then every so many are mixed. */
static int
moe_by_period (llmenv_config *c, const unsigned char *dense_at, size_t i)
{
  const double at = (double) i;
  const double every = llmenv_config_or (c, F_moe_every, 1);
  const double last_of = llmenv_config_or (c, F_moe_last_of, 1);
  const double period = llmenv_config_or (c, F_moe_period, 1);
  if (at < llmenv_config_or (c, F_dense_first, 0) || (dense_at != NULL && dense_at[i]))
    return 0;
  return at <= last_mixed (c) && (every < 2 || fmod (at, every) == 0)
         && (last_of < 2 || fmod (at + 1, last_of) == 0)
         && (period < 2 || fmod (at, period) == llmenv_config_or (c, F_moe_offset, 0));
}

/* ---- widths ------------------------------------------------------------- */

/* Of a block width that is shrunk to two thirds, scaled and rounded up. */
static double
adjusted (llmenv_config *c, double size)
{
  if (!llmenv_config_flag (c, F_adjust_size, 0))
    return size;
  const double multiple = llmenv_config_or (c, F_adjust_multiple, 256);
  const double factor = llmenv_config_real (c, F_adjust_factor, 1);
  size = floor (factor * floor (2 * size / 3));
  return multiple > 0 ? multiple * ceil (size / multiple) : size;
}

/* The multiple of the model's width that a layer's MLP has, where widths are
 * given so; a list is rounded to multiples of 256 as its class does. */
static double
by_ratio (llmenv_config *c, size_t i)
{
  const json_t *ratio = llmenv_config_find (c, F_size_ratio);
  const double hidden = llmenv_config_need (c, F_hidden);
  if (ratio == NULL)
    return NAN;
  if (!json_is_array (ratio))
    return floor (hidden * llmenv_config_real (c, F_size_ratio, NAN));
  const double want = json_number_value (json_array_get (ratio, i)) * hidden;
  if (!(want > 0 && want <= LLMENV_MAX_WIDTH))
    {
      llmenv_config_refuse (c, F_size_ratio, "a multiple for every layer", ratio);
      return NAN;
    }
  const double rounded = fmax (256, 256 * floor ((want + 128) / 256));
  return rounded < 0.9 * want ? rounded + 256 : rounded;
}

static double
dense_size (llmenv_config *c, size_t i, int among_experts)
{
  double size = NAN;
  if (among_experts)
    size = llmenv_config_at (c, F_dense_size, i);
  if (isnan (size))
    size = llmenv_config_at (c, F_size, i);
  if (isnan (size) || size == 0)
    size = by_ratio (c, i);
  if (isnan (size))
    size = llmenv_config_at (c, F_dense_size, i);
  if (c->traits & T_HALF_SIZE)
    size = floor (size / 2);
  return isnan (size) ? 0 : adjusted (c, size);
}

/* Total width of the experts that every token passes. */
static double
shared_width (llmenv_config *c, size_t i, const llmenv_shape *s)
{
  const double total = llmenv_config_number (c, F_shared_size);
  const double gated = llmenv_config_number (c, F_gated_shared_size);
  const double each = llmenv_config_number (c, F_shared_expert_size);
  const double count = llmenv_config_at (c, F_shared_experts, i);
  if (!isnan (gated))
    return gated;
  if (!isnan (total))
    return total;
  if (!isnan (count) && count > 0)
    return count * (isnan (each) ? s->size : each);
  if (isnan (count) && !isnan (each))
    return each;
  return c->traits & T_ALWAYS_SHARED ? s->size : 0;
}

/* A number of an expert field: composite models list one for their text
 * experts first, then one for others. */
static double
expert_number (llmenv_config *c, llmenv_field f, size_t i)
{
  const json_t *value = llmenv_config_find (c, f);
  const size_t n = json_array_size (value);
  if (n > 0 && n < c->n)
    {
      char name[96];
      llmenv_import_note (c->notes, "%s lists %zu numbers, the first is taken for the text model",
                          llmenv_config_spelling (c, f, name, sizeof name), n);
      return llmenv_config_value (c, f, json_array_get (value, 0));
    }
  return llmenv_config_at (c, f, i);
}

static void
set_experts (llmenv_config *c, size_t i, double experts, llmenv_shape *s)
{
  s->mlp = MLP_MOE;
  s->experts = experts;
  s->expert_top = expert_number (c, F_top, i);
  s->size = expert_number (c, F_expert_size, i);
  if (isnan (s->size) || s->size == 0)
    s->size = llmenv_config_at (c, F_size, i);
  if (isnan (s->size))
    s->size = 0;
  s->shared_size = shared_width (c, i, s);
  if (isnan (s->expert_top) || s->expert_top < 1)
    llmenv_config_need (c, F_top);
  else if (s->expert_top > experts)
    llmenv_config_refuse (c, F_top, "at most the number of experts", llmenv_config_find (c, F_top));
}

static void
set_mlp (llmenv_config *c, size_t i, int is_mixed, llmenv_shape *s)
{
  const double experts = llmenv_config_flag (c, F_moe_switch, 1)
                         ? expert_number (c, F_experts, i) : 0;
  const int has_experts = experts > 0;
  if (has_experts && s->mlp != MLP_DENSE && (s->mlp == MLP_MOE || is_mixed))
    {
      set_experts (c, i, experts, s);
      /* The dense MLP runs beside them. */
      if (llmenv_config_has (c, F_moe_switch) || c->traits & T_TWO_A_LAYER)
        s->shared_size += dense_size (c, i, 0);
      return;
    }
  s->mlp = MLP_DENSE;
  s->size = dense_size (c, i, has_experts);
  /* Without experts, what would run beside them is the MLP. */
  const double shared = llmenv_config_or (c, F_shared_size, 0);
  if (!has_experts && shared > 0)
    s->size = shared;
  if (s->size == 0 && llmenv_config_has (c, F_size))
    s->mlp = MLP_NONE;         /* a width of 0 says that there is none */
  if (s->kind == LLMENV_SHARED && llmenv_config_flag (c, F_double_wide, 0))
    s->size *= 2;
}

/* A mixture's file without experts is read as dense, which is said. */
static void
note_no_experts (llmenv_config *c)
{
  const json_t *experts = llmenv_config_find (c, F_experts);
  const double top = json_number_value (llmenv_config_find (c, F_top));
  char name[96], top_name[96];
  if (json_is_number (experts) && json_number_value (experts) == 0 && top > 0)
    llmenv_import_note (c->notes, "%s is 0, though %s is %.15g: read as a dense model",
                        llmenv_config_spelling (c, F_experts, name, sizeof name),
                        llmenv_config_spelling (c, F_top, top_name, sizeof top_name), top);
}

llmenv_status
llmenv_config_mlp (llmenv_config *c)
{
  unsigned char *moe_at = marks_of (c, F_moe_at), *dense_at = marks_of (c, F_dense_at);
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      llmenv_shape *s = &c->layers[i].shape;
      if (s->mlp == MLP_NONE || s->size > 0)
        continue;
      if (c->traits & T_TWO_A_LAYER && i % 2 == 0)
        s->mlp = MLP_DENSE;    /* the experts come with the second attention */
      const int listed = moe_by_list (c, moe_at, i);
      set_mlp (c, i, listed >= 0 ? listed : moe_by_period (c, dense_at, i), s);
    }
  free (moe_at);
  free (dense_at);
  note_no_experts (c);
  return c->status;
}
