/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_select.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of names ---------------------------------------------------- */

static void
free_names (llmenv_names *names)
{
  for (size_t i = 0; i < names->n; i++)
    free (names->name[i]);
  free (names->name);
}

void
llmenv_selection_free (llmenv_selection *s)
{
  free_names (&s->models);
  free_names (&s->cards);
  free_names (&s->tables);
  free (s->part.models);
  free (s->part.cards);
}

/* The N characters at NAME, less the blanks around them; WHOLE for messages. */
static llmenv_status
add_part (llmenv_names *names, const char *option, const char *name, size_t n,
          const char *whole, llmenv_error *error)
{
  char shown[100];
  for (; n > 0 && *name == ' '; n--)
    name++;
  while (n > 0 && name[n - 1] == ' ')
    n--;
  llmenv_printable (whole, shown, sizeof shown);
  if (n == 0)
    return llmenv_error_set (error, LLMENV_EBADOPTION, "option %s: an empty name in '%s'",
                             option, shown);
  char **grown = realloc (names->name, (names->n + 1) * sizeof *grown);
  if (grown != NULL)
    names->name = grown;
  char *copy = grown == NULL ? NULL : strndup (name, n);
  if (copy == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  names->name[names->n++] = copy;
  return LLMENV_OK;
}

llmenv_status
llmenv_names_add (llmenv_names *names, const char *option, const char *name,
                  llmenv_error *error)
{
  return add_part (names, option, name, strlen (name), name, error);
}

llmenv_status
llmenv_names_split (llmenv_names *names, const char *option, const char *text,
                    llmenv_error *error)
{
  for (const char *part = text;; part++)
    {
      const size_t n = strcspn (part, ",");
      LLMENV_TRY (add_part (names, option, part, n, text, error));
      part += n;
      if (*part == '\0')
        return LLMENV_OK;
    }
}

static int
is_everything (const llmenv_names *names)
{
  for (size_t i = 0; i < names->n; i++)
    if (strcmp (names->name[i], "all") == 0)
      return 1;
  return names->n == 0;
}

/* ---- records ----------------------------------------------------------- */

/* The models or cards that are listed, in the catalogue's order, which is that
 * of ids; all of them where none is. */
#define NARROW(kind)                                                          \
  static void                                                                 \
  keep_##kind (llmenv_catalogue *part, llmenv_##kind##_record *record)        \
  {                                                                           \
    size_t at = part->n_##kind##s;                                            \
    if (llmenv_catalogue_##kind (part, record->id) != NULL)                   \
      return;                                                                 \
    for (; at > 0 && strcmp (part->kind##s[at - 1]->id, record->id) > 0; at--) \
      part->kind##s[at] = part->kind##s[at - 1];                              \
    part->kind##s[at] = record;                                               \
    part->n_##kind##s++;                                                      \
  }                                                                           \
                                                                              \
  static llmenv_status                                                        \
  narrow_##kind##s (const llmenv_names *names, const llmenv_catalogue *all,   \
                    llmenv_options *options, llmenv_catalogue *part,          \
                    llmenv_error *error)                                      \
  {                                                                           \
    llmenv_##kind##_record *record;                                           \
    const int everything = is_everything (names);                             \
    part->kind##s = calloc (all->n_##kind##s + 1, sizeof *part->kind##s);     \
    if (part->kind##s == NULL)                                                \
      return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");     \
    for (size_t i = 0; everything && i < all->n_##kind##s; i++)               \
      part->kind##s[part->n_##kind##s++] = all->kind##s[i];                   \
    for (size_t i = 0; !everything && i < names->n; i++)                      \
      {                                                                       \
        LLMENV_TRY (llmenv_##kind##_named (all, names->name[i], &record, error)); \
        if (i == 0 && !options->given_##kind)                                 \
          snprintf (options->kind, sizeof options->kind, "%s", record->id);   \
        keep_##kind (part, record);                                           \
      }                                                                       \
    LLMENV_TRY (llmenv_##kind##_named (all, options->kind, &record, error));  \
    keep_##kind (part, record);                                               \
    return LLMENV_OK;                                                         \
  }
NARROW (model)
NARROW (card)

llmenv_status
llmenv_request_narrow (llmenv_request *request, llmenv_selection *s,
                       llmenv_error *error)
{
  if (!is_everything (&s->tables))
    {
      request->tables = (const char *const *) s->tables.name;
      request->n_tables = s->tables.n;
    }
  if (is_everything (&s->models) && is_everything (&s->cards))
    return LLMENV_OK;
  LLMENV_TRY (narrow_models (&s->models, request->catalogue, &request->options,
                             &s->part, error));
  LLMENV_TRY (narrow_cards (&s->cards, request->catalogue, &request->options,
                            &s->part, error));
  request->all = request->catalogue;
  request->catalogue = &s->part;
  return LLMENV_OK;
}
