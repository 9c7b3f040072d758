/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of models, cards and tables: what a request is narrowed to. */
#ifndef LLMENV_SELECT_H
#define LLMENV_SELECT_H

#include "llmenv_table.h"

/* Names of one list, in the order given; none: everything. */
typedef struct
{
  char **name;                 /* owned, without blanks around them */
  size_t n;
} llmenv_names;

/* Start with zeros; free whatever the outcome. */
typedef struct
{
  llmenv_names models, cards, tables;
  llmenv_catalogue part;       /* the records named; its lists are owned */
} llmenv_selection;

void llmenv_selection_free (llmenv_selection *selection);

/* Append NAME, or the names that commas part in TEXT, to the list of OPTION.
 * Errors: LLMENV_EBADOPTION (a name that is empty). */
llmenv_status llmenv_names_add (llmenv_names *names, const char *option,
                                const char *name, llmenv_error *error);
llmenv_status llmenv_names_split (llmenv_names *names, const char *option,
                                  const char *text, llmenv_error *error);

/* Narrow REQUEST to SELECTION, which it then borrows: its catalogue to the
 * models and cards that are listed, its tables to those listed.  A list with
 * "all" in it is everything; a repeated name counts once.  The model that the
 * options name joins a list of models, and where they name none the first of
 * the list becomes theirs; likewise the card.
 * Errors: LLMENV_EMODEL, LLMENV_ECARD with the nearest ids; names of tables are
 * for those who make them to judge. */
llmenv_status llmenv_request_narrow (llmenv_request *request,
                                     llmenv_selection *selection,
                                     llmenv_error *error);

#endif
