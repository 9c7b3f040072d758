/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists of table definitions, one a file. */
#ifndef TABLES_H
#define TABLES_H

#include "llmenv_builder.h"

extern const llmenv_definition llmenv_tables_document_000[];
extern const size_t llmenv_n_tables_document_000;
extern const llmenv_definition llmenv_tables_document_003[];
extern const size_t llmenv_n_tables_document_003;
extern const llmenv_definition llmenv_tables_crossovers[];
extern const size_t llmenv_n_tables_crossovers;
extern const llmenv_definition llmenv_tables_records[];
extern const size_t llmenv_n_tables_records;
extern const llmenv_definition llmenv_tables_claims[];
extern const size_t llmenv_n_tables_claims;

#endif
