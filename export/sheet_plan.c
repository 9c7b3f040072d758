/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"

static const struct
{
  const char *heading;
  lxw_color_t color;
} groups[] = {
#define X(symbol, heading, color) { heading, color },
  SHEET_GROUPS (X)
#undef X
};

const char *
sheet_group_heading (sheet_group group)
{
  return groups[group].heading;
}

lxw_color_t
sheet_group_color (sheet_group group)
{
  return groups[group].color;
}

llmenv_request
sheet_request (const llmenv_request *request, llmenv_convention convention)
{
  llmenv_request own = *request;
  own.options.settings.convention = convention;
  own.as_printed = 0;
  return own;
}

sheet *
sheet_plan_find (const sheet_plan *plan, const char *name)
{
  for (size_t i = 0; i < plan->n; i++)
    if (strcmp (plan->sheets[i].name, name) == 0)
      return &plan->sheets[i];
  return NULL;
}

/* ---- adding sheets ----------------------------------------------------- */

static double
memory_gb (const sheet_plan *plan, const llmenv_request *request)
{
  const llmenv_settings *set = &request->options.settings;
  const double own = llmenv_card_numbers_get (plan->card, &request->options).card.memory;
  return (isnan (set->memory) ? own : set->memory) * set->count / 1e9;
}

/* Append an empty sheet; NULL with ERROR when memory is out. */
static sheet *
add (sheet_plan *plan, const char *name, const char *title, sheet_group group,
     llmenv_error *error)
{
  sheet *grown = realloc (plan->sheets, (plan->n + 1) * sizeof *grown);
  if (grown == NULL)
    {
      llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
      return NULL;
    }
  plan->sheets = grown;
  sheet *s = &grown[plan->n++];
  memset (s, 0, sizeof *s);
  snprintf (s->name, sizeof s->name, "%s", name);
  s->title = title;
  s->group = group;
  s->other = -1;
  s->convention = plan->request->options.settings.convention;
  return s;
}

static llmenv_status
add_table (sheet_plan *plan, const llmenv_table_info *info, sheet_group group,
           llmenv_convention convention, int is_counterpart, llmenv_error *error)
{
  char name[sizeof ((sheet *) 0)->name];
  llmenv_request own = sheet_request (plan->request, convention);
  own.as_printed = plan->request->as_printed && group == SHEET_PUBLISHED;
  snprintf (name, sizeof name, "%s%s", info->name, is_counterpart ? " layered" : "");
  sheet *s = add (plan, name, info->title, group, error);
  if (s == NULL)
    return LLMENV_ETOOLARGE;
  s->convention = convention;
  s->memory_gb = memory_gb (plan, &own);
  return llmenv_table_make (info->name, &own, &s->table, error);
}

typedef llmenv_status (*joined_fn) (const llmenv_request *, llmenv_table **,
                                    llmenv_error *);

static llmenv_status
add_joined (sheet_plan *plan, const char *name, const char *title, joined_fn make,
            llmenv_error *error)
{
  const llmenv_request own
    = sheet_request (plan->request, plan->request->options.settings.convention);
  sheet *s = add (plan, name, title, SHEET_OVERVIEW, error);
  if (s == NULL)
    return LLMENV_ETOOLARGE;
  s->memory_gb = memory_gb (plan, &own);
  return make (&own, &s->table, error);
}

/* Where a table of the list goes. */
static sheet_group
group_of (const llmenv_table_info *info)
{
  if (strncmp (info->name, "claims_", 7) == 0)
    return SHEET_CLAIMS;
  if (strcmp (info->group, "document 000") == 0)
    return SHEET_CONSUMER;
  if (strcmp (info->group, "document 003") == 0)
    return SHEET_PUBLISHED;
  if (strcmp (info->group, "sources") == 0)
    return SHEET_SOURCES;
  if (strcmp (info->name, "models") == 0 || strcmp (info->name, "cards") == 0)
    return SHEET_RECORDS;
  return strcmp (info->group, "records") == 0 ? SHEET_CORRECTED : SHEET_FURTHER;
}

/* The tables of LISTED as GROUP: both documents' in both conventions. */
static llmenv_status
add_group (sheet_plan *plan, sheet_group listed, sheet_group group,
           llmenv_error *error)
{
  const llmenv_convention own = plan->request->options.settings.convention;
  const llmenv_table_info *info;
  for (size_t i = 0; (info = llmenv_table_get (i)) != NULL; i++)
    {
      if (group_of (info) != listed)
        continue;
      const int paired = listed == SHEET_CONSUMER || listed == SHEET_PUBLISHED;
      if (group != SHEET_LAYERED)
        LLMENV_TRY (add_table (plan, info, group, paired ? LLMENV_PUBLISHED : own, 0, error));
      if (listed == SHEET_CONSUMER || group == SHEET_LAYERED)
        LLMENV_TRY (add_table (plan, info, group, LLMENV_LAYERED, 1, error));
    }
  return LLMENV_OK;
}

static llmenv_status
add_overview (sheet_plan *plan, llmenv_error *error)
{
  LLMENV_TRY (add_joined (plan, "models overview", "All models by every quantity, on one card",
                          sheet_models_make, error));
  LLMENV_TRY (add_joined (plan, "cards overview", "All cards by every quantity, for one model",
                          sheet_cards_make, error));
  return add_joined (plan, "both conventions", "Published and layered values, side by side",
                     sheet_both_make, error);
}

/* Sheets of one table know each other. */
static void
pair (sheet_plan *plan)
{
  for (size_t i = 0; i < plan->n; i++)
    for (size_t k = i + 1; k < plan->n; k++)
      if (plan->sheets[i].table != NULL && plan->sheets[k].table != NULL
          && strcmp (plan->sheets[i].table->name, plan->sheets[k].table->name) == 0)
        {
          plan->sheets[i].other = (int) k;
          plan->sheets[k].other = (int) i;
        }
}

llmenv_status
sheet_plan_make (sheet_plan *plan, const llmenv_request *request,
                 llmenv_error *error)
{
  static const struct { sheet_group listed, group; } parts[] = {
    { SHEET_CONSUMER, SHEET_CONSUMER }, { SHEET_PUBLISHED, SHEET_PUBLISHED },
    { SHEET_PUBLISHED, SHEET_LAYERED }, { SHEET_FURTHER, SHEET_FURTHER },
    { SHEET_CLAIMS, SHEET_CLAIMS },
    { SHEET_RECORDS, SHEET_RECORDS }, { SHEET_CORRECTED, SHEET_CORRECTED },
    { SHEET_SOURCES, SHEET_SOURCES },
  };
  const llmenv_build build = { .request = request };
  llmenv_model_record *model;
  llmenv_card_record *card;
  *plan = (sheet_plan) { .request = request };
  LLMENV_TRY (llmenv_build_model (&build, &model, error));
  LLMENV_TRY (llmenv_build_card (&build, &card, error));
  plan->model = model;
  plan->card = card;
  if (add (plan, SHEET_CHARTS, "Models and cards compared, in charts", SHEET_OVERVIEW, error) == NULL)
    return LLMENV_ETOOLARGE;
  LLMENV_TRY (add_overview (plan, error));
  for (size_t i = 0; i < N_OF (parts); i++)
    LLMENV_TRY (add_group (plan, parts[i].listed, parts[i].group, error));
  if (add (plan, SHEET_CHART_DATA, "Data behind the charts", SHEET_DATA, error) == NULL)
    return LLMENV_ETOOLARGE;
  pair (plan);
  return LLMENV_OK;
}

void
sheet_plan_free (sheet_plan *plan)
{
  for (size_t i = 0; i < plan->n; i++)
    llmenv_table_free (plan->sheets[i].table);
  free (plan->sheets);
}
