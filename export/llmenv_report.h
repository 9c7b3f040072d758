/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workbook. */
#ifndef LLMENV_REPORT_H
#define LLMENV_REPORT_H

#include "llmenv_table.h"

/* Write every table under REQUEST into the workbook at PATH: first to a
 * temporary file beside it, which then replaces PATH, so that a failure leaves
 * an older file untouched.  Equal inputs give equal bytes.
 * Errors: LLMENV_EBADFILE (where it cannot be written, and why), and those of
 * llmenv_table_make. */
llmenv_status llmenv_report_write (const char *path,
                                   const llmenv_request *request,
                                   llmenv_error *error);

#endif
