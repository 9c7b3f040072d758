/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_status.h"

static const struct
{
  const char *id, *text;
} entries[] = {
#define X(symbol, id, text) { id, text },
  LLMENV_STATUS_LIST (X)
#undef X
};

const char *
llmenv_status_id (llmenv_status status)
{
  return (unsigned) status < LLMENV_STATUS_COUNT ? entries[status].id : "unknown";
}

const char *
llmenv_status_text (llmenv_status status)
{
  return (unsigned) status < LLMENV_STATUS_COUNT ? entries[status].text : "unknown status";
}
