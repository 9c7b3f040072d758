/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Likely causes: hypotheses, each a value that a usual mistake would give, in
 * the order in which they are tried. */
#include "llmenv_audit_derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  double value;
  char text[200];
} hypothesis;

/* TEXT of the first hypothesis that gives RECORDED; 0 when none does. */
static int
first_that_gives (const hypothesis *h, size_t n, double recorded, char *cause, size_t size)
{
  for (size_t i = 0; i < n; i++)
    if (h[i].value > 0 && llmenv_audit_same (h[i].value, recorded))
      {
        snprintf (cause, size, "%s", h[i].text);
        return 1;
      }
  return 0;
}

/* "16 times too small", or "within 3 %" where no factor is worth naming. */
static void
put_factor (double recorded, double derived, char *cause, size_t size)
{
  if (!(recorded > 0) || !(derived > 0))
    {
      snprintf (cause, size, "%s", derived > 0 ? "left out" : "counted where there is none");
      return;
    }
  const double ratio = recorded / derived, factor = fmax (ratio, 1 / ratio);
  if (factor < 1.5)
    snprintf (cause, size, "%.3g %% too %s", 100 * fabs (ratio - 1), ratio > 1 ? "large" : "small");
  else
    snprintf (cause, size, "%.4g times too %s", factor, ratio > 1 ? "large" : "small");
}

static void
append (char *cause, size_t size, const char *text)
{
  const size_t n = strlen (cause);
  if (n + 1 < size)
    snprintf (cause + n, size - n, "%s", text);
}

/* ---- KV bytes a token ------------------------------------------------------ */

/* Window layers A of a split that gives RECORDED = (A x + (n - A) y) / FACTOR,
 * or NaN. */
static double
split_for (const llmenv_audit_sums *s, double recorded, double factor)
{
  const double n = s->window + s->full, x = s->kv_window / s->window;
  const double y = (s->kv - s->kv_window) / s->full;
  const double a = (recorded * factor - n * y) / (x - y);
  return x != y && a == floor (a) && a >= 0 && a <= n ? a : NAN;
}

/* Layers of two sizes, split otherwise: as bytes or as elements, whichever is
 * nearer to the true split. */
static int
other_split (const llmenv_audit_sums *s, double recorded, char *cause, size_t size)
{
  if (!(s->window > 0 && s->full > 0) || s->window + s->full != s->caching)
    return 0;
  const double bytes = split_for (s, recorded, 1), elements = split_for (s, recorded, 2);
  const int halved = isnan (bytes) || fabs (elements - s->window) < fabs (bytes - s->window);
  const double a = halved ? elements : bytes;
  if (isnan (a))
    return 0;
  snprintf (cause, size, "%slayer split: %.0f window and %.0f full layers for %.0f and %.0f",
            halved ? "factor 2, elements counted for bytes; and " : "", a,
            s->caching - a, s->window, s->full);
  return 1;
}

/* Another number of equal layers. */
static int
other_count (const llmenv_audit_sums *s, double recorded, double derived, char *cause,
             size_t size)
{
  const double n = recorded / derived * s->caching;
  if (!(n > 0) || n > 1024 || !llmenv_audit_same (n, round (n)) || s->caching < 2)
    return 0;
  if (s->mtp > 0 && n > s->layers && n <= s->layers + 8 && s->caching == s->layers)
    snprintf (cause, size, "%.0f prediction layers counted beside the %.0f that cache",
              n - s->caching, s->caching);
  else
    snprintf (cause, size, "%.0f layers counted where %.0f cache", n, s->caching);
  return 1;
}

/* RECORDED is a power of two away. */
static int
power_of_two (double recorded, double derived, char *cause, size_t size)
{
  const double ratio = derived / recorded, power = log2 (ratio);
  if (!(recorded > 0 && derived > 0) || power == 0 || power != round (power) || fabs (power) > 10)
    return 0;
  snprintf (cause, size, "factor %.0f%s", fmax (ratio, 1 / ratio),
            ratio == 2 ? " too small: elements counted for bytes, or K without V"
            : ratio == 4 ? " too small: elements counted for bytes, and K without V"
            : ratio == 0.5 ? " too large: 4 bytes an element, or K and V counted twice"
            : ratio > 1 ? " too small: a slip in the product" : " too large: a slip in the product");
  return 1;
}

void
llmenv_cause_kv (const llmenv_audit_sums *s, double recorded, double derived,
                 char *cause, size_t size)
{
  hypothesis h[8];
  size_t n = 0;
  const double total = s->layers;
#define TRY_THAT(number, ...)                                                 \
  do                                                                          \
    {                                                                         \
      h[n].value = number;                                                    \
      snprintf (h[n++].text, sizeof h[0].text, __VA_ARGS__);                  \
    }                                                                         \
  while (0)
  TRY_THAT (s->kv_shared > 0 ? derived + s->kv_shared : 0,
            "%.0f layers counted that read another layer's cache", s->shared);
  TRY_THAT (s->caching > 0 && total > s->caching ? derived * total / s->caching : 0,
            "all %.0f layers counted though %.0f cache", total, s->caching);
  TRY_THAT (s->encoder > 0 && s->encoder != s->caching ? derived * s->encoder / s->caching : 0,
            "encoder depth: %.0f layers for the decoder's %.0f", s->encoder, s->caching);
  TRY_THAT (s->kv_heads, "latent read as heads");
  TRY_THAT (s->g > 1 ? derived * s->g : 0, "query heads counted for KV heads, factor %.4g", s->g);
  TRY_THAT (s->kv_window > 0 && s->kv_window < derived ? derived - s->kv_window : 0,
            "window layers left out");
#undef TRY_THAT
  if (!first_that_gives (h, n, recorded, cause, size)
      && !power_of_two (recorded, derived, cause, size)
      && !other_split (s, recorded, cause, size)
      && !other_count (s, recorded, derived, cause, size))
    put_factor (recorded, derived, cause, size);
  const double product = llmenv_audit_product (s);
  if (s->caching > 0 && llmenv_audit_same (product, derived))
    append (cause, size, "; num_layers x num_kv_heads x head_dim x 2 x 2 gives the derived value too");
  const double layers = recorded / derived * llmenv_audit_value (s, "num_layers");
  if (s->layers == 0 && layers >= 1 && layers == round (layers))
    {
      const size_t used = strlen (cause);
      snprintf (cause + used, size - used, "; %.0f layers would give it, num_layers is %.0f",
                layers, llmenv_audit_value (s, "num_layers"));
    }
}

/* ---- state ------------------------------------------------------------------ */

void
llmenv_cause_state (const llmenv_audit_sums *s, double recorded, double derived,
                    char *cause, size_t size)
{
  const double bases[] = { derived, s->matrices, s->columns };
  static const char *const left_out[] = { "", "; convolution columns left out",
                                          "; recurrent matrices left out" };
  const double mixers = (s->recurrent + s->idle) / s->recurrent;
  const double all = s->layers / s->recurrent;
  for (int b = 0; b < 3; b++)
    {
      const double ratio = recorded / bases[b];
      if (!(bases[b] > 0) || (b > 0 && bases[b] == derived))
        continue;
      if (s->idle > 0 && llmenv_audit_same (ratio, mixers))
        snprintf (cause, size, "factor %.4g: MLP layers counted, %.0f recurrent layers for %.0f",
                  mixers, s->recurrent + s->idle, s->recurrent);
      else if (all > 1 && llmenv_audit_same (ratio, all))
        snprintf (cause, size, "factor %.4g: all %.0f layers counted though %.0f are recurrent",
                  all, s->layers, s->recurrent);
      else if (ratio == 0.5 || ratio == 2)
        snprintf (cause, size, "factor 2: %s", ratio == 2 ? "twice the bytes an element"
                  : "half the bytes an element, or elements counted for bytes");
      else if (ratio == 0.25 || ratio == 4)
        snprintf (cause, size, "factor 4: %s", ratio == 4 ? "four times the bytes an element"
                  : "elements counted for bytes");
      else if (ratio == 1 && b > 0)
        *cause = '\0';
      else
        continue;
      append (cause, size, *cause == '\0' && b > 0 ? left_out[b] + 2 : left_out[b]);
      return;
    }
  put_factor (recorded, derived, cause, size);
}

/* ---- parameters, FLOPs, counts ------------------------------------------------ */

static int
is_about (double a, double b)
{
  return b > 0 && fabs (a - b) <= 0.02 * b;
}

void
llmenv_cause_params (const llmenv_audit_sums *s, double recorded, double derived,
                     char *cause, size_t size)
{
  const double ratio = recorded / derived;
  put_factor (recorded, derived, cause, size);
  if (is_about (ratio, 2))
    append (cause, size, ": 16-bit bytes counted for parameters");
  else if (is_about (ratio, 1e3) || is_about (ratio, 1e-3))
    append (cause, size, ": another unit");
  else if (s->routed > 0 && is_about (recorded, s->params))
    append (cause, size, ": all experts counted");
  else if (s->routed > 0 && is_about (recorded, s->params - s->routed + s->used))
    append (cause, size, ": only the experts of one token counted");
  else if (is_about (recorded, s->params - s->embedding - s->head))
    append (cause, size, ": embeddings left out");
  else if (ratio > 1 && ratio < 1.5)
    {
      const size_t n = strlen (cause);
      snprintf (cause + n, size - n, ": %.3gE9 more than its parts hold", (recorded - derived) / 1e9);
    }
}

void
llmenv_cause_flops (const llmenv_audit_sums *s, double recorded, double derived,
                    char *cause, size_t size)
{
  const double ratio = recorded / derived;
  if (is_about (ratio, 0.5))
    snprintf (cause, size, "factor 2: a multiply-add counted once");
  else if (is_about (ratio, 3))
    snprintf (cause, size, "factor 3: a backward pass counted");
  else if (s->routed > 0 && is_about (recorded, 2 * s->params))
    snprintf (cause, size, "all experts counted, factor %.4g", ratio);
  else
    put_factor (recorded, derived, cause, size);
}

void
llmenv_cause_ratio (const llmenv_audit_sums *s, double recorded, double derived,
                    char *cause, size_t size)
{
  if (llmenv_audit_same (recorded * derived, 1))
    snprintf (cause, size, "inverted: KV heads over query heads");
  else if (llmenv_audit_same (recorded, llmenv_audit_value (s, "num_kv_heads")))
    snprintf (cause, size, "KV heads for the ratio");
  else if (recorded == 1)
    snprintf (cause, size, "grouping ignored, factor %.4g", derived);
  else
    put_factor (recorded, derived, cause, size);
}

void
llmenv_cause_count (const llmenv_audit_sums *s, const char *field, double recorded,
                    double derived, char *cause, size_t size)
{
  const int of_layers = strstr (field, "layer") != NULL;
  if (of_layers && s->encoder > 0 && recorded == s->encoder)
    snprintf (cause, size, "encoder depth for decoder depth");
  else if (of_layers && s->idle > 0 && recorded == derived + s->idle)
    snprintf (cause, size, "%.0f MLP layers counted, factor %.4g", s->idle, recorded / derived);
  else if (of_layers && s->shared > 0 && recorded == derived + s->shared)
    snprintf (cause, size, "%.0f layers counted that read another layer's cache", s->shared);
  else if (strcmp (field, "num_layers") == 0 && s->mtp > 0 && recorded > derived
           && recorded <= derived + 8)
    snprintf (cause, size, "%.0f prediction layers counted beside %.0f", recorded - derived, derived);
  else if (of_layers && strcmp (field, "num_layers") != 0 && recorded <= s->layers)
    snprintf (cause, size, "layer split: %.0f of %.0f layers for %.0f", recorded, s->layers, derived);
  else if (strcmp (field, "max_position_embeddings") == 0 && recorded == s->cross_length)
    snprintf (cause, size, "the encoder's length for the decoder's");
  else if (strcmp (field, "vocab_size") == 0)
    snprintf (cause, size, "another vocabulary than the output head's");
  else
    put_factor (recorded, derived, cause, size);
}
