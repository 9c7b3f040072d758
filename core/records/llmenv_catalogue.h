/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where records are, and how they are found by id or by name.
 *
 * Folders, first one wins: those of LLMENV_DATA (separated by colons), then
 * the user's (llmenv_own.h), then the one shipped, found beside the program or library that contains this
 * code (../data of build/, ../share/llmenv/data of an installation, data of
 * a package).  Each holds models/<id>.json and accelerators/<id>.json.
 * ERROR must not be NULL in this header. */
#ifndef LLMENV_CATALOGUE_H
#define LLMENV_CATALOGUE_H

#include "llmenv_record.h"

enum { LLMENV_PATH_SIZE = 4096 };

/* Path of the shipped file NAME ("printed.json"), looked for as above.
 * Errors: LLMENV_EBADFILE, naming the folders. */
llmenv_status llmenv_data_file (const char *name, char path[LLMENV_PATH_SIZE],
                                llmenv_error *error);

/* Whether ID can be the name of a record's file. */
int llmenv_record_id_is_file (const char *id);

/* What is at that path, imported, where NAME is one for a model (llmenv_own.h);
 * else the record with that id; else the one whose id, name or repository is the
 * same in letters and digits; else the only one whose id or name contains the
 * words of NAME ("RTX 4090").
 * Errors: LLMENV_EMODEL or LLMENV_ECARD with the nearest ids, or what is wrong
 * with the record. */
llmenv_status llmenv_model_load (const char *name, llmenv_model_record **record,
                                 llmenv_error *error);
llmenv_status llmenv_card_load (const char *name, llmenv_card_record **record,
                                llmenv_error *error);

/* All records, by id. */
typedef struct
{
  llmenv_model_record **models;
  size_t n_models;
  llmenv_card_record **cards;
  size_t n_cards;
  struct
  {
    char *path;                /* owned */
    llmenv_model_record *record; /* one of models */
  } *own;                      /* models that were imported */
  size_t n_own;
} llmenv_catalogue;

llmenv_status llmenv_catalogue_load (llmenv_catalogue *catalogue,
                                     llmenv_error *error);
void llmenv_catalogue_free (llmenv_catalogue *catalogue);

/* Add RECORD, imported from PATH, in the order of ids; it is taken over, also
 * on failure.  Its id must be new. */
llmenv_status llmenv_catalogue_add (llmenv_catalogue *catalogue,
                                    llmenv_model_record *record, const char *path,
                                    llmenv_error *error);

/* Record with exactly that id, or imported from exactly that path, or NULL. */
llmenv_model_record *llmenv_catalogue_model (const llmenv_catalogue *c, const char *id);
llmenv_card_record *llmenv_catalogue_card (const llmenv_catalogue *c, const char *id);

#endif
