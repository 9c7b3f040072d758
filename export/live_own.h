/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets Own model (a model by its dimensions, and its whole envelope) and
 * What-if (up to four models on up to four cards, side by side). */
#ifndef LIVE_OWN_H
#define LIVE_OWN_H

#include "live_book.h"

/* Row of the own model on Data models, which the analyst's dimensions fill. */
void live_own_data (live_book *live);

/* The own model's sheet; the comparison's. */
void live_own_write (live_book *live);
void live_whatif_write (live_book *live);

#endif
