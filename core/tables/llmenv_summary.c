/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_summary.h"

#include <math.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_options.h"
#include "llmenv_quantity.h"

static void
put_heads (const llmenv_layer_group *g, FILE *out)
{
  if (g->rank > 0)
    fprintf (out, ", %.0f heads, rank %.0f + %.0f rotary", g->q_heads, g->rank, g->rope_dim);
  else if (g->kv_heads > 0)
    {
      fprintf (out, ", %.0f query heads, %.0f KV heads of %.0f", g->q_heads, g->kv_heads, g->k_dim);
      if (g->v_dim != g->k_dim)
        fprintf (out, " and %.0f", g->v_dim);
    }
  if (g->window > 0)
    fprintf (out, ", %.0f tokens", g->window);
  if (g->top > 0)
    fprintf (out, ", top %.0f by %.0f heads of %.0f", g->top, g->index_heads, g->index_dim);
  if (g->length > 0)
    fprintf (out, ", %.0f encoder tokens", g->length);
  if (g->state_elements + g->conv_elements > 0)
    fprintf (out, ", state %.0f + %.0f elements", g->state_elements, g->conv_elements);
}

static void
put_layers (const llmenv_model *m, FILE *out)
{
  fprintf (out, "\nLayers\n");
  for (size_t i = 0; i < m->n_layers; i++)
    {
      const llmenv_layer_group *g = &m->layers[i];
      fprintf (out, "  %5.0f %s", g->count, llmenv_layer_kind_word (g->kind));
      if (g->kind == LLMENV_SHARED)
        fprintf (out, " of %s", llmenv_layer_kind_word (g->reads));
      put_heads (g, out);
      fputc ('\n', out);
    }
  if (m->n_layers == 0)
    fprintf (out, "  not recorded\n");
}

static void
put_line (const char *label, double value, const char *unit, FILE *out)
{
  if (isfinite (value))
    fprintf (out, "  %-22s %18.0f %s\n", label, value, unit);
  else
    fprintf (out, "  %-22s %18s\n", label, "no record");
}

static void
put_cache (const llmenv_model_record *r, FILE *out)
{
  const llmenv_options options = llmenv_options_default ();
  llmenv_envelope e;
  fprintf (out, "\nCache of one sequence, 2 bytes an element\n");
  put_line ("KV, one token", r->model.scalars.kv_bytes, "bytes", out);
  if (llmenv_envelope_make (&r->model, NULL, &options.settings, &e) != LLMENV_OK)
    return;
  const double state = llmenv_quantity_value (LLMENV_Q_kv_bytes, &e, 1, 0);
  if (state > 0)
    put_line ("fixed", state, "bytes", out);
  put_line ("at 8k tokens", llmenv_quantity_value (LLMENV_Q_kv_bytes, &e, 1, 8192), "bytes", out);
  put_line ("at 128k tokens", llmenv_quantity_value (LLMENV_Q_kv_bytes, &e, 1, 131072), "bytes", out);
}

/* Format of a part: its own, else the record's, else bf16. */
static const char *
format_of (const llmenv_model_record *r, const json_t *part)
{
  const char *own = llmenv_record_text (part, "format");
  const char *all = llmenv_record_text (r->json, "weight_format");
  return *own != '\0' ? own : *all != '\0' ? all : "bf16, assumed";
}

static void
put_weights (const llmenv_model_record *r, FILE *out)
{
  const llmenv_model *m = &r->model;
  const json_t *weights = json_object_get (r->json, "weights");
  const json_t *parts = json_object_get (weights, "parts");
  double params = 0, bytes = 0;
  fprintf (out, "\nWeights\n");
  for (size_t i = 0; i < m->n_parts; i++)
    {
      const json_t *part = json_array_get (parts, i);
      const char *name = llmenv_record_text (part, "name");
      params += m->parts[i].params;
      bytes += m->parts[i].params * m->parts[i].bytes_each;
      fprintf (out, "  %18.0f  %-10s %-15s %s\n", m->parts[i].params,
               llmenv_weight_role_word (m->parts[i].role), format_of (r, part), name);
    }
  if (m->n_parts == 0 && isnan (m->scalars.params))
    fprintf (out, "  not recorded\n");
  else if (m->n_parts == 0)
    fprintf (out, "  %18.0f  parameters, by parts not recorded\n", m->scalars.params);
  else
    fprintf (out, "  %18.0f  parameters, %.2f GB (%.2f GiB)\n", params, bytes / 1e9,
             bytes / 1073741824.0);
  if (m->experts > 0)
    fprintf (out, "  %18.0f  routed experts a layer, %.0f a token\n", m->experts, m->top);
}

void
llmenv_summary_text (const llmenv_model_record *record, FILE *out)
{
  const char *architecture = llmenv_record_text (record->json, "architecture");
  const char *attention = llmenv_record_text (record->json, "attention_variant");
  fprintf (out, "%s (%s)", record->name, record->id);
  if (*architecture != '\0')
    fprintf (out, ", %s", architecture);
  if (*attention != '\0')
    fprintf (out, ", %s", attention);
  fputc ('\n', out);
  put_layers (&record->model, out);
  put_cache (record, out);
  put_weights (record, out);
}
