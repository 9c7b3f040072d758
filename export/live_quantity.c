/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_table_points.h"

#define INF LIVE_INFINITE_TEXT
#define DEFAULT LLMENV_BASIS_DEFAULT

/* Append at N; returns how much. */
__attribute__ ((format (printf, 4, 5))) static size_t
add (char *out, size_t size, size_t n, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  const int more = n < size ? vsnprintf (out + n, size - n, format, arguments) : 0;
  va_end (arguments);
  return more < 0 ? 0 : n + (size_t) more < size ? (size_t) more : size - 1 - n;
}

/* ---- where ------------------------------------------------------------- */

live_at_point
live_at_row (void)
{
  return (live_at_point) { "L", "{L}", NAN, 1 };
}

live_at_point
live_at_longest (void)
{
  return (live_at_point) { "longest", "{longest}", NAN, 2 };
}

live_at_point
live_at_memory (void)
{
  return (live_at_point) { "memory", "{memory}", NAN, 3 };
}

live_at_point
live_at_figure (double x, const double *points)
{
  live_at_point at = { .value = llmenv_table_point_at (points, x, 0) };
  const int i = llmenv_table_point_find (x, 0);
  if (i >= 0)
    {
      const llmenv_table_point_info *p = llmenv_table_point_get ((size_t) i);
      live_print (at.key, sizeof at.key, "%s", p->name);
      live_print (at.formula, sizeof at.formula, strcmp (p->unit, "bytes") == 0 ? "(%s*1E9)" : "%s", p->name);
    }
  else
    {
      live_print (at.key, sizeof at.key, "%s", live_number (x).text);
      live_print (at.formula, sizeof at.formula, "%s", at.key);
    }
  return at;
}

static double
value_at (const live_block *b, size_t row, const live_at_point *at)
{
  const live_row *r = &b->row[row];
  return at->of_row == 1 ? r->L : at->of_row == 2 ? r->longest
         : at->of_row == 3 ? r->envelope[DEFAULT].memory : at->value;
}

double
live_core_value (const live_block *b, size_t row, llmenv_quantity q, llmenv_basis basis,
                 const live_at_point *at)
{
  const live_row *r = &b->row[row];
  return llmenv_quantity_value (q, &r->envelope[basis], r->B, value_at (b, row, at));
}

/* ---- columns of the envelope ------------------------------------------- */

/* A number of the envelope, by where it lies in it; of one basis. */
typedef struct { size_t offset; llmenv_basis basis; } field;

static double
field_value (const live_block *b, size_t row, const void *what)
{
  const field *f = what;
  return *(const double *) (const void *) ((const char *) &b->row[row].envelope[f->basis] + f->offset);
}

/* Weights of a basis whatever the batch. */
static double
weights_value (const live_block *b, size_t row, const void *what)
{
  return llmenv_envelope_weights (&b->row[row].envelope[*(const llmenv_basis *) what], 1);
}

static double
limit_value (const live_block *b, size_t row, const void *what)
{
  return llmenv_envelope_weights_limit (&b->row[row].envelope[*(const llmenv_basis *) what]);
}

static double
ridge_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return b->row[row].envelope[DEFAULT].ridge;
}

static double
longest_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return b->row[row].longest;
}

/* Parameters in memory: bytes over bytes each, which the envelope has. */
static double
params_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  const llmenv_envelope *e = &b->row[row].envelope[DEFAULT];
  return e->held / e->weight_bytes_each;
}

static const char *
why_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return b->row[row].envelope[DEFAULT].kv_reason == LLMENV_NOT_APPLICABLE
         ? llmenv_reason_word (LLMENV_NOT_APPLICABLE) : LIVE_NO_RECORD;
}

/* "INDEX(column of the data, {m})". */
static const char *
data_term (const live_data *d, int column, char *out, size_t size)
{
  live_print (out, size, "INDEX(%s,{m})", live_model_range (d, column).text);
  return out;
}

/* A weight in bytes: as released, or its parameters times bytes each. */
static void
weight_term (live_block *b, const live_data *d, const char *key, live_model_column params,
             live_value_fn value, const void *what)
{
  char p[100], r[100], formula[400];
  data_term (d, live_model_at (d, b->convention, params), p, sizeof p);
  data_term (d, live_model_at (d, b->convention, params + 1), r, sizeof r);
  live_print (formula, sizeof formula, "IF(ISNUMBER({each}),%s*{each},IF({each}=\"" LIVE_NOT_ACCEPTED "\",{each}*1,%s+0))", p, r);
  live_term (b, key, formula, value, what);
}

static void
plain_term (live_block *b, const live_data *d, const char *key, live_model_column column,
            live_value_fn value, const void *what)
{
  char p[100], formula[120];
  data_term (d, live_model_at (d, b->convention, column), p, sizeof p);
  live_print (formula, sizeof formula, "%s+0", p);
  live_term (b, key, formula, value, what);
}

/* Where the piece of that number lies, the last one standing for those that an
 * envelope does not have. */
typedef struct { int piece, is_slope; llmenv_sum sum; } piece_field;

static double
piece_value (const live_block *b, size_t row, const void *what)
{
  const piece_field *f = what;
  const llmenv_envelope *e = &b->row[row].envelope[DEFAULT];
  const llmenv_piece *p = &e->piece[f->piece < e->n_pieces ? f->piece : e->n_pieces - 1];
  return f->is_slope ? p->slope[f->sum] : p->constant[f->sum];
}

static double
end_value (const live_block *b, size_t row, const void *what)
{
  const int piece = *(const int *) what;
  const llmenv_envelope *e = &b->row[row].envelope[DEFAULT];
  return piece < e->n_pieces ? e->piece[piece].end : LIVE_NO_END;
}

static void
piece_terms (live_block *b, const live_data *d, int piece)
{
  static const struct { const char *name; llmenv_sum sum; int is_slope; live_piece_column first; } sums[] = {
    { "hc", LLMENV_HELD, 0, LIVE_P_hck }, { "hs", LLMENV_HELD, 1, LIVE_P_hsk },
    { "rc", LLMENV_READ, 0, LIVE_P_rck }, { "rs", LLMENV_READ, 1, LIVE_P_rsk },
    { "fc", LLMENV_FLOPS, 0, LIVE_P_fc }, { "fs", LLMENV_FLOPS, 1, LIVE_P_fs },
  };
  char key[LIVE_KEY], k[100], v[100], fixed[120] = "", formula[500];
  if (piece > 0)
    {
      live_print (key, sizeof key, "end%d", piece);
      live_term (b, key, data_term (d, live_piece_at (d, b->convention, piece, LIVE_P_end), k, sizeof k),
                 end_value, &piece);
    }
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    {
      const piece_field what = { piece, sums[i].is_slope, sums[i].sum };
      const live_piece_column at = sums[i].first;
      live_print (key, sizeof key, "%s%d", sums[i].name, piece);
      data_term (d, live_piece_at (d, b->convention, piece, at), k, sizeof k);
      data_term (d, live_piece_at (d, b->convention, piece, at + 1), v, sizeof v);
      if (!what.is_slope && what.sum != LLMENV_FLOPS)
        {
          char f[100];
          live_print (fixed, sizeof fixed, "+%s",
                    data_term (d, live_piece_at (d, b->convention, piece, at + 2), f, sizeof f));
        }
      if (what.sum == LLMENV_FLOPS)
        live_print (formula, sizeof formula, "%s+0", k);
      else
        live_print (formula, sizeof formula, "%s*{kb}+%s*{vb}%s", k, v, what.is_slope ? "" : fixed);
      live_term (b, key, formula, piece_value, &what);
    }
}

void
live_envelope_terms (live_block *b, const live_data *d)
{
#define FIELD(name, basis) &(field) { offsetof (llmenv_envelope, name), basis }
  char why[100];
  const llmenv_basis active = LLMENV_ACTIVE, resident = LLMENV_RESIDENT;
  live_text_term (b, "why", data_term (d, live_why_at (d, b->convention), why, sizeof why), why_value, NULL);
  live_term (b, "R", "{peak}/{bandwidth}", ridge_value, NULL);
  weight_term (b, d, "held", LIVE_M_held_p, field_value, FIELD (held, DEFAULT));
  weight_term (b, d, "S", LIVE_M_S_p, field_value, FIELD (always, LLMENV_TOUCHED));
  weight_term (b, d, "X", LIVE_M_X_p, field_value, FIELD (routed, LLMENV_TOUCHED));
  weight_term (b, d, "Wa", LIVE_M_Wa_p, weights_value, &active);
  weight_term (b, d, "Wr", LIVE_M_Wr_p, weights_value, &resident);
  weight_term (b, d, "ww", LIVE_M_ww_p, field_value, FIELD (wall_weights, DEFAULT));
  plain_term (b, d, "params", LIVE_M_held_p, params_value, d);
  plain_term (b, d, "share", LIVE_M_share, field_value, FIELD (share, LLMENV_TOUCHED));
  plain_term (b, d, "F", LIVE_M_F, field_value, FIELD (flops, DEFAULT));
  plain_term (b, d, "wf", LIVE_M_wf, field_value, FIELD (wall_flops, DEFAULT));
  plain_term (b, d, "longest", LIVE_M_longest, longest_value, NULL);
  for (int p = 0; p < d->n_pieces; p++)
    piece_terms (b, d, p);
#undef FIELD
}

/* How many pieces the block's columns have. */
static int
n_pieces (live_block *b)
{
  int n = 1;
  char key[LIVE_KEY] = "end1";
  while (live_find (b, key) != NULL)
    live_print (key, sizeof key, "end%d", ++n);
  return n;
}

/* ---- sums and their inverse -------------------------------------------- */

typedef struct { llmenv_sum sum; const live_at_point *at; } sum_at;

static double
sum_value (const live_block *b, size_t row, const void *what)
{
  const sum_at *s = what;
  return llmenv_envelope_sum (&b->row[row].envelope[DEFAULT], s->sum, value_at (b, row, s->at));
}

live_column *
live_sum (live_block *b, llmenv_sum sum, const live_at_point *at)
{
  static const char letters[] = "KTA";
  static const char *const names[] = { "h", "r", "f" };
  char key[LIVE_KEY], formula[600] = "";
  size_t n = 0;
  const char *L = at->formula;
  live_print (key, sizeof key, "%c@%s", letters[sum], at->key);
  for (int p = n_pieces (b) - 1; p > 0; p--)
    n += add (formula, sizeof formula, n, "IF(%s>{end%d},{%sc%d}+{%ss%d}*%s,", L, p,
                            names[sum], p, names[sum], p, L);
  n += add (formula, sizeof formula, n, "{%sc0}+{%ss0}*%s", names[sum], names[sum], L);
  for (int p = n_pieces (b) - 1; p > 0; p--)
    n += add (formula, sizeof formula, n, ")");
  const sum_at what = { sum, at };
  return live_term (b, key, formula, sum_value, &what);
}

/* Largest context at which a sum (h: held, r: read) is at most LIMIT, 0 or
 * more; AFTER: its value, the core's. */
static live_column *
inverse_term (live_block *b, const char *key, const char *sum, const char *limit,
              live_value_fn value, const void *what)
{
  char formula[LIVE_FORMULA] = "-1", one[400];
  for (int p = 0; p < n_pieces (b); p++)
    {
      char longer[LIVE_FORMULA], most[60], least[24];
      live_print (one, sizeof one, "IF({%ss%d}>0,(%s-{%sc%d})/{%ss%d},IF({%sc%d}<=%s," INF ",-1))", sum, p, limit,
                sum, p, sum, p, sum, p, limit);
      live_print (most, sizeof most, p + 1 < n_pieces (b) ? ",{end%d}" : "", p + 1);
      live_print (least, sizeof least, p > 0 ? "{end%d}" : "0", p);
      live_print (longer, sizeof longer, "IF(%s>=%s,MIN(%s%s),%s)", one, least, one, most, formula);
      live_print (formula, sizeof formula, "%s", longer);
    }
  char whole[LIVE_FORMULA + 100];
  /* A limit or a sum that is a text must not pass for a number. */
  live_print (whole, sizeof whole, "MAX(0,%s)+0*{%sc0}+0*{%ss0}+0*(%s)", formula, sum, sum, limit);
  return live_term (b, key, whole, value, what);
}

/* ---- weights ----------------------------------------------------------- */

/* What a formula of one basis is for all three: BASIS words choose. */
static void
choose_basis (const live_block *b, llmenv_basis basis, const char *active, const char *touched,
              const char *resident, char *out, size_t size)
{
  switch (basis)
    {
    case LLMENV_ACTIVE: live_print (out, size, "%s", active); return;
    case LLMENV_TOUCHED: live_print (out, size, "%s", touched); return;
    case LLMENV_RESIDENT: live_print (out, size, "%s", resident); return;
    default:
      if (b->convention == LLMENV_PUBLISHED)
        live_print (out, size, "IF(in_basis=\"resident\",%s,IF(in_basis=\"touched\",%s,%s))", resident,
                  touched, active);
      else
        live_print (out, size, "IF(in_basis=\"active\",%s,IF(in_basis=\"resident\",%s,%s))", active, resident,
                  touched);
    }
}

typedef struct { llmenv_basis basis; double batch; } weights_at;

static double
weights_at_value (const live_block *b, size_t row, const void *what)
{
  const weights_at *w = what;
  const double B = isnan (w->batch) ? b->row[row].B : w->batch;
  return llmenv_envelope_weights (&b->row[row].envelope[w->basis], B);
}

/* W of a batch (NaN: the row's). */
static const char *
weights_term (live_block *b, llmenv_basis basis, double batch)
{
  static const char *const words[] = { "", " active", " touched", " resident" };
  char touched[300], formula[600];
  const char *B = isnan (batch) ? "{B}" : "1";
  char key[LIVE_KEY];
  live_print (key, sizeof key, "W@%s%s", isnan (batch) ? "B" : "1", words[basis]);
  live_print (touched, sizeof touched,
            "IF({X}*1=0,{S},IF(%s=0,{S},IF({share}=1,{S}+{X},{S}+{X}*(1-EXP(MAX(-700,%s*LN(1-{share})))))))", B, B);
  choose_basis (b, basis, "{Wa}", touched, "{Wr}", formula, sizeof formula);
  const weights_at what = { basis, batch };
  char whole[700];
  live_print (whole, sizeof whole, "%s+0", formula);
  return live_term (b, key, whole, weights_at_value, &what)->key;
}

live_column *
live_single_weights (live_block *b)
{
  return live_find (b, weights_term (b, DEFAULT, 1));
}

static const char *
limit_term (live_block *b)
{
  char formula[200];
  const llmenv_basis basis = DEFAULT;
  choose_basis (b, DEFAULT, "{Wa}+0", "{S}+{X}", "{Wr}+0", formula, sizeof formula);
  return live_term (b, "Wlim", formula, limit_value, &basis)->key;
}

/* ---- roots -------------------------------------------------------------
 * y gain + c0 = cost W (y + off), W touched: Newton's method from the right,
 * where the left side less the right one is convex and positive.  Eight steps,
 * a column each. */

enum { STEPS = 8 };

typedef struct
{
  const char *gain, *cost, *constant, *offset; /* formulas */
  live_value_fn value;         /* the answer, the core's */
  const void *what;
} root_of;

typedef struct { llmenv_quantity q; const live_at_point *at; } quantity_at;

typedef struct { double gain, cost, constant, offset; } root_numbers;

static root_numbers
numbers_of (const live_block *b, size_t row, const quantity_at *w)
{
  const live_row *r = &b->row[row];
  const llmenv_envelope *e = &r->envelope[LLMENV_TOUCHED];
  const double L = value_at (b, row, w->at);
  const double T = llmenv_envelope_sum (e, LLMENV_READ, L), A = llmenv_envelope_sum (e, LLMENV_FLOPS, L);
  switch (w->q)
    {
    case LLMENV_Q_b_star:
      return (root_numbers) { e->wall_flops + A - e->ridge * T, e->ridge, 0, 0 };
    case LLMENV_Q_n_prefill:
      return (root_numbers) { e->flops, e->ridge, r->B == 0 ? 0 * T : r->B * (e->flops + A - e->ridge * T), r->B };
    default:
      return (root_numbers) { T, 1, 0, 0 };
    }
}

typedef struct { quantity_at of; int step; } step_of;

/* The same iteration in numbers, for the cells between. */
static double
step_value (const live_block *b, size_t row, const void *what)
{
  const step_of *s = what;
  const llmenv_envelope *e = &b->row[row].envelope[LLMENV_TOUCHED];
  const root_numbers n = numbers_of (b, row, &s->of);
  if (isnan (n.gain) || isnan (n.cost) || (s->of.q == LLMENV_Q_b_eq && isnan (e->always)))
    return NAN;
  if (!(n.gain > 0))
    return LIVE_INFINITE;
  if (isnan (n.constant) || isnan (e->always) || isnan (e->routed)
      || (e->routed != 0 && isnan (e->share)))
    return NAN;
  double y = (n.cost * (e->always + e->routed) - n.constant) / n.gain;
  y = y < 0 ? 0 : y;
  if (e->routed == 0 || e->share == 1)
    return y;
  const double q = 1 - e->share;
  for (int i = 0; i < s->step; i++)
    {
      const double left = pow (q, y + n.offset);
      y -= (y * n.gain + n.constant - n.cost * (e->always + e->routed * (1 - left)))
           / (n.gain + n.cost * e->routed * log (q) * left);
      y = y < 0 ? 0 : y;
    }
  return y;
}

/* B* of `published` uses the total where the record has no active parameters. */
static void
with_wall_weights (const char *gain, const char *cost, char *formula, size_t size)
{
  char other[LIVE_FORMULA];
  live_print (other, sizeof other, "IF(ISNUMBER({ww}),IF((%s)*1>0,(%s)*{ww}/(%s)," INF "),%s)", gain, cost, gain,
              formula);
  live_print (formula, size, "%s", other);
}

/* Arithmetic that binds from the start leaves 0. */
static void
with_start (const root_of *r, char *formula, size_t size)
{
  char other[LIVE_FORMULA];
  live_print (other, sizeof other, "IF(IF({share}=1,(%s)-(%s)*({S}+{X}),(%s)-(%s)*({S}+{X}*(1-EXP(MAX(-700,(%s)*LN(1-{share}))))))>=0,0,%s)",
              r->constant, r->cost, r->constant, r->cost, r->offset, formula);
  live_print (formula, size, "%s", other);
}

/* The column of the last step, named KEY. */
static void
root_terms (live_block *b, const char *key, const root_of *r, const quantity_at *of)
{
  char formula[LIVE_FORMULA], before[LIVE_KEY], name[LIVE_KEY];
  live_print (before, sizeof before, "%.30s.0", key);
  step_of what = { *of, 0 };
  if (live_find (b, key) != NULL)
    return;
  live_print (formula, sizeof formula, "IF((%s)*1>0,MAX(0,((%s)*({S}+{X})-(%s))/(%s))+0*{share}," INF "%s)", r->gain, r->cost,
            r->constant, r->gain, of->q == LLMENV_Q_b_eq ? "+0*{S}" : "");
  live_term (b, before, formula, step_value, &what);
  for (what.step = 1; what.step <= STEPS; what.step++)
    {
      const int last = what.step == STEPS;
      live_print (name, sizeof name, last ? "%.30s" : "%.30s.%d", key, what.step);
      live_print (formula, sizeof formula,
                "IF({%s}*1>=" INF "," INF ",IF({X}*1=0,{%s},IF({share}=1,{%s},MAX(0,{%s}-({%s}*(%s)+(%s)-(%s)*({S}+{X}*(1-EXP(MAX(-700,({%s}+%s)*LN(1-{share}))))))"
                "/((%s)+(%s)*{X}*LN(1-{share})*EXP(MAX(-700,({%s}+%s)*LN(1-{share}))))))))",
                before, before, before, before, before, r->gain, r->constant, r->cost, before, r->offset,
                r->gain, r->cost, before, r->offset);
      if (last && of->q == LLMENV_Q_n_prefill)
        with_start (r, formula, sizeof formula);
      if (last && of->q == LLMENV_Q_b_star && b->convention == LLMENV_PUBLISHED)
        with_wall_weights (r->gain, r->cost, formula, sizeof formula);
      live_term (b, name, formula, last ? r->value : step_value, last ? r->what : &what);
      live_print (before, sizeof before, "%s", name);
    }
}

/* ---- quantities -------------------------------------------------------- */

/* What the core says of a column. */
typedef struct { llmenv_quantity q; llmenv_basis basis; const live_at_point *at; } asked;

static double
asked_value (const live_block *b, size_t row, const void *what)
{
  const asked *a = what;
  return live_core_value (b, row, a->q, a->basis, a->at);
}

/* Batch in balance: gain and cost as formulas over T, A and the like. */
static live_column *
balance_term (live_block *b, const char *key, const char *gain, const char *cost, const asked *a)
{
  char active[400], resident[400], touched[60], formula[LIVE_FORMULA], root_key[LIVE_KEY];
  const int wanted = a->basis == DEFAULT || a->basis == LLMENV_TOUCHED;
  const asked root = { a->q, LLMENV_TOUCHED, a->at };
  /* Without weights there is no B_eq, whether or not there is a cache. */
  const char *needs_W = a->q == LLMENV_Q_b_eq ? "+0*" : "";
  live_print (active, sizeof active, "IF((%s)*1>0,(%s)*{Wa}/(%s)," INF "%s%s)", gain, cost, gain, needs_W,
              *needs_W != '\0' ? "{Wa}" : "");
  live_print (resident, sizeof resident, "IF((%s)*1>0,(%s)*{Wr}/(%s)," INF "%s%s)", gain, cost, gain, needs_W,
              *needs_W != '\0' ? "{Wr}" : "");
  live_print (root_key, sizeof root_key, "%s touched@%s", llmenv_quantity_get (a->q)->name, a->at->key);
  if (wanted)
    {
      const root_of r = { gain, cost, "0", "0", asked_value, &root };
      const quantity_at of = { a->q, a->at };
      root_terms (b, root_key, &r, &of);
      if (strcmp (root_key, key) == 0)
        return live_find (b, key);
    }
  live_print (touched, sizeof touched, "{%s}", root_key);
  choose_basis (b, a->basis, active, touched, resident, formula, sizeof formula);
  if (a->q == LLMENV_Q_b_star && b->convention == LLMENV_PUBLISHED)
    with_wall_weights (gain, cost, formula, sizeof formula);
  return live_term (b, key, formula, asked_value, a);
}

static live_column *
wall_term (live_block *b, const asked *a)
{
  char formula[LIVE_FORMULA] = "", key[LIVE_KEY], c[100], s[100];
  size_t n = 0;
  const int pieces = n_pieces (b);
  n += add (formula, sizeof formula, 0, "IF({wf}+{fc0}-{R}*{rc0}+0*({fs0}-{R}*{rs0})<0,0,");
  for (int p = 0; p < pieces; p++)
    {
      live_print (c, sizeof c, "({wf}+{fc%d}-{R}*{rc%d})", p, p);
      live_print (s, sizeof s, "({fs%d}-{R}*{rs%d})", p, p);
      if (p > 0)
        n += add (formula, sizeof formula, n, "IF(%s+%s*{end%d}<0,{end%d},", c, s, p, p);
      if (p + 1 < pieces)
        n += add (formula, sizeof formula, n, "IF(%s+%s*{end%d}<0,-%s/%s,", c, s, p + 1, c, s);
      else
        n += add (formula, sizeof formula, n, "IF(%s<0,-%s/%s," INF ")", s, c, s);
    }
  for (int p = 0; p < 2 * pieces - 1; p++)
    n += add (formula, sizeof formula, n, ")");
  live_print (key, sizeof key, "l_wall");
  return live_term (b, key, formula, asked_value, a);
}

static live_column *
prefill_term (live_block *b, const asked *a)
{
  char T[LIVE_KEY], A[LIVE_KEY], constant[200], formula[600];
  if (b->convention == LLMENV_PUBLISHED)
    return live_term (b, "n_prefill", "{R}*IF(ISNUMBER({each}),{each},2)/2", asked_value, a);
  live_print (T, sizeof T, "%s", live_sum (b, LLMENV_READ, a->at)->key);
  live_print (A, sizeof A, "%s", live_sum (b, LLMENV_FLOPS, a->at)->key);
  live_print (constant, sizeof constant, "{B}*({F}+{%s}-{R}*{%s})", A, T);
  const char *W = weights_term (b, DEFAULT, NAN);
  const asked touched = { LLMENV_Q_n_prefill, LLMENV_TOUCHED, a->at };
  const root_of r = { "{F}", "{R}", constant, "{B}", asked_value, &touched };
  const quantity_at of = { LLMENV_Q_n_prefill, a->at };
  char W_key[LIVE_KEY], hi[300], root[300];
  live_print (W_key, sizeof W_key, "%s", W);
  limit_term (b);
  root_terms (b, "n_prefill root", &r, &of);
  live_print (hi, sizeof hi, "({R}*{Wlim}-%s)/{F}", constant);
  choose_basis (b, DEFAULT, hi, "{n_prefill root}", hi, root, sizeof root);
  live_print (formula, sizeof formula, "IF(%s-{R}*{%s}>=0,0,%s)", constant, W_key, root);
  return live_term (b, "n_prefill", formula, asked_value, a);
}

/* T, K and A at the point, in the places of %T, %K and %A of TEXT; W (B), its
 * limit and W (1) in those of %W, %l and %1. */
static void
fill_in (live_block *b, const char *text, const asked *a, char *out, size_t size)
{
  size_t n = 0;
  for (; *text != '\0' && n + 1 < size; text++)
    {
      const char *key = NULL;
      if (*text == '%')
        switch (*++text)
          {
          case 'T': key = live_sum (b, LLMENV_READ, a->at)->key; break;
          case 'K': key = live_sum (b, LLMENV_HELD, a->at)->key; break;
          case 'A': key = live_sum (b, LLMENV_FLOPS, a->at)->key; break;
          case 'W': key = weights_term (b, a->basis, NAN); break;
          case '1': key = weights_term (b, a->basis, 1); break;
          case 'l': key = limit_term (b); break;
          default: break;
          }
      if (key == NULL)
        out[n++] = *text;
      else
        n += add (out, size, n, "{%s}", key);
    }
  out[n] = '\0';
}

#define ROOM "({memory}*in_utilization-{held}-in_reserve*1E9)"

/* Quantities that are one formula: published and layered where they differ. */
static const struct { llmenv_quantity q; const char *layered, *published; } plain[] = {
  { LLMENV_Q_ridge, "{R}+0", NULL },
  { LLMENV_Q_weight_bytes, "%W+0", NULL },
  { LLMENV_Q_kv_bytes, "%K+0", NULL },
  { LLMENV_Q_ceiling, "IF(%T*1=0," INF "+0*({F}+%A),({F}+%A)/%T)", NULL },
  { LLMENV_Q_intensity, "IF({B}=0,0*({F}+%A+%W+%T),({F}+%A)/(%W/{B}+%T))", NULL },
  { LLMENV_Q_capacity, "IF(" ROOM "+0*%K<=0,0,IF(%K=0," INF "," ROOM "/%K))", NULL },
  { LLMENV_Q_b_knee, "IF(%T*1=0," INF ",(SQRT(2)-1)*%l/%T)", NULL },
  { LLMENV_Q_throughput,
    "{B}/(IF((%W+{B}*%T)/{bandwidth}>{B}*({F}+%A)/{peak},(%W+{B}*%T)/{bandwidth},{B}*({F}+%A)/{peak})+in_overhead)",
    "{B}/((%W+{B}*%T)/{bandwidth}+in_overhead)" },
};

static double
single_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return llmenv_quantity_value (LLMENV_Q_throughput, &b->row[row].envelope[DEFAULT], 1, b->row[row].L);
}

static double
free_value (const live_block *b, size_t row, const void *what)
{
  (void) what;
  const llmenv_envelope *e = &b->row[row].envelope[DEFAULT];
  return e->memory * e->utilization - e->held - e->reserve;
}

live_column *
live_free_memory (live_block *b)
{
  return live_term (b, "free", ROOM, free_value, NULL);
}

live_column *
live_single_throughput (live_block *b)
{
  const live_at_point at = live_at_row ();
  const asked a = { LLMENV_Q_throughput, DEFAULT, &at };
  char formula[LIVE_FORMULA];
  fill_in (b, b->convention == LLMENV_PUBLISHED ? "1/((%1+%T)/{bandwidth}+in_overhead)"
           : "1/(IF((%1+%T)/{bandwidth}>({F}+%A)/{peak},(%1+%T)/{bandwidth},({F}+%A)/{peak})+in_overhead)",
           &a, formula, sizeof formula);
  return live_term (b, "throughput of 1", formula, single_value, NULL);
}

static live_column *
plain_quantity (live_block *b, const char *key, const asked *a)
{
  char formula[LIVE_FORMULA];
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (plain[i].q == a->q)
      {
        const char *text = b->convention == LLMENV_PUBLISHED && plain[i].published != NULL
                           ? plain[i].published : plain[i].layered;
        fill_in (b, text, a, formula, sizeof formula);
        return live_term (b, key, formula, asked_value, a);
      }
  return NULL;
}

live_column *
live_quantity (live_block *b, llmenv_quantity q, llmenv_basis basis, const live_at_point *at)
{
  static const char *const words[] = { "", " active", " touched", " resident" };
  const asked a = { q, basis, at };
  const int takes = llmenv_quantity_get (q)->takes;
  char key[LIVE_KEY], gain[120], limit[60];
  live_print (key, sizeof key, "%s%s%s%.14s", llmenv_quantity_get (q)->name, words[basis],
            takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES) ? "@" : "",
            takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES) ? at->key : "");
  live_column *known = live_find (b, key);
  if (known != NULL)
    return known;
  switch (q)
    {
    case LLMENV_Q_b_50:
      {
        char same[LIVE_KEY];
        live_print (same, sizeof same, "{%s}+0", live_quantity (b, LLMENV_Q_b_eq, basis, at)->key);
        return live_term (b, key, same, asked_value, &a);
      }
    case LLMENV_Q_b_eq:
      fill_in (b, "%T", &a, gain, sizeof gain);
      return balance_term (b, key, gain, "1", &a);
    case LLMENV_Q_b_star:
      fill_in (b, "{wf}+%A-{R}*%T", &a, gain, sizeof gain);
      return balance_term (b, key, gain, "{R}", &a);
    case LLMENV_Q_l_wall:
      return wall_term (b, &a);
    case LLMENV_Q_n_star:
      if (b->convention != LLMENV_PUBLISHED)
        {
          wall_term (b, &(asked) { LLMENV_Q_l_wall, basis, at });
          return live_term (b, key, "{l_wall}+0", asked_value, &a);
        }
      limit_term (b);
      return live_term (b, key, "IF({rs0}*1=0," INF "+0*{Wlim}+0*{R},{Wlim}/({R}*{rs0}))", asked_value, &a);
    case LLMENV_Q_n_prefill:
      return prefill_term (b, &a);
    case LLMENV_Q_n_cross:
      fill_in (b, "%1", &a, limit, sizeof limit);
      return inverse_term (b, key, "r", limit, asked_value, &a);
    case LLMENV_Q_fill:
      return inverse_term (b, key, "h", ROOM, asked_value, &a);
    case LLMENV_Q_kv_context:
      return inverse_term (b, key, "h", at->formula, asked_value, &a);
    default:
      return plain_quantity (b, key, &a);
    }
}

/* ---- how tables show a number ------------------------------------------ */

void
live_shown (char *out, size_t size, const char *ref, const char *inf_word, const char *zero_word,
            const char *why, double scale, live_cut cut)
{
  char scaled[300], zero[400], number[700];
  live_print (scaled, sizeof scaled, scale == 1 ? "%s" : "%s*%s", ref, live_number (scale).text);
  live_print (number, sizeof number, cut == LIVE_DOWN ? "INT(%s)" : cut == LIVE_UP ? "-INT(-(%s))" : "%s", scaled);
  zero[0] = '\0';
  if (*zero_word != '\0')
    live_print (zero, sizeof zero, "IF(%s=0,\"%s\",", ref, zero_word);
  live_print (out, size, "=IF(ISNUMBER(%s),IF(%s>=" INF ",\"%s\",%s%s%s),%s)", ref, ref,
            *inf_word != '\0' ? inf_word : LIVE_NO_RECORD, zero, number, *zero != '\0' ? ")" : "", why);
}
