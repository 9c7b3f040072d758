/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_inputs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_inputs.h"

#define SHEET "Inputs"
#define LISTS "'Data lists'"

enum { TITLE_ROW, WORDS_ROW, STATE_ROW, HEAD_ROW = 4, FIRST_ROW };
enum { LABEL, VALUE, UNIT, ACCEPTS, HELP, NAME, WRITTEN, CHANGED, REFUSED };
enum { LIST_TYPES, LIST_BYTES, LIST_WEIGHTS, LIST_WEIGHT_BYTES, LIST_BASES };

static const char *const bases[] = { "default", "active", "touched", "resident" };

/* ---- what the inputs are at ---------------------------------------------- */

/* A number (then TEXT is empty), a text, or nothing. */
typedef struct { double number; char text[LLMENV_NAME_SIZE]; } input_value;

static input_value
number (double x)
{
  return (input_value) { x, "" };
}

static input_value
text (const char *t)
{
  input_value v = { NAN, "" };
  snprintf (v.text, sizeof v.text, "%.120s", t);
  return v;
}

/* The type's name, or the number where it has none. */
static input_value
type_of (const char *name, double bytes, int with_mixes)
{
  return llmenv_element_find (name, with_mixes) != NULL ? text (name) : number (bytes);
}

static input_value
value_of (live_input i, const llmenv_request *request)
{
  const llmenv_options *o = &request->options;
  const llmenv_settings *s = &o->settings;
  const llmenv_inputs *own = request->inputs;
  switch (i)
    {
    case LIVE_I_in_model: return text (o->model);
    case LIVE_I_in_card: return text (o->card);
    case LIVE_I_in_count: return number (s->count);
    case LIVE_I_in_k_type: return type_of (o->k_type, s->k_bytes, 0);
    case LIVE_I_in_v_type: return type_of (o->v_type, s->v_bytes, 0);
    case LIVE_I_in_weight:
      return isnan (s->weight_bytes_each) ? text ("released")
             : type_of (o->weight_type, s->weight_bytes_each, 1);
    case LIVE_I_in_weight_bytes: return number (s->weight_bytes / 1e9);
    case LIVE_I_in_basis: return text (bases[s->basis]);
    case LIVE_I_in_context: return number (o->context);
    case LIVE_I_in_batch: return number (o->batch);
    case LIVE_I_in_reserve: return number (s->reserve / 1e9);
    case LIVE_I_in_utilization: return number (s->utilization);
    case LIVE_I_in_bandwidth_efficiency: return number (s->bandwidth_efficiency);
    case LIVE_I_in_compute_efficiency: return number (s->compute_efficiency);
    case LIVE_I_in_overhead: return number (s->overhead);
    case LIVE_I_in_memory: return number (s->memory / 1e9);
    case LIVE_I_in_price: return number (own->price);
    case LIVE_I_own_peak: return number (own->own_peak);
    case LIVE_I_own_bandwidth: return number (own->own_bandwidth);
    case LIVE_I_own_memory: return number (own->own_memory);
    default: return text ("");
    }
}

/* ---- what is accepted ---------------------------------------------------- */

static const char *
accepts (live_input_kind kind)
{
  static const char *const words[] = {
    "a model of the list", "a card of the list, or own-card", "a type of the list, or bytes above 0",
    "a type of the list, released, or bytes above 0", "default, active, touched or resident",
    "above 0", "0 or more", "above 0, up to 1", "a whole number from 1", "above 0, or blank",
  };
  return words[kind];
}

/* Refuse what is not accepted; types also take a number, so they only warn. */
static void
validate (xl_sheet *xl, size_t row, live_input_kind kind, const char *label, const char *help,
          const char *list)
{
  char title[33], message[256], formula[160];
  char source[200] = "";
  lxw_data_validation v = { .validate = LXW_VALIDATION_TYPE_LIST_FORMULA, .value_formula = source,
                            .ignore_blank = LXW_VALIDATION_ON };
  if (list != NULL)
    live_print (source, sizeof source, "%s", list);
  snprintf (title, sizeof title, "%.32s", label);
  snprintf (message, sizeof message, "%.120s. Accepted: %.100s.", help, accepts (kind));
  v.input_title = title;
  v.input_message = message;
  v.error_title = title;
  v.error_message = message;
  if (kind == LIVE_CACHE_TYPE || kind == LIVE_WEIGHT_TYPE)
    v.error_type = LXW_VALIDATION_ERROR_TYPE_WARNING;
  if (kind == LIVE_WHOLE)
    {
      v.validate = LXW_VALIDATION_TYPE_INTEGER;
      v.criteria = LXW_VALIDATION_CRITERIA_GREATER_THAN_OR_EQUAL_TO;
      v.value_number = 1;
    }
  else if (list == NULL)
    {
      static const char *const rules[] = { [LIVE_ABOVE_0] = "=AND(ISNUMBER(%s),%s>0)", [LIVE_FROM_0] = "=AND(ISNUMBER(%s),%s>=0)",
                                           [LIVE_SHARE] = "=AND(ISNUMBER(%s),%s>0,%s<=1)", [LIVE_MAYBE] = "=AND(ISNUMBER(%s),%s>0)" };
      char cell[16];
      size_t n = 0;
      snprintf (cell, sizeof cell, "$B$%zu", row + 1);
      for (const char *c = rules[kind]; *c != '\0'; c++)
        if (c[0] == '%')
          {
            n += (size_t) snprintf (formula + n, sizeof formula - n, "%s", cell);
            c++;
          }
        else
          formula[n++] = *c;
      formula[n] = '\0';
      v.validate = LXW_VALIDATION_TYPE_CUSTOM_FORMULA;
      v.value_formula = formula;
    }
  xl_note (xl, worksheet_data_validation_cell (xl->worksheet, (lxw_row_t) row, VALUE, &v), row, VALUE);
}

/* Whether the value of ROW is accepted, as a formula. */
static void
accepted_formula (size_t row, live_input_kind kind, const char *list, char *out, size_t size)
{
  char cell[16];
  snprintf (cell, sizeof cell, "$B%zu", row + 1);
  switch (kind)
    {
    case LIVE_MODEL: case LIVE_CARD: case LIVE_BASIS_WORD:
      live_print (out, size, "ISNUMBER(MATCH(%s,%s,0))", cell, list + 1);
      return;
    case LIVE_CACHE_TYPE: case LIVE_WEIGHT_TYPE:
      live_print (out, size, "IF(ISNUMBER(%s),%s>0,ISNUMBER(MATCH(%s,%s,0)))", cell, cell, cell, list + 1);
      return;
    case LIVE_ABOVE_0: live_print (out, size, "IF(ISNUMBER(%s),%s>0,FALSE)", cell, cell); return;
    case LIVE_FROM_0: live_print (out, size, "IF(ISNUMBER(%s),%s>=0,FALSE)", cell, cell); return;
    case LIVE_SHARE: live_print (out, size, "IF(ISNUMBER(%s),AND(%s>0,%s<=1),FALSE)", cell, cell, cell); return;
    case LIVE_WHOLE: live_print (out, size, "IF(ISNUMBER(%s),AND(%s>=1,%s=INT(%s)),FALSE)", cell, cell, cell, cell); return;
    default: live_print (out, size, "IF(ISNUMBER(%s),%s>0,%s=\"\")", cell, cell, cell); return;
    }
}

static void
write_accepted (xl_sheet *xl, size_t row, live_input_kind kind, const char *list)
{
  static const xl_style muted = { .flags = XL_RULE, .color = 0x7F7F7F };
  char accepted[300], formula[330];
  accepted_formula (row, kind, list, accepted, sizeof accepted);
  live_print (formula, sizeof formula, "=IF(%s,0,1)", accepted);
  xl_formula (xl, row, REFUSED, formula, 0, &muted);
}

/* ---- rows ---------------------------------------------------------------- */

static void
write_value (xl_sheet *xl, size_t row, size_t column, const input_value *v, const xl_style *style)
{
  if (*v->text != '\0')
    xl_text (xl, row, column, v->text, style);
  else if (isfinite (v->number))
    xl_number (xl, row, column, v->number, style);
  else
    xl_blank (xl, row, column, style);
}

static void
define (xl_sheet *xl, const char *name, size_t row, size_t column)
{
  char formula[200];
  snprintf (formula, sizeof formula, "=%s", live_at (SHEET, row, column).text);
  xl_note (xl, workbook_define_name (xl->book->workbook, name, formula), row, column);
}

static void
write_input (xl_sheet *xl, size_t row, const char *name, const char *label, const char *unit,
             const char *accepted, const char *help, const input_value *v)
{
  static const xl_style rule = { .flags = XL_RULE }, muted = { .flags = XL_RULE, .color = 0x7F7F7F };
  const char *format = v->number == floor (v->number) ? "#,##0" : "#,##0.######";
  const xl_style input = { .flags = XL_RULE | XL_RIGHT, .fill = 0xFFF2CC, .number = format };
  const xl_style written = { .flags = XL_RULE | XL_RIGHT, .color = 0x7F7F7F, .number = format };
  static const xl_style indented = { .flags = XL_RULE | XL_INDENT };
  char formula[100];
  xl_text (xl, row, LABEL, label, &rule);
  write_value (xl, row, VALUE, v, &input);
  xl_text (xl, row, UNIT, unit, &indented);
  xl_text (xl, row, ACCEPTS, accepted, &muted);
  xl_text (xl, row, HELP, help, &rule);
  xl_text (xl, row, NAME, name, &muted);
  write_value (xl, row, WRITTEN, v, &written);
  snprintf (formula, sizeof formula, "=IF(EXACT(B%zu,G%zu),0,1)", row + 1, row + 1);
  xl_formula (xl, row, CHANGED, formula, 0, &muted);
  define (xl, name, row, VALUE);
}

/* What lists a kind has, or NULL. */
static const char *
list_of (const live_data *d, live_input_kind kind, live_ref *room)
{
  size_t n;
  live_ref r = { "" };
  llmenv_elements (&n);
  switch (kind)
    {
    case LIVE_MODEL: r = live_model_range (d, 0); break;
    case LIVE_CARD: r = live_card_range (d, 0); break;
    case LIVE_CACHE_TYPE: snprintf (r.text, sizeof r.text, "%s!$A$2:$A$%zu", LISTS, n + 1); break;
    case LIVE_WEIGHT_TYPE: snprintf (r.text, sizeof r.text, "%s!$C$2:$C$%zu", LISTS, n + 2); break;
    case LIVE_BASIS_WORD: snprintf (r.text, sizeof r.text, "%s!$E$2:$E$5", LISTS); break;
    default: return NULL;
    }
  snprintf (room->text, sizeof room->text, "=%.150s", r.text);
  return room->text;
}

static size_t
write_options (xl_sheet *xl, const live_data *d, const llmenv_request *request)
{
  static const struct { const char *name; live_input_kind kind; const char *unit, *label, *help; } inputs[] = {
#define X(name, kind, unit, label, help) { #name, kind, unit, label, help },
    LIVE_INPUTS (X)
#undef X
  };
  for (size_t i = 0; i < LIVE_INPUT_COUNT; i++)
    {
      live_ref room;
      const input_value v = value_of ((live_input) i, request);
      const char *list = list_of (d, inputs[i].kind, &room);
      write_input (xl, FIRST_ROW + i, inputs[i].name, inputs[i].label, inputs[i].unit,
                   accepts (inputs[i].kind), inputs[i].help, &v);
      validate (xl, FIRST_ROW + i, inputs[i].kind, inputs[i].label, inputs[i].help, list);
      write_accepted (xl, FIRST_ROW + i, inputs[i].kind, list);
    }
  return FIRST_ROW + LIVE_INPUT_COUNT;
}

static size_t
write_points (xl_sheet *xl, const llmenv_request *request, size_t row)
{
  static const xl_style bold = { .flags = XL_BOLD };
  const llmenv_table_point_info *p;
  xl_text (xl, row++, LABEL, "Where the tables stand", &bold);
  for (size_t i = 0; (p = llmenv_table_point_get (i)) != NULL; i++, row++)
    {
      const int bytes = strcmp (p->unit, "bytes") == 0;
      const double x = request->points == NULL ? p->value : request->points[i];
      const input_value v = number (bytes ? x / 1e9 : x);
      char label[80];
      snprintf (label, sizeof label, "%c%s", toupper ((unsigned char) p->what[0]), p->what + 1);
      write_input (xl, row, p->name, label, bytes ? "GB" : p->unit, accepts (LIVE_ABOVE_0),
                   "tables, rankings and charts that stand at it move along", &v);
      validate (xl, row, LIVE_ABOVE_0, label, "Where tables stand", NULL);
      write_accepted (xl, row, LIVE_ABOVE_0, NULL);
    }
  return row;
}

/* ---- numbers behind ------------------------------------------------------ */

/* A named number computed from the Inputs. */
static void
write_behind (xl_sheet *xl, size_t row, const char *name, const char *label, const char *unit,
              const char *formula, double value)
{
  static const xl_style rule = { .flags = XL_RULE }, muted = { .flags = XL_RULE, .color = 0x7F7F7F };
  static const xl_style indented = { .flags = XL_RULE | XL_INDENT };
  const xl_style behind = { .flags = XL_RULE | XL_RIGHT, .number = value == floor (value) ? "#,##0" : "#,##0.######" };
  xl_text (xl, row, LABEL, label, &rule);
  if (isnan (value))
    xl_formula_text (xl, row, VALUE, formula, LIVE_NO_RECORD, &behind);
  else
    xl_formula (xl, row, VALUE, formula, value, &behind);
  xl_text (xl, row, UNIT, unit, &indented);
  xl_text (xl, row, NAME, name, &muted);
  define (xl, name, row, VALUE);
}

static size_t
write_types (xl_sheet *xl, const llmenv_request *request, size_t row)
{
  const llmenv_settings *s = &request->options.settings;
  const struct { const char *name, *label, *of; double value; char names, bytes; int weights; } types[] = {
    { "in_k_bytes", "K cache", "in_k_type", s->k_bytes, 'A', 'B', 0 },
    { "in_v_bytes", "V cache", "in_v_type", s->v_bytes, 'A', 'B', 0 },
    { "in_weight_each", "Weights, where a type is given", "in_weight", s->weight_bytes_each, 'C', 'D', 1 },
  };
  size_t n;
  llmenv_elements (&n);
  for (size_t i = 0; i < 3; i++)
    {
      char formula[600];
      const size_t last = n + 1 + (size_t) types[i].weights;
      char names[40], bytes[40];
      const char *x = types[i].of;
      snprintf (names, sizeof names, "%s!$%c$2:$%c$%zu", LISTS, types[i].names, types[i].names, last);
      snprintf (bytes, sizeof bytes, "%s!$%c$2:$%c$%zu", LISTS, types[i].bytes, types[i].bytes, last);
      /* As written, else in any case; what is no type must not pass for 0 bytes. */
      live_print (formula, sizeof formula, "=IF(ISNUMBER(%s),IF(%s>0,%s,\"" LIVE_NOT_ACCEPTED "\"),%sIFERROR(IF(SUMPRODUCT(EXACT(%s,%s)*1)>0,"
                  "SUMPRODUCT(EXACT(%s,%s)*%s),INDEX(%s,MATCH(%s,%s,0))),\"" LIVE_NOT_ACCEPTED "\")%s)", x, x, x,
                  types[i].weights ? "IF(in_weight=\"released\",\"" LIVE_NO_RECORD "\"," : "", names, x, names, x, bytes,
                  bytes, x, names, types[i].weights ? ")" : "");
      write_behind (xl, row++, types[i].name, types[i].label, "bytes per element", formula, types[i].value);
    }
  return row;
}

static size_t
write_card_numbers (xl_sheet *xl, const live_data *d, const llmenv_request *request, size_t row)
{
  static const struct { const char *name, *label, *unit; const char *times; } numbers[] = {
    { "peak", "Peak", "FLOP/s", "*in_compute_efficiency*in_count" },
    { "bandwidth", "Bandwidth", "bytes/s", "*in_bandwidth_efficiency*in_count" },
    { "memory", "Memory", "bytes", "" },
  };
  const llmenv_settings *s = &request->options.settings;
  const llmenv_card_record *card = llmenv_catalogue_card (d->catalogue, request->options.card);
  for (int c = 0; c < 2; c++)
    {
      const llmenv_card one = live_card_of (d, card, (llmenv_convention) c);
      const double value[] = { one.peak * s->compute_efficiency * s->count,
                               one.bandwidth * s->bandwidth_efficiency * s->count,
                               (isnan (s->memory) ? one.memory : s->memory) * s->count };
      for (int i = 0; i < 3; i++)
        {
          char name[40], label[60], formula[400];
          const char *words[] = { "layered", "published" };
          snprintf (name, sizeof name, "%s_%s", numbers[i].name, words[c]);
          snprintf (label, sizeof label, "%s of the card or gang, %s", numbers[i].label, words[c]);
          live_print (formula, sizeof formula, i == 2 ? "=IFERROR(IF(ISNUMBER(in_memory),in_memory*1E9,INDEX(%s,MATCH(in_card,%s,0)))*in_count%s,\"" LIVE_NO_RECORD "\")"
                    : "=IFERROR(INDEX(%s,MATCH(in_card,%s,0))%s,\"" LIVE_NO_RECORD "\")",
                    live_card_range (d, live_card_at ((llmenv_convention) c, (live_card_column) i)).text,
                    live_card_range (d, 0).text, numbers[i].times);
          write_behind (xl, row++, name, label, numbers[i].unit, formula, value[i]);
        }
    }
  return row;
}

/* The last row of Data cards: one card of the analyst's. */
static void
write_own_card (live_data *d, const llmenv_inputs *own)
{
  static const xl_style plain = { .number = "General" };
  static const char *const formulas[] = { "=own_peak*1E12", "=own_bandwidth*1E9", "=own_memory*1E9" };
  const double value[] = { own->own_peak * 1e12, own->own_bandwidth * 1e9, own->own_memory * 1e9 };
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 3; i++)
      xl_formula (&d->cards, live_own_card_row (d),
                  (size_t) live_card_at ((llmenv_convention) c, (live_card_column) i), formulas[i],
                  value[i], &plain);
}

/* ---- words --------------------------------------------------------------- */

static void
in_words (const input_value *v, char *out, size_t size)
{
  if (*v->text != '\0')
    snprintf (out, size, "%s", v->text);
  else
    snprintf (out, size, "%.15g", v->number);
}

/* What is assumed, and whether that is what the workbook was written with. */
static void
write_words (xl_sheet *xl, const llmenv_request *request, size_t last, char *words, size_t size)
{
  static const xl_style plain = { .color = 0x404040 }, state = { .flags = XL_BOLD, .color = 0x404040 };
  static const live_input said[] = { LIVE_I_in_count, LIVE_I_in_card, LIVE_I_in_k_type, LIVE_I_in_v_type, LIVE_I_in_weight,
                                     LIVE_I_in_basis, LIVE_I_in_context, LIVE_I_in_batch, LIVE_I_in_reserve };
  char part[sizeof said / sizeof *said][LLMENV_NAME_SIZE], formula[500];
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    {
      const input_value v = value_of (said[i], request);
      in_words (&v, part[i], sizeof part[i]);
    }
  live_print (words, size, "Assumed: %s x %s, KV %s/%s, weights %s, basis %s, context %s, batch %s, reserve %s GB",
            part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7], part[8]);
  xl_formula_text (xl, WORDS_ROW, 0, "=\"Assumed: \"&in_count&\" x \"&in_card&\", KV \"&in_k_type&\"/\"&in_v_type&\", weights \"&in_weight"
                   "&\", basis \"&in_basis&\", context \"&in_context&\", batch \"&in_batch&\", reserve \"&in_reserve&\" GB\"",
                   words, &plain);
  define (xl, "in_words", WORDS_ROW, 0);
  live_print (formula, sizeof formula, "=IF(SUM($I$%d:$I$%zu)>0,SUM($I$%d:$I$%zu)&\" of the inputs are not accepted: see the red cells. \",\"\")"
              "&IF(SUM($H$%d:$H$%zu)=0,\"As written.\",SUM($H$%d:$H$%zu)&\" of the inputs changed since the workbook was written.\")",
              FIRST_ROW + 1, last, FIRST_ROW + 1, last, FIRST_ROW + 1, last, FIRST_ROW + 1, last);
  xl_formula_text (xl, STATE_ROW, 0, formula, "As written.", &state);
  snprintf (formula, sizeof formula, "=SUM(" SHEET "!$H$%d:$H$%zu)", FIRST_ROW + 1, last);
  xl_note (xl, workbook_define_name (xl->book->workbook, "in_changed", formula), STATE_ROW, 0);
}

static void
write_heads (xl_sheet *xl)
{
  static const char *const heads[] = { "Input", "Value", "Unit", "Accepted", "What it moves", "Name", "As written", "Changed", "Refused" };
  static const double widths[] = { 44, 34, 16, 40, 74, 26, 34, 9, 9 };
  static const xl_style right = { .flags = XL_HEAD | XL_RIGHT }, indented = { .flags = XL_HEAD | XL_INDENT };
  static const xl_style head = { .flags = XL_HEAD }, title = { .flags = XL_BOLD, .size = 14 };
  xl_text (xl, TITLE_ROW, 0, "Inputs: change a yellow cell, and tables, rankings and charts follow", &title);
  xl_link (xl, STATE_ROW + 1, 0, "Contents", "Back to contents");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    {
      xl_text (xl, HEAD_ROW, i, heads[i], i == VALUE || i == WRITTEN ? &right : i == UNIT ? &indented : &head);
      xl_width (xl, i, widths[i]);
    }
}

static void
write_lists (xl_sheet *lists)
{
  static const xl_style head = { .flags = XL_HEAD }, plain = { .number = "General" };
  static const char *const heads[] = { "cache types", "bytes", "weight types", "bytes", "bases" };
  size_t n, k = 1;
  const llmenv_element *e = llmenv_elements (&n);
  for (size_t i = 0; i < 5; i++)
    {
      xl_text (lists, 0, i, heads[i], &head);
      xl_width (lists, i, 18);
    }
  xl_text (lists, 1, LIST_WEIGHTS, "released", &plain);
  xl_number (lists, 1, LIST_WEIGHT_BYTES, 0, &plain);
  for (size_t i = 0; i < n; i++)
    {
      xl_text (lists, i + 2, LIST_WEIGHTS, e[i].name, &plain);
      xl_number (lists, i + 2, LIST_WEIGHT_BYTES, llmenv_element_bytes (&e[i]), &plain);
      if (e[i].is_mix)
        continue;
      xl_text (lists, k, LIST_TYPES, e[i].name, &plain);
      xl_number (lists, k++, LIST_BYTES, llmenv_element_bytes (&e[i]), &plain);
    }
  for (; k <= n; k++)          /* so that every cell of the range is a number */
    xl_number (lists, k, LIST_BYTES, 0, &plain);
  for (size_t i = 0; i < 4; i++)
    xl_text (lists, i + 1, LIST_BASES, bases[i], &plain);
}

void
live_inputs_write (xl_sheet *xl, xl_sheet *lists, live_data *d, const llmenv_request *request,
                   char *words, size_t size)
{
  static const xl_style bold = { .flags = XL_BOLD };
  lxw_conditional_format rule = { .type = LXW_CONDITIONAL_TYPE_FORMULA, .value_string = "=$H6=1" };
  write_heads (xl);
  write_lists (lists);
  const size_t points = write_options (xl, d, request);
  const size_t end = write_points (xl, request, points + 1);
  xl_text (xl, end + 1, LABEL, "Numbers behind", &bold);
  size_t last = write_types (xl, request, end + 2);
  last = write_card_numbers (xl, d, request, last);
  write_own_card (d, request->inputs);
  write_words (xl, request, end, words, size);
  lxw_conditional_format refused = { .type = LXW_CONDITIONAL_TYPE_FORMULA, .value_string = "=$I6=1", .stop_if_true = 1 };
  refused.format = workbook_add_format (xl->book->workbook);
  if (refused.format != NULL)
    format_set_bg_color (refused.format, 0xFF0000);
  xl_note (xl, worksheet_conditional_format_range (xl->worksheet, FIRST_ROW, VALUE, (lxw_row_t) end - 1, VALUE, &refused),
           FIRST_ROW, VALUE);
  rule.format = workbook_add_format (xl->book->workbook);
  if (rule.format != NULL)
    format_set_bg_color (rule.format, 0xF4B183);
  xl_note (xl, worksheet_conditional_format_range (xl->worksheet, FIRST_ROW, VALUE, (lxw_row_t) end - 1, VALUE, &rule),
           FIRST_ROW, VALUE);
  worksheet_freeze_panes (xl->worksheet, FIRST_ROW, 2);
  worksheet_gridlines (xl->worksheet, LXW_HIDE_ALL_GRIDLINES);
  xl_print_setup (xl, HEAD_ROW, last, HELP);
}
