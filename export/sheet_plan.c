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

const llmenv_table *
sheet_plan_table (const sheet_plan *plan, const char *name)
{
  const sheet *s = sheet_plan_find (plan, name);
  return s == NULL ? NULL : s->table;
}

void
sheet_plan_drop_last (sheet_plan *plan)
{
  llmenv_table_free (plan->sheets[--plan->n].table);
}

/* ---- which tables are wanted ------------------------------------------- */

/* Sheets that a request may name, beside the tables of the list. */
static const char *const own_sheets[] = { SHEET_CHARTS, SHEET_MODELS, SHEET_CARDS, SHEET_BOTH };

/* In any case, with blanks as any sign. */
static int
is_same_name (const char *a, const char *b)
{
  char x[80], y[80];
  llmenv_plain_name (a, x, sizeof x);
  llmenv_plain_name (b, y, sizeof y);
  return *x != '\0' && strcmp (x, y) == 0;
}

int
sheet_plan_wants (const sheet_plan *plan, const char *name)
{
  for (size_t i = 0; i < plan->request->n_tables; i++)
    if (is_same_name (plan->request->tables[i], name))
      return 1;
  return plan->request->n_tables == 0;
}

static llmenv_status
check_name (const char *name, llmenv_error *error)
{
  const llmenv_table_info *info;
  llmenv_nearest nearest;
  char shown[80], near[300];
  llmenv_nearest_start (&nearest, name);
  for (size_t i = 0; (info = llmenv_table_get (i)) != NULL; i++)
    {
      if (is_same_name (name, info->name))
        return LLMENV_OK;
      llmenv_nearest_offer (&nearest, info->name);
    }
  for (size_t i = 0; i < N_OF (own_sheets); i++)
    {
      if (is_same_name (name, own_sheets[i]))
        return LLMENV_OK;
      llmenv_nearest_offer (&nearest, own_sheets[i]);
    }
  llmenv_printable (name, shown, sizeof shown);
  llmenv_nearest_text (&nearest, near, sizeof near);
  return llmenv_error_set (error, LLMENV_EBADOPTION, "no table '%s'%s", shown, near);
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
  LLMENV_TRY (llmenv_table_make (info->name, &own, &s->table, error));
  if (s->table->n_rows == 0)
    sheet_plan_drop_last (plan);
  return LLMENV_OK;
}

typedef llmenv_status (*joined_fn) (const llmenv_request *, llmenv_table **,
                                    llmenv_error *);

static llmenv_status
add_joined (sheet_plan *plan, const char *name, const char *title, joined_fn make,
            llmenv_error *error)
{
  const llmenv_request own
    = sheet_request (plan->request, plan->request->options.settings.convention);
  if (!sheet_plan_wants (plan, name))
    return LLMENV_OK;
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
      if (group_of (info) != listed || !sheet_plan_wants (plan, info->name))
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
  LLMENV_TRY (add_joined (plan, SHEET_MODELS, "All models by every quantity, on one card",
                          sheet_models_make, error));
  LLMENV_TRY (add_joined (plan, SHEET_CARDS, "All cards by every quantity, for one model",
                          sheet_cards_make, error));
  return add_joined (plan, SHEET_BOTH, "Published and layered values, side by side",
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

/* The model and card of the request. */
static llmenv_status
name_records (sheet_plan *plan, llmenv_error *error)
{
  const llmenv_build build = { .request = &plan->own };
  llmenv_model_record *model;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_options_resolve (&plan->own.options, plan->own.catalogue, error));
  LLMENV_TRY (llmenv_build_model (&build, &model, error));
  LLMENV_TRY (llmenv_build_card (&build, &card, error));
  plan->model = model;
  plan->card = card;
  return LLMENV_OK;
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
  *plan = (sheet_plan) { .own = *request };
  plan->request = &plan->own;
  LLMENV_TRY (name_records (plan, error));
  for (size_t i = 0; i < request->n_tables; i++)
    LLMENV_TRY (check_name (request->tables[i], error));
  llmenv_caption_make (&plan->own.options, 0, plan->caption, sizeof plan->caption);
  llmenv_caption_narrowed (&plan->own, plan->caption, sizeof plan->caption);
  if (sheet_plan_wants (plan, SHEET_CHARTS)
      && add (plan, SHEET_CHARTS, "Models and cards compared, in charts", SHEET_OVERVIEW, error) == NULL)
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
