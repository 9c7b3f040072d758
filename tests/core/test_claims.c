/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims ledger: its facts are the documents', its checks resolve, its
 * verdicts follow from the records and change with them. */
#include "check.h"

#include <sys/stat.h>

#include "claims.h"
#include "claims_eval.h"
#include "llmenv_json.h"

static const char *const documents[] = { "000", "003" };

/* ---- judged claims ------------------------------------------------------ */

static json_t *
judged_with (const char *document, const llmenv_catalogue *catalogue)
{
  llmenv_error error = { LLMENV_OK, "" };
  json_t *judged = NULL;
  if (llmenv_claims_judge (document, catalogue, &judged, &error) != LLMENV_OK)
    {
      print_error ("%s\n", error.text);
      fail ();
    }
  return judged;
}

static json_t *
judged_claims (const char *document)
{
  return judged_with (document, shipped_catalogue ());
}

static const char *
text_of (const json_t *claim, const char *field)
{
  return llmenv_record_text (claim, field);
}

static const char *
verdict_of (const json_t *judged, const char *key)
{
  const json_t *claim = claim_find (judged, key);
  assert_non_null (claim);
  return text_of (claim, "verdict");
}

static json_t *
ledger_of (const char *document)
{
  char name[40], path[LLMENV_PATH_SIZE];
  llmenv_error error = { LLMENV_OK, "" };
  snprintf (name, sizeof name, "claims_%s.json", document);
  assert_int_equal (llmenv_data_file (name, path, &error), LLMENV_OK);
  json_t *ledger = llmenv_json_read (path, &error);
  assert_non_null (ledger);
  return ledger;
}

/* ---- facts -------------------------------------------------------------- */

/* Cell COLUMN (from 0) of a line of tab-separated values. */
static void
cell_of (const char *line, int column, char *cell, size_t size)
{
  while (column-- > 0)
    line += strcspn (line, "\t") + 1;
  snprintf (cell, size, "%.*s", (int) strcspn (line, "\t\r\n"), line);
}

static size_t
compare_facts (const char *document, FILE *in)
{
  static const char *const fields[] = { "section", "key", "value", "unit" };
  char line[2000], cell[400];
  json_t *ledger = ledger_of (document);
  const json_t *claims = json_object_get (ledger, "claims");
  size_t n = 0;
  assert_non_null (fgets (line, sizeof line, in));
  while (fgets (line, sizeof line, in) != NULL)
    {
      const json_t *claim = json_array_get (claims, n++);
      for (int f = 0; f < (int) N_OF_ARRAY (fields); f++)
        {
          cell_of (line, f, cell, sizeof cell);
          assert_string_equal (text_of (claim, fields[f]), cell);
        }
    }
  assert_int_equal (n, json_array_size (claims));
  json_decref (ledger);
  return n;
}

static void
facts_are_the_documents (void **state)
{
  size_t n = 0;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (documents); i++)
    {
      char file[60], path[1024];
      snprintf (file, sizeof file, "reference/claims_%s.tsv", documents[i]);
      if (shared_file (file, path) == NULL)
        continue;
      FILE *in = fopen (path, "r");
      assert_non_null (in);
      n += compare_facts (documents[i], in);
      fclose (in);
    }
  print_message ("compared %zu claims with the documents' facts\n", n);
}

/* A ledger holds facts, checks and words: never a verdict or our value. */
static void
no_verdict_is_stored (void **state)
{
  static const char *const forbidden[] = { "verdict", "ours", "ours_right", "formula" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (documents); i++)
    {
      json_t *ledger = ledger_of (documents[i]), *claim;
      size_t k;
      json_array_foreach (json_object_get (ledger, "claims"), k, claim)
        {
          for (size_t f = 0; f < N_OF_ARRAY (forbidden); f++)
            assert_null (json_object_get (claim, forbidden[f]));
          const int has_check = json_object_get (claim, "check") != NULL;
          assert_int_equal (has_check, *text_of (claim, "missing") == '\0');
          for (int v = 0; v < LLMENV_VERDICT_COUNT; v++)
            for (const char *const *f = (const char *const[]) { "why", "note", NULL }; *f; f++)
              assert_null (strstr (text_of (claim, *f), llmenv_verdict_word ((llmenv_verdict) v)));
        }
      json_decref (ledger);
    }
}

/* ---- results ------------------------------------------------------------- */

static int
is_verdict (const char *word)
{
  for (int v = 0; v < LLMENV_VERDICT_COUNT; v++)
    if (strcmp (word, llmenv_verdict_word ((llmenv_verdict) v)) == 0)
      return 1;
  return 0;
}

static void
check_result (const json_t *claim, const json_t *fact)
{
  static const char *const numbers[] = { "ours", "ours_right" };
  const int computed = json_object_get (fact, "check") != NULL;
  assert_true (is_verdict (text_of (claim, "verdict")));
  assert_int_equal (computed, *text_of (claim, "formula") != '\0');
  assert_int_equal (computed, strcmp (text_of (claim, "verdict"), "not computable") != 0);
  for (size_t i = 0; i < N_OF_ARRAY (numbers); i++)
    {
      const json_t *value = json_object_get (claim, numbers[i]);
      assert_true (json_is_number (value) || json_is_string (value));
      assert_int_equal (!computed, strcmp (text_of (claim, numbers[i]), "no record") == 0);
    }
  assert_true (*text_of (claim, "why") != '\0');
  assert_null (strpbrk (text_of (claim, "why"), "{}\n"));
  if (!computed)
    HAS_TEXT (text_of (claim, "why"), text_of (fact, "missing"), text_of (fact, "key"));
}

static void
every_check_resolves (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (documents); i++)
    {
      json_t *ledger = ledger_of (documents[i]);
      json_t *judged = judged_claims (documents[i]), *claim;
      const json_t *facts = json_object_get (ledger, "claims");
      size_t k;
      assert_int_equal (json_array_size (judged), json_array_size (facts));
      json_array_foreach (judged, k, claim)
        check_result (claim, json_array_get (facts, k));
      json_decref (judged);
      json_decref (ledger);
    }
}

static void
many_claims_fail (void **state)
{
  llmenv_claims_counts counts;
  llmenv_error error = { LLMENV_OK, "" };
  size_t sum = 0, failing = 0;
  (void) state;
  assert_int_equal (llmenv_claims_summary (shipped_catalogue (), &counts, &error), LLMENV_OK);
  for (int v = 0; v < LLMENV_VERDICT_COUNT; v++)
    {
      print_message ("%4zu %s\n", counts.of[v], llmenv_verdict_word ((llmenv_verdict) v));
      sum += counts.of[v];
      failing += llmenv_verdict_fails ((llmenv_verdict) v) ? counts.of[v] : 0;
      assert_true (counts.of[v] > 0);
    }
  print_message ("compared %zu claims, %zu do not hold\n", counts.claims, counts.failing);
  assert_int_equal (sum, 220);
  assert_int_equal (counts.claims, 220);
  assert_int_equal (counts.failing, failing);
  assert_true (counts.failing >= 50);
}

/* Each found by hand, in exact arithmetic (tests/oracle/claims.py has all). */
static const struct { const char *document, *key; double ours; const char *verdict; } found[] = {
  { "000", "ridge_h100", 989 / 3.35, "reproduced" },
  { "000", "n_star_8b_q4_4090", 4.9e9 / (165200 / 1008.0 * 131072), "arithmetic slip" },
  { "000", "ridge_dead_past_n_star", 16.06e9 / (131072.0 * 229) + 4, "wrong direction" },
  { "000", "fill_8b_fp16_4090", 6.44e9 / 131072, "reproduced" },
  { "000", "fill_8b_fp16_4090_q8kv", 6.44e9 / 69632, "contradiction" },
  { "000", "nstar_8b_fp16_4090_q8kv", 16.06e9 / (165200 / 1008.0 * 69632), "contradiction" },
  { "000", "marginal_gain_halves_at_b50", 0.25, "arithmetic slip" },
  { "000", "capacity_over_knee_4k", 17.6 / 4.9, "rounding" },
  { "003", "phi35_24gb_tok_recorded", 24e9 / 24576, "reproduced" },
  { "003", "dsv3_lwall_8bit", 74e9 / ((989500 / 3350.0 - 2) * 35136), "reproduced" },
  { "003", "dsv3_bstar_1k", 989500 / 3350.0 / (1 - 1024 * (989500 / 3350.0 - 1) * 70272 / 74e9), "reproduced" },
  { "003", "gemma3_27b_below_ridge", 989500 / 3350.0 / (54.86e9 / (507904.0 * 131072) + 2), "arithmetic slip" },
  { "003", "nonstandard_kv_records", 19, "miscount" },
  { "003", "lwall_table_is_prefix", 16, "miscount" },
  { "003", "overlap_with_worst10", 8, "miscount" },
  { "003", "bstar_others_table", 45, "contradiction" },
  { "003", "gemma4_bytes_are_bytes", 1, "arithmetic slip" },
  { "003", "nemotron_state_mib", 96, "arithmetic slip" },
  { "003", "scout_same_max_as_maverick", 1048576, "contradiction" },
  { "003", "kimik3_total", 2780000, "contradiction" },
  { "003", "dsv3_lwall_moe", 74e9 / 32 / ((989500 / 3350.0 - 1) * 70272), "wrong direction" },
  { "003", "bstar_near_295", 1 / (1 - 1024 * (989500 / 3350.0 - 6) * 45056 / (2 * 7.585648736e9)), "wrong direction" },
  { "003", "no_part_is_compute_bound", 24, "wrong direction" },
};

static void
values_are_those_by_hand (void **state)
{
  json_t *judged[] = { judged_claims ("000"), judged_claims ("003") };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (found); i++)
    {
      const json_t *list = judged[strcmp (found[i].document, "003") == 0];
      const json_t *claim = claim_find (list, found[i].key);
      assert_non_null (claim);
      NEAR (json_number_value (json_object_get (claim, "ours")), found[i].ours, 1e-7, found[i].key);
      assert_string_equal (text_of (claim, "verdict"), found[i].verdict);
    }
  json_decref (judged[0]);
  json_decref (judged[1]);
}

/* ---- a changed record changes verdicts ------------------------------------ */

static char folder[300];

static void
folder_path (char path[700], const char *kind, const char *file)
{
  snprintf (path, 700, "%s/%s%s%s", folder, kind, *kind != '\0' ? "/" : "", file);
}

static int
make_folder (void **state)
{
  char path[700];
  (void) state;
  snprintf (folder, sizeof folder, "%s/llmenv-claims-XXXXXX",
            getenv ("TMPDIR") != NULL ? getenv ("TMPDIR") : "/tmp");
  if (mkdtemp (folder) == NULL)
    return -1;
  folder_path (path, "models", "");
  if (mkdir (path, 0700) != 0)
    return -1;
  folder_path (path, "accelerators", "");
  return mkdir (path, 0700);
}

static int
remove_folder (void **state)
{
  char path[700];
  (void) state;
  folder_path (path, "models", "");
  rmdir (path);
  folder_path (path, "accelerators", "");
  rmdir (path);
  return rmdir (folder);
}

/* LLMENV_DATA with our folder first, then as it was. */
static void
use_folder (int use)
{
  static char before[4096];
  static int was_set;
  char both[5000];
  if (use)
    {
      const char *old = getenv ("LLMENV_DATA");
      was_set = old != NULL;
      snprintf (before, sizeof before, "%s", was_set ? old : "");
      snprintf (both, sizeof both, "%s%s%s", folder, was_set ? ":" : "", before);
      setenv ("LLMENV_DATA", both, 1);
    }
  else if (was_set)
    setenv ("LLMENV_DATA", before, 1);
  else
    unsetenv ("LLMENV_DATA");
}

/* A field given another value (null: silent), with nothing derived kept that
 * would contradict it; a claim before and after. */
static const struct
{
  const char *kind, *id, *field, *json, *key, *before, *after;
} changes[] = {
  { "models", "olmo-3-7b", "kv_cache_bytes_per_token", "393216", "phi35_same_kv_as_olmo3", "contradiction", "reproduced" },
  { "models", "olmo-3-7b", "kv_cache_bytes_per_token", "393216", "phi35_equals_olmo3", "contradiction", "reproduced" },
  { "models", "olmo-3-7b", "kv_cache_bytes_per_token", "524000", "olmo3_worst", "reproduced", "reproduced" },
  { "models", "qwen2-audio-7b-instruct", "kv_cache_bytes_per_token", "540672", "olmo3_worst", "reproduced", "arithmetic slip" },
  { "models", "gemma-3-27b", "kv_cache_bytes_per_token", "540672", "reference_is_worst", "wrong direction", "reproduced" },
  { "models", "gemma-3-27b", "head_dim", "256", "gemma_head_dim", "contradiction", "reproduced" },
  { "models", "smollm2-1-7b-instruct", "active_params_b", "1.75", "lwall_smollm2", "reproduced", "arithmetic slip" },
  { "models", "smollm2-1-7b-instruct", "active_params_b", "1.72", "beq_smallest", "reproduced", "arithmetic slip" },
  { "models", "smollm2-1-7b-instruct", "kv_cache_bytes_per_token", "null", "lwall_smollm2", "reproduced", "not computable" },
  { "models", "llama-4-maverick", "max_position_embeddings", "10485760", "scout_same_max_as_maverick", "contradiction", "reproduced" },
  { "models", "deepseek-v3", "active_params_b", "37.001", "lwall_dsv3", "reproduced", "reproduced" },
  { "models", "deepseek-v3", "active_params_b", "36.99", "lwall_dsv3", "reproduced", "rounding" },
  { "models", "gemma-3n-e2b", "active_params_b", "5.44", "dense_rows", "miscount", "miscount" },
  { "models", "glm-4-5", "gqa_ratio", "null", "gqa_recorded", "miscount", "miscount" },
  { "models", "magistral-small", "active_params_b", "26", "bstar_others_text", "reproduced", "miscount" },
  { "models", "magistral-small", "active_params_b", "26", "bstar_rows_1k", "reproduced", "miscount" },
  { "models", "mixtral-8x22b", "active_params_b", "30", "bstar_others_table", "contradiction", "reproduced" },
  { "models", "kimi-k3", "active_params_b", "20", "hl_never_reach_ridge", "reproduced", "miscount" },
  { "models", "nemotron-h-8b-base-8k", "corrections", "[{\"field\": \"mamba_layers\", \"published\": 48, \"right\": 48}]", "nemotron_state_mib", "arithmetic slip", "reproduced" },
  { "models", "nemotron-h-8b-base-8k", "corrections", "[{\"field\": \"mamba_layers\", \"published\": 4800, \"right\": 24}]", "nemotron_state_over_kv", "wrong direction", "reproduced" },
  { "accelerators", "nvidia-l40s", "memory_bandwidth_gbps", "1000", "l40s_ridge", "reproduced", "arithmetic slip" },
  { "accelerators", "nvidia-l40s", "memory_bandwidth_gbps", "1200", "l40s_ridge_rank", "wrong direction", "wrong direction" },
  { "accelerators", "nvidia-l40s", "memory_bandwidth_gbps", "700", "l40s_lwall_factor", "arithmetic slip", "rounding" },
};

/* Write the shipped record with the change of row I into the folder. */
static void
write_change (size_t i, char path[700])
{
  static const char *const derived[] = { "layers", "weights", "corrections",
                                         "kv_caching_layer_count", "state_bytes_per_sequence" };
  const llmenv_catalogue *c = shipped_catalogue ();
  const int is_model = strcmp (changes[i].kind, "models") == 0;
  const json_t *shipped_json = is_model ? llmenv_catalogue_model (c, changes[i].id)->json
                                        : llmenv_catalogue_card (c, changes[i].id)->json;
  json_t *json = json_deep_copy (shipped_json);
  char file[100];
  /* Mamba layers are known by layers, which stay. */
  for (size_t d = 0; d < N_OF_ARRAY (derived) && strstr (changes[i].id, "nemotron") == NULL; d++)
    json_object_del (json, derived[d]);
  json_object_set_new (json, changes[i].field,
                       json_loads (changes[i].json, JSON_DECODE_ANY, NULL));
  snprintf (file, sizeof file, "%s.json", changes[i].id);
  folder_path (path, changes[i].kind, file);
  assert_int_equal (json_dump_file (json, path, 0), 0);
  json_decref (json);
}

static void
check_change (size_t i, const json_t *before)
{
  llmenv_catalogue catalogue;
  llmenv_error error = { LLMENV_OK, "" };
  char path[700];
  assert_string_equal (verdict_of (before, changes[i].key), changes[i].before);
  write_change (i, path);
  use_folder (1);
  const llmenv_status st = llmenv_catalogue_load (&catalogue, &error);
  if (st != LLMENV_OK)
    print_error ("%s: %s\n", changes[i].id, error.text);
  assert_int_equal (st, LLMENV_OK);
  json_t *after = judged_with ("003", &catalogue);
  use_folder (0);
  unlink (path);
  if (strcmp (verdict_of (after, changes[i].key), changes[i].after) != 0)
    print_error ("%s with %s = %s\n", changes[i].id, changes[i].field, changes[i].json);
  assert_string_equal (verdict_of (after, changes[i].key), changes[i].after);
  if (strstr (changes[i].id, "smollm2") == NULL)
    assert_string_equal (verdict_of (after, "lwall_smollm2"), "reproduced");
  json_decref (after);
  llmenv_catalogue_free (&catalogue);
}

static void
verdicts_follow_the_records (void **state)
{
  json_t *before = judged_claims ("003");
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (changes); i++)
    check_change (i, before);
  json_decref (before);
}

/* ---- ledgers with faults --------------------------------------------------- */

static const struct { const char *claim, *says; } faults[] = {
  { "\"check\": [\"no_such\", 1]", "no such check" },
  { "\"check\": []", "no such check" },
  { "\"check\": null", "no expression" },
  { "\"check\": [\"+\", 1]", "wrong number of arguments" },
  { "\"check\": [\"l_wall\", \"no-such-model\"]", "no such model" },
  { "\"check\": [\"ridge\", {\"Card\": \"no-such-card\"}]", "no such card" },
  { "\"check\": [\"ridge\", {\"NoOption\": 1}]", "no option" },
  { "\"check\": [\"fill\", \"llama-3-1-8b\", {\"Utilization\": 2}]", "Utilization" },
  { "\"check\": [\"field\", \"no-such\", \"params_b\"]", "no such record" },
  { "\"check\": [\"count\", \"no-such-set\", true]", "no such set" },
  { "\"check\": [\"count\", 3, true]", "no set" },
  { "\"check\": [\"claim\", \"no-such-key\"]", "no such claim" },
  { "\"check\": [\"layers\", \"llama-3-1-8b\", \"no-such\"]", "no such size" },
  { "\"check\": [\"layers\", \"llama-3-1-8b\", \"count\", \"no-such\"]", "no such kind of layer" },
  { "\"check\": [\"step\", \"no-such\", \"llama-3-1-8b\"]", "no such member" },
  { "\"check\": [\"slope\", \"no-such\", \"llama-3-1-8b\", {}]", "no such quantity" },
  { "\"check\": [\"=\", \"a\", 1]", "compared with a number" },
  { "\"check\": [\"+\", \"a\", 1]", "a number is expected" },
  { "\"check\": [\"join\", {\"a\": 1}]", "no expression" },
  { "\"check\": 1, \"kind\": \"no-such\"", "no such kind of claim" },
  { "\"check\": 1, \"note\": \"a {b}\"", "no number 'b'" },
  { "\"check\": 1, \"note\": \"a {b\"", "open brace" },
};

static void
faults_are_named (void **state)
{
  char path[700], text[400];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (faults); i++)
    {
      llmenv_error error = { LLMENV_OK, "" };
      json_t *judged = NULL;
      folder_path (path, "", "claims_000.json");
      FILE *out = fopen (path, "w");
      assert_non_null (out);
      snprintf (text, sizeof text, "{\"claims\": [{\"key\": \"the_key\", \"value\": \"1\", %s}]}",
                faults[i].claim);
      fputs (text, out);
      fclose (out);
      use_folder (1);
      const llmenv_status st = llmenv_claims_judge ("000", shipped_catalogue (), &judged, &error);
      use_folder (0);
      unlink (path);
      if (st == LLMENV_OK)
        print_error ("accepted: %s\n", faults[i].claim);
      assert_int_not_equal (st, LLMENV_OK);
      HAS_TEXT (error.text, faults[i].says, faults[i].claim);
      HAS_TEXT (error.text, "the_key", faults[i].claim);
      assert_null (judged);
    }
}

/* ---- printed digits --------------------------------------------------------- */

static void
printed_digits_are_read (void **state)
{
  static const struct { const char *text; int is_number; double number, unit; int decimals; } cases[] = {
    { "295", 1, 295, 1, 0 }, { "295.37", 1, 295.37, 0.01, 2 }, { "10.20", 1, 10.2, 0.01, 2 },
    { "0", 1, 0, 1, 0 }, { "90", 1, 90, 1, 0 }, { "100", 1, 100, 100, 0 }, { "49100", 1, 49100, 100, 0 },
    { "57000", 1, 57000, 1000, 0 }, { "20480", 1, 20480, 1, 0 }, { "911k", 1, 911000, 1000, 0 },
    { "61 of 62", 0, 61, 1, 0 }, { "5:1", 0, 5, 1, 0 }, { "yes", 0, NAN, NAN, 0 }, { "", 0, NAN, NAN, 0 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const claim_print p = claim_print_of (cases[i].text);
      assert_int_equal (p.is_number, cases[i].is_number);
      NEAR (p.number, cases[i].number, 1e-15, cases[i].text);
      NEAR (p.unit, cases[i].unit, 1e-15, cases[i].text);
      assert_int_equal (p.decimals, cases[i].decimals);
    }
}

/* ---- formulas and tables ------------------------------------------------------ */

static void
formulas_are_readable (void **state)
{
  static const struct { const char *json, *formula; } cases[] = {
    { "[\"/\", [\"+\", 1, 2], 3]", "(1 + 2) / 3" },
    { "[\"l_wall\", \"deepseek-v3\", {\"Card\": \"nvidia-h20\", \"KVType\": 1}]", "l_wall(deepseek-v3, Card = nvidia-h20, KVType = 1)" },
    { "[\"count\", \"all\", [\"<\", [\"l_wall\", \"$\"], 100]]", "count(all, l_wall(row) < 100)" },
    { "[\"size\", [\"grok-1\", \"glm-5-3\"]]", "size([grok-1, glm-5-3])" },
    { "[\"size\", {\"of\": \"all\", \"where\": [\">\", [\"l_wall\", \"$\"], 5]}]", "size(all where (l_wall(row) > 5))" },
    { "[\"size\", {\"of\": \"all\", \"smallest\": 3, \"by\": [\"l_wall\", \"$\"]}]", "size(3 smallest of all by l_wall(row))" },
    { "[\"l_wall\", {\"id\": \"deepseek-v3\", \"gqa_ratio\": 0}]", "l_wall(deepseek-v3 with gqa_ratio = 0)" },
    { "[\"and\", true, [\"=\", \"$\", \"x\"]]", "true and (row = x)" },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      json_t *json = json_loads (cases[i].json, 0, NULL);
      assert_non_null (json);
      char *formula = claim_formula (json);
      assert_string_equal (formula, cases[i].formula);
      free (formula);
      json_decref (json);
    }
}

static void
tables_have_their_columns (void **state)
{
  static const char *const columns[] = { "section", "key", "value", "unit", "formula", "ours",
                                         "ours_right", "verdict", "why" };
  static const struct { const char *name; size_t rows; } tables[] = { { "claims_000", 35 },
                                                                     { "claims_003", 185 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (tables); i++)
    {
      const llmenv_request request = { .catalogue = shipped_catalogue (),
                                       .options = llmenv_options_default () };
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_table *t = NULL;
      assert_int_equal (llmenv_table_make (tables[i].name, &request, &t, &error), LLMENV_OK);
      assert_int_equal (t->n_columns, N_OF_ARRAY (columns));
      for (size_t c = 0; c < t->n_columns; c++)
        assert_string_equal (t->columns[c].name, columns[c]);
      print_message ("%s: %zu rows\n", tables[i].name, t->n_rows);
      assert_int_equal (t->n_rows, tables[i].rows);
      llmenv_table_free (t);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (facts_are_the_documents),
    cmocka_unit_test (no_verdict_is_stored),
    cmocka_unit_test (every_check_resolves),
    cmocka_unit_test (many_claims_fail),
    cmocka_unit_test (values_are_those_by_hand),
    cmocka_unit_test (verdicts_follow_the_records),
    cmocka_unit_test (faults_are_named),
    cmocka_unit_test (printed_digits_are_read),
    cmocka_unit_test (formulas_are_readable),
    cmocka_unit_test (tables_have_their_columns),
  };
  return cmocka_run_group_tests (tests, make_folder, remove_folder);
}
