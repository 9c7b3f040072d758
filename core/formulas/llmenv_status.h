/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every way a call can end: one list gives the enum, the tail of the Octave
 * error identifier ("llmenv:<id>") and the text. */
#ifndef LLMENV_STATUS_H
#define LLMENV_STATUS_H

#define LLMENV_STATUS_LIST(X)                                                  \
  X (LLMENV_OK,          "ok",           "success")                            \
  X (LLMENV_EBADCALL,    "badCall",      "wrong number or order of arguments") \
  X (LLMENV_EBADTYPE,    "badType",      "argument of a wrong type")           \
  X (LLMENV_EBADSIZE,    "badSize",      "sizes of arguments do not agree")    \
  X (LLMENV_EBADVALUE,   "badValue",     "argument outside its domain")        \
  X (LLMENV_EBADOPTION,  "badOption",    "unknown option or option value")     \
  X (LLMENV_EMODEL,      "unknownModel", "no model of that id or name")        \
  X (LLMENV_ECARD,       "unknownCard",  "no card of that id or name")         \
  X (LLMENV_EBADRECORD,  "badRecord",    "record malformed or contradictory")  \
  X (LLMENV_EBADFILE,    "badFile",      "file cannot be read or written")     \
  X (LLMENV_ENOBRACKET,  "noBracket",    "no sign change between the bounds")  \
  X (LLMENV_ENOTCONVERGED, "notConverged", "root finding did not converge")    \
  X (LLMENV_ETOOLARGE,   "tooLarge",     "result does not fit in memory")

typedef enum
{
#define X(symbol, id, text) symbol,
  LLMENV_STATUS_LIST (X)
#undef X
  LLMENV_STATUS_COUNT
} llmenv_status;

/* Tail of the Octave identifier and one-line text of STATUS ("unknown" when
 * it is none of the list). */
const char *llmenv_status_id (llmenv_status status);
const char *llmenv_status_text (llmenv_status status);

#endif
