/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The audit: what it finds in the values of documents and earlier records, that
 * ours has nothing unexplained, and that a record which contradicts itself is
 * found by field, figure and cause. */
#include "check.h"

#include <sys/stat.h>

#include "llmenv_audit.h"
#include "llmenv_own.h"

/* ---- audits ------------------------------------------------------------- */

static llmenv_table *
audit_of (const llmenv_audit *audit, const char *convention, size_t *unexplained)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_request request = { .catalogue = shipped_catalogue (),
                             .options = llmenv_options_default () };
  llmenv_table *table = NULL;
  STATUS (llmenv_option_set_text (&request.options, "Convention", convention, &error),
          LLMENV_OK, error, convention);
  STATUS (llmenv_audit_make (audit, &request, &table, unexplained, &error), LLMENV_OK, error,
          convention);
  return table;
}

static llmenv_table *
audit_all (const char *convention, size_t *unexplained)
{
  llmenv_error error;
  llmenv_audit audit = { NULL, 0, 0 };
  STATUS (llmenv_audit_add_all (&audit, shipped_catalogue (), &error), LLMENV_OK, error, "all");
  llmenv_table *table = audit_of (&audit, convention, unexplained);
  llmenv_audit_free (&audit);
  return table;
}

static const llmenv_cell *
cell (const llmenv_table *t, size_t row, const char *column)
{
  const int c = llmenv_table_column (t, column);
  assert_true (c >= 0);
  return llmenv_table_cell (t, row, (size_t) c);
}

/* Row of the finding, or -1. */
static int
find (const llmenv_table *t, const char *id, const char *field)
{
  for (size_t r = 0; r < t->n_rows; r++)
    if (strcmp (cell (t, r, "id")->text, id) == 0
        && strcmp (cell (t, r, "field")->text, field) == 0)
      return (int) r;
  return -1;
}

/* ---- what documents and earlier records hold ------------------------------ */

static const struct
{
  const char *id, *field;
  double recorded, derived;
  const char *cause;           /* part of it */
} known[] = {
#define KV "kv_cache_bytes_per_token"
  { "phi-3-mini-4k-instruct", KV, 24576, 393216, "factor 16" },
  { "phi-3-5-mini-instruct", KV, 24576, 393216, "factor 16" },
  { "gte-qwen2-1-5b-instruct", KV, 14336, 28672, "factor 2 too small" },
  { "gemma-4-26b-a4b", KV, 112640, 225280, "factor 2 too small: elements counted for bytes" },
  { "gemma-4-31b", KV, 450560, 901120, "factor 2 too small: elements counted for bytes" },
  { "gemma-4-12b", KV, 178176, 344064,
    "factor 2, elements counted for bytes; and layer split: 42 window and 6 full layers for 40 and 8" },
  { "gemma-4-12b", "full_attention_layers", 6, 8, "layer split: 6 of 48 layers for 8" },
  { "gemma-3n-e2b", KV, 61440, 40960, "10 layers counted that read another layer's cache" },
  { "gemma-2-2b", "global_layers", 4, 13, "layer split" },
  { "gemma-2-2b", "local_layers", 22, 13, "layer split" },
  { "step-3-5-flash", "num_layers", 48, 45, "3 prediction layers" },
  { "step-3-5-flash", KV, 196608, 184320, "3 prediction layers" },
  { "nemotron-h-8b-base-8k", "mamba_layers", 48, 24, "24 MLP layers counted, factor 2" },
  { "nemotron-h-8b-base-8k", "state_bytes_per_sequence", 100663296, 51806208,
    "factor 2: MLP layers counted, 48 recurrent layers for 24; convolution columns left out" },
  { "minicpm-v-4-6", "state_bytes_per_sequence", 314572.8, 19537920, "62.11 times too small" },
  { "whisper-large-v3-turbo", "num_layers", 32, 4, "encoder depth for decoder depth" },
  { "whisper-large-v3-turbo", "max_position_embeddings", 1500, 448, "the encoder's length" },
  { "seed-oss-36b", "vocab_size", 201088, 155136, "another vocabulary" },
  { "hunyuan-a13b", "first_k_dense", 2, 0, "where there is none" },
};

static void
the_documents_errors_are_found (void **state)
{
  size_t unexplained;
  (void) state;
  llmenv_table *t = audit_all ("published", &unexplained);
  for (size_t i = 0; i < N_OF_ARRAY (known); i++)
    {
      const int row = find (t, known[i].id, known[i].field);
      if (row < 0)
        {
          print_error ("%s %s is not found\n", known[i].id, known[i].field);
          fail ();
        }
      const size_t r = (size_t) row;
      NEAR (cell (t, r, "recorded")->number, known[i].recorded, 0, known[i].id);
      NEAR (cell (t, r, "derived")->number, known[i].derived, 0, known[i].id);
      NEAR (cell (t, r, "ratio")->number, known[i].recorded / known[i].derived, 0, known[i].id);
      NEAR (cell (t, r, "corrected")->number, known[i].derived, 0, known[i].id);
      HAS_TEXT (cell (t, r, "cause")->text, known[i].cause, known[i].id);
      assert_string_equal (cell (t, r, "explained")->text, "");
    }
  assert_true (unexplained >= N_OF_ARRAY (known));
  llmenv_table_free (t);
}

/* The product of the record's own counts says the same as its layers. */
static void
the_product_confirms_them (void **state)
{
  static const char *const plain[] = { "phi-3-mini-4k-instruct", "phi-3-5-mini-instruct",
                                       "gte-qwen2-1-5b-instruct" };
  size_t unexplained;
  (void) state;
  llmenv_table *t = audit_all ("published", &unexplained);
  for (size_t i = 0; i < N_OF_ARRAY (plain); i++)
    HAS_TEXT (cell (t, (size_t) find (t, plain[i], KV), "cause")->text,
              "num_layers x num_kv_heads x head_dim x 2 x 2 gives the derived value too", plain[i]);
  llmenv_table_free (t);
}

static void
ours_has_nothing_unexplained (void **state)
{
  size_t unexplained;
  (void) state;
  llmenv_table *t = audit_all ("layered", &unexplained);
  for (size_t r = 0; r < t->n_rows; r++)
    if (*cell (t, r, "explained")->text == '\0')
      print_error ("%s %s: %s\n", cell (t, r, "id")->text, cell (t, r, "field")->text,
                   cell (t, r, "cause")->text);
  assert_int_equal (unexplained, 0);
  /* Not for want of looking: the explained ones are there. */
  assert_true (find (t, "gemma-3n-e2b", "params_b") >= 0);
  llmenv_table_free (t);
}

/* ---- records that contradict themselves -------------------------------------- */

/* Audit of shipped record ID with one change applied. */
static llmenv_table *
audit_changed (const char *id, const char *field, double value, size_t *unexplained)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_audit audit = { NULL, 0, 0 };
  json_t *json = json_deep_copy (llmenv_catalogue_model (shipped_catalogue (), id)->json);
  json_object_del (json, "corrections");
  assert_int_equal (json_object_set_new (json, field, json_real (value)), 0);
  STATUS (llmenv_audit_add_json (&audit, json, "test", &error), LLMENV_OK, error, id);
  llmenv_table *t = audit_of (&audit, "layered", unexplained);
  llmenv_audit_free (&audit);
  return t;
}

static void
contradictions_are_found (void **state)
{
  static const struct
  {
    const char *id, *field;
    double value, derived;
    const char *cause;
  } cases[] = {
    { "llama-3-1-8b", KV, 65536, 131072, "factor 2 too small" },
    { "llama-3-1-8b", KV, 262144, 131072, "factor 2 too large: 4 bytes" },
    { "llama-3-1-8b", KV, 524288, 131072, "query heads counted for KV heads, factor 4" },
    { "llama-3-1-8b", KV, 126976, 131072, "31 layers counted where 32 cache" },
    { "llama-3-1-8b", KV, 100000, 131072, "23.7 % too small" },
    { "llama-3-1-8b", "gqa_ratio", 0.25, 4, "inverted" },
    { "llama-3-1-8b", "gqa_ratio", 8, 4, "KV heads for the ratio" },
    { "llama-3-1-8b", "gqa_ratio", 1, 4, "grouping ignored, factor 4" },
    { "llama-3-1-8b", "num_layers", 30, 32, "6.25 % too small" },
    { "llama-3-1-8b", "head_dim", 64, 128, "2 times too small" },
    { "llama-3-1-8b", "num_kv_heads", 32, 8, "4 times too large" },
    { "llama-3-1-8b", "attention_head_count", 8, 32, "4 times too small" },
    { "llama-3-1-8b", "params_b", 16.06, 8.030261248, "16-bit bytes counted for parameters" },
    { "llama-3-1-8b", "flops_per_token_active", 8.03e9, 16.06e9, "a multiply-add counted once" },
    { "mixtral-8x7b", "active_params_b", 46.7, 12.748, "all experts counted" },
    { "mixtral-8x7b", "num_experts", 16, 8, "2 times too large" },
    { "mixtral-8x7b", "experts_per_token", 1, 2, "2 times too small" },
    { "deepseek-v3", KV, 3997696, 70272, "latent read as heads" },
    { "nemotron-h-8b-base-8k", KV, 212992, 16384, "all 52 layers counted though 4 cache" },
    { "whisper-large-v3-turbo", KV, 163840, 20480, "encoder depth: 32 layers for the decoder's 4" },
    { "gemma-3-27b", KV, 81920, 507904, "window layers left out" },
    { "qwen3-5-35b-a3b", "state_bytes_per_sequence", 62914560, 64389120, "convolution columns left out" },
    { "nemotron-h-8b-base-8k", "kv_caching_layer_count", 52, 4, "all" },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      size_t unexplained;
      llmenv_table *t = audit_changed (cases[i].id, cases[i].field, cases[i].value, &unexplained);
      const int row = find (t, cases[i].id, cases[i].field);
      if (row < 0)
        print_error ("%s %s = %g is not found\n", cases[i].id, cases[i].field, cases[i].value);
      assert_true (row >= 0);
      assert_true (unexplained >= 1);
      NEAR (cell (t, (size_t) row, "recorded")->number, cases[i].value, 0, cases[i].field);
      NEAR (cell (t, (size_t) row, "derived")->number, cases[i].derived, 1e-3, cases[i].field);
      if (strcmp (cases[i].cause, "all") != 0)
        HAS_TEXT (cell (t, (size_t) row, "cause")->text, cases[i].cause, cases[i].field);
      llmenv_table_free (t);
    }
}

/* Rounding is no finding, and an explanation does not cover any error. */
static void
rounded_figures_have_no_row (void **state)
{
  static const struct { const char *id, *field; double value; size_t rows, unexplained; } cases[] = {
    { "llama-3-1-8b", "params_b", 8, 0, 0 },
    { "llama-3-1-8b", "params_b", 7.7, 0, 0 },
    { "llama-3-1-8b", "params_b", 7.4, 1, 1 },
    { "qwen3-30b-a3b", "active_params_b", 3, 0, 0 },
    { "qwen3-30b-a3b", "active_params_b", 2.2, 1, 1 },
    { "gemma-3n-e2b", "params_b", 54.4, 1, 1 },
    { "gemma-3n-e2b", "params_b", 6, 1, 0 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      size_t unexplained;
      llmenv_table *t = audit_changed (cases[i].id, cases[i].field, cases[i].value, &unexplained);
      const int row = find (t, cases[i].id, cases[i].field);
      const int open = row >= 0 && *cell (t, (size_t) row, "explained")->text == '\0';
      if ((row >= 0) != (cases[i].rows == 1) || open != (cases[i].unexplained == 1))
        {
          print_error ("%s %s = %g: row %d, open %d\n", cases[i].id, cases[i].field,
                       cases[i].value, row, open);
          fail ();
        }
      llmenv_table_free (t);
    }
}

/* Without layers the product of the record's own counts is all there is. */
static void
records_without_layers_have_the_product (void **state)
{
  llmenv_error error = { LLMENV_OK, "" };
  const char *text = "{\"id\": \"plain\", \"architecture\": \"dense\", \"attention_variant\": \"GQA\","
                     " \"num_layers\": 10, \"num_kv_heads\": 4, \"head_dim\": 64,"
                     " \"num_attention_heads\": 8, \"gqa_ratio\": 2, \"params_b\": 1,"
                     " \"kv_cache_bytes_per_token\": %s}";
  (void) state;
  for (int good = 0; good < 2; good++)
    {
      char own[400];
      size_t unexplained;
      llmenv_audit audit = { NULL, 0, 0 };
      snprintf (own, sizeof own, text, good ? "10240" : "640");
      STATUS (llmenv_audit_add_json (&audit, json_loads (own, 0, NULL), "test", &error), LLMENV_OK,
              error, "plain");
      llmenv_table *t = audit_of (&audit, "layered", &unexplained);
      assert_int_equal (unexplained, !good);
      if (!good)
        HAS_TEXT (cell (t, 0, "cause")->text, "factor 16", "plain");
      llmenv_table_free (t);
      llmenv_audit_free (&audit);
    }
}

/* Without parts P, e and E split the weights: P below P_tot e/E leaves no rest. */
static void
fewer_active_than_a_share_is_found (void **state)
{
  /* 2 of 16 experts of 32: a token uses 4 at least. */
  static const struct { const char *active; size_t rows; } cases[] = {
    { "3.9", 1 }, { "4", 0 }, { "6", 0 }, { "null", 0 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    for (int published = 0; published < 2; published++)
      {
        char own[400];
        size_t unexplained;
        llmenv_error error = { LLMENV_OK, "" };
        llmenv_audit audit = { NULL, 0, 0 };
        snprintf (own, sizeof own,
                  "{\"id\": \"plain\", \"architecture\": \"moe\", \"params_b\": 32,"
                  " \"active_params_b\": %s, \"num_experts\": 16, \"experts_per_token\": 2,"
                  " \"kv_cache_bytes_per_token\": 10240}", cases[i].active);
        STATUS (llmenv_audit_add_json (&audit, json_loads (own, 0, NULL), "test", &error), LLMENV_OK,
                error, "plain");
        llmenv_table *t = audit_of (&audit, published ? "published" : "layered", &unexplained);
        assert_int_equal (t->n_rows, cases[i].rows);
        assert_int_equal (unexplained, cases[i].rows);
        if (cases[i].rows == 1)
          {
            assert_string_equal (cell (t, 0, "field")->text, "active_params_b");
            NEAR (cell (t, 0, "recorded")->number, 3.9, 0, "recorded");
            NEAR (cell (t, 0, "derived")->number, 4, 0, "least");
            HAS_TEXT (cell (t, 0, "cause")->text, "2 in 16 experts, of params_b 32", "cause");
          }
        llmenv_table_free (t);
        llmenv_audit_free (&audit);
      }
}

/* All records of document 003's repository, as they are, load and are audited. */
static void
published_records_load_unchanged (void **state)
{
  char path[1024], *line = NULL;
  size_t size = 0, n = 0;
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_audit audit = { NULL, 0, 0 };
  (void) state;
  if (shared_file ("records/models.jsonl", path) == NULL)
    skip ();
  FILE *in = fopen (path, "r");
  assert_non_null (in);
  while (getline (&line, &size, in) > 0)
    {
      STATUS (llmenv_audit_add_json (&audit, json_loads (line, 0, NULL), path, &error), LLMENV_OK,
              error, line);
      n++;
    }
  free (line);
  fclose (in);
  assert_int_equal (n, 81);
  llmenv_table *t = audit_of (&audit, "layered", &n);
  /* Without layers one contradiction shows: the encoder's depth. */
  assert_int_equal (t->n_rows, 1);
  HAS_TEXT (cell (t, 0, "id")->text, "whisper-large-v3-turbo", "raw records");
  HAS_TEXT (cell (t, 0, "cause")->text, "4 layers would give it, num_layers is 32", "raw records");
  llmenv_table_free (t);
  llmenv_audit_free (&audit);
}

/* ---- paths, ids, the catalogue ------------------------------------------------- */

static void
paths_are_told_from_names (void **state)
{
  static const struct { const char *text; int is; } cases[] = {
    { "/", 1 }, { "./", 1 }, { "../", 1 }, { "/dev/null", 1 }, { ".", 0 }, { "..", 0 },
    { "./x.json", 0 }, { "x.gguf", 0 }, { "/nowhere/x.safetensors", 0 }, { "llama-3-1-8b", 0 },
    { "google/gemma-2-2b", 0 }, { "", 0 }, { "Llama 3.1 8B", 0 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      if (llmenv_own_is_path (cases[i].text) != cases[i].is)
        print_error ("'%s'\n", cases[i].text);
      assert_int_equal (llmenv_own_is_path (cases[i].text), cases[i].is);
    }
}

/* An imported model joins under an id of its own, and is known by its path. */
static void
own_models_join_the_catalogue (void **state)
{
  char file[] = "/tmp/llmenv-audit-XXXXXX";
  char path[80];
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_catalogue c;
  llmenv_options options = llmenv_options_default ();
  (void) state;
  assert_non_null (mkdtemp (file));
  snprintf (path, sizeof path, "%s/mine.json", file);
  FILE *out = fopen (path, "w");
  assert_non_null (out);
  fprintf (out, "{\"id\": \"llama-3-1-8b\", \"params_b\": 1, \"kv_cache_bytes_per_token\": 512}");
  fclose (out);
  STATUS (llmenv_catalogue_load (&c, &error), LLMENV_OK, error, "catalogue");
  const size_t n = c.n_models;
  STATUS (llmenv_option_set_text (&options, "Model", path, &error), LLMENV_OK, error, "option");
  STATUS (llmenv_own_resolve (&c, &options, NULL, &error), LLMENV_OK, error, path);
  STATUS (llmenv_own_resolve (&c, &options, NULL, &error), LLMENV_OK, error, "again");
  assert_int_equal (c.n_models, n + 1);
  assert_string_equal (options.model, "llama-3-1-8b-own");
  const llmenv_model_record *own = llmenv_catalogue_model (&c, path);
  assert_non_null (own);
  NEAR (own->model.scalars.kv_bytes, 512, 0, "own");
  NEAR (llmenv_catalogue_model (&c, "llama-3-1-8b")->model.scalars.kv_bytes, 131072, 0, "shipped");
  for (size_t i = 1; i < c.n_models; i++)
    assert_true (strcmp (c.models[i - 1]->id, c.models[i]->id) < 0);
  STATUS (llmenv_own_add (&c, "./nowhere/x.json", NULL, &error), LLMENV_OK, error, "nowhere");
  STATUS (llmenv_own_add (&c, "/dev/null", NULL, &error), LLMENV_EBADFILE, error, "/dev/null");
  assert_int_equal (c.n_models, n + 1);
  llmenv_catalogue_free (&c);
  unlink (path);
  rmdir (file);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_documents_errors_are_found),
    cmocka_unit_test (the_product_confirms_them),
    cmocka_unit_test (ours_has_nothing_unexplained),
    cmocka_unit_test (contradictions_are_found),
    cmocka_unit_test (rounded_figures_have_no_row),
    cmocka_unit_test (records_without_layers_have_the_product),
    cmocka_unit_test (fewer_active_than_a_share_is_found),
    cmocka_unit_test (published_records_load_unchanged),
    cmocka_unit_test (paths_are_told_from_names),
    cmocka_unit_test (own_models_join_the_catalogue),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
