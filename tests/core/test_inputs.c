/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of the workbook: names, units, refusals; the model by its dimensions;
 * the round figures of tables, moved. */
#include "check.h"

#include "llmenv_inputs.h"

static llmenv_inputs inputs;
static llmenv_options options;
static llmenv_error error;

static int
fresh (void **state)
{
  (void) state;
  inputs = llmenv_inputs_default ();
  options = llmenv_options_default ();
  error = (llmenv_error) { LLMENV_OK, "" };
  return 0;
}

/* ---- setting ------------------------------------------------------------ */

static void
numbers_go_where_their_names_say (void **state)
{
  (void) state;
  assert_int_equal (llmenv_inputs_set_number (&inputs, &options, "ctx_8k", 12000, &error), LLMENV_OK);
  assert_int_equal (llmenv_inputs_set_number (&inputs, &options, "gb_80", 24, &error), LLMENV_OK);
  assert_int_equal (llmenv_inputs_set_text (&inputs, &options, "price", "0.5", &error), LLMENV_OK);
  assert_int_equal (llmenv_inputs_set_text (&inputs, &options, "Q_Heads", "64", &error), LLMENV_OK);
  assert_int_equal (llmenv_inputs_set_text (&inputs, &options, "kv-type", "q8_0", &error), LLMENV_OK);
  assert_int_equal (llmenv_inputs_set_text (&inputs, &options, "card_4", "H20", &error), LLMENV_OK);
  NEAR (inputs.points[LLMENV_AT_ctx_8k], 12000, 0, "a context in tokens");
  NEAR (inputs.points[LLMENV_AT_gb_80], 24e9, 0, "a threshold in GB");
  NEAR (inputs.price, 0.5, 0, "a price");
  NEAR (inputs.own_model.q_heads, 64, 0, "a dimension");
  NEAR (options.settings.k_bytes, 34.0 / 32, 0, "an option");
  assert_string_equal (inputs.cards[3], "H20");
}

static void
refused (llmenv_status st, const char *part)
{
  assert_int_not_equal (st, LLMENV_OK);
  if (strstr (error.text, part) == NULL)
    fail_msg ("'%s' does not say '%s'", error.text, part);
}

static void
what_is_no_input_is_refused (void **state)
{
  (void) state;
  refused (llmenv_inputs_set_number (&inputs, &options, "ctx_8", 1, &error), "ctx_8k");
  refused (llmenv_inputs_set_number (&inputs, &options, "ctx_8k", 0, &error), "above 0");
  refused (llmenv_inputs_set_number (&inputs, &options, "ctx_8k", NAN, &error), "ctx_8k");
  refused (llmenv_inputs_set_number (&inputs, &options, "price", -1, &error), "0 or more");
  refused (llmenv_inputs_set_text (&inputs, &options, "price", "cheap", &error), "expected a number");
  refused (llmenv_inputs_set_text (&inputs, &options, "model_5", "x", &error), "no input");
  refused (llmenv_inputs_set_text (&inputs, &options, "basis", "idle", &error), "active");
  NEAR (inputs.points[LLMENV_AT_ctx_8k], 8192, 0, "what was refused stays as it was");
}

static void
names_to_compare_become_ids (void **state)
{
  (void) state;
  llmenv_catalogue c;
  assert_int_equal (llmenv_catalogue_load (&c, &error), LLMENV_OK);
  llmenv_inputs_set_text (&inputs, &options, "model_1", "Llama 3.3 70B", &error);
  llmenv_inputs_set_text (&inputs, &options, "model_2", LLMENV_OWN_MODEL, &error);
  assert_int_equal (llmenv_inputs_resolve (&inputs, &c, &error), LLMENV_OK);
  assert_string_equal (inputs.models[0], "llama-3-3-70b");
  assert_string_equal (inputs.models[1], LLMENV_OWN_MODEL);
  llmenv_inputs_set_text (&inputs, &options, "card_1", "h1000", &error);
  refused (llmenv_inputs_resolve (&inputs, &c, &error), "h1000");
  fresh (NULL);
  inputs.own_model.expert_params = 9;
  refused (llmenv_inputs_resolve (&inputs, &c, &error), "params: 8.03026 is less");
  fresh (NULL);
  inputs.own_model.top = 2;
  refused (llmenv_inputs_resolve (&inputs, &c, &error), "top: 2 experts a token");
  llmenv_catalogue_free (&c);
}

/* ---- the file ----------------------------------------------------------- */

static llmenv_status
read_text (const char *text)
{
  char path[] = "/tmp/llmenv_inputs_XXXXXX";
  const int fd = mkstemp (path);
  assert_true (fd >= 0 && write (fd, text, strlen (text)) == (ssize_t) strlen (text));
  close (fd);
  const llmenv_status st = llmenv_inputs_read (path, &inputs, &options, &error);
  unlink (path);
  return st;
}

static void
a_file_sets_one_input_a_line (void **state)
{
  (void) state;
  assert_int_equal (read_text ("{\"card\": \"x\", \"context\": \"32k\", \"layers\": 5, \"price\": null}"), LLMENV_OK);
  assert_string_equal (options.card, "x");
  NEAR (options.context, 32768, 0, "32k");
  NEAR (inputs.own_model.layers, 5, 0, "layers");
  refused (read_text ("{\"layers\": [5]}"), "layers: expected a number or a text");
  refused (read_text ("{\"lairs\": 5}"), "layers");
  refused (read_text ("[1]"), "expected one JSON object");
  refused (read_text ("{\"layers\": "), "not valid JSON");
  refused (read_text (""), "empty");
  refused (llmenv_inputs_read ("/nowhere/inputs.json", &inputs, &options, &error), "/nowhere/inputs.json");
}

/* ---- the own model ------------------------------------------------------- */

/* The proposed dimensions are llama-3-1-8b's: every quantity must be its own. */
static void
the_proposed_model_is_the_record (void **state)
{
  (void) state;
  llmenv_layer_group layers[3];
  llmenv_weight_part parts[3];
  llmenv_error e;
  llmenv_model_record *record;
  llmenv_card_record *card;
  assert_int_equal (llmenv_model_load ("llama-3-1-8b", &record, &e), LLMENV_OK);
  assert_int_equal (llmenv_card_load ("nvidia-h100-sxm", &card, &e), LLMENV_OK);
  const llmenv_model own = llmenv_own_model_make (&inputs.own_model, layers, parts);
  for (int c = 0; c < 2; c++)
    for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
      {
        llmenv_options o = options;
        llmenv_envelope a, b;
        o.settings.convention = (llmenv_convention) c;
        const llmenv_card n = llmenv_card_numbers_get (card, &o).card;
        assert_int_equal (llmenv_envelope_make (&own, &n, &o.settings, &a), LLMENV_OK);
        assert_int_equal (llmenv_envelope_make (&record->model, &n, &o.settings, &b), LLMENV_OK);
        /* The record's published parameters are rounded to 8.03e9. */
        NEAR (llmenv_quantity_value ((llmenv_quantity) q, &a, 3, 9000), llmenv_quantity_value ((llmenv_quantity) q, &b, 3, 9000),
              c == LLMENV_LAYERED ? 1e-12 : 1e-3, llmenv_quantity_get ((llmenv_quantity) q)->name);
      }
  llmenv_model_record_free (record);
  llmenv_card_record_free (card);
}

/* Layers of each kind, by hand: 2 latent, 3 windowed, 4 recurrent. */
static void
dimensions_become_layers (void **state)
{
  (void) state;
  llmenv_layer_group layers[3];
  llmenv_weight_part parts[3];
  llmenv_envelope e;
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  inputs.own_model = (llmenv_own_fields) {
    .layers = 2, .window_layers = 3, .window = 100, .q_heads = 8, .kv_heads = 2, .k_dim = 16, .v_dim = 32, .rank = 64,
    .rope_dim = 8, .recurrent_layers = 4, .state_elements = 10, .state_bytes = 4, .params = 10, .lookup_params = 1,
    .expert_params = 6, .experts = 8, .top = 2, .longest = 1000 };
  const llmenv_model own = llmenv_own_model_make (&inputs.own_model, layers, parts);
  assert_int_equal (llmenv_envelope_make (&own, NULL, &s, &e), LLMENV_OK);
  NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, 1000), 2 * 1000 * (64 + 8) * 2 + 3 * 100 * 2 * (16 + 32) * 2 + 4 * 10 * 4, 0, "K");
  NEAR (e.held, 20e9, 1e-15, "held");
  NEAR (llmenv_envelope_weights (&e, 1), 2 * (3e9 + 6e9 / 4), 1e-15, "one token streams a quarter of the experts");
  NEAR (own.published.kv_bytes, 2 * (2 * 72 + 3 * 96), 0, "k");
  NEAR (own.published.active_params, 5.5e9, 1e-15, "P");
}

/* ---- moved figures -------------------------------------------------------- */

static void
tables_move_with_their_figures (void **state)
{
  (void) state;
  llmenv_catalogue c;
  llmenv_table *a, *b;
  assert_int_equal (llmenv_catalogue_load (&c, &error), LLMENV_OK);
  llmenv_request request = { .catalogue = &c, .options = options };
  assert_int_equal (llmenv_table_make ("dense", &request, &a, &error), LLMENV_OK);
  inputs.points[LLMENV_AT_ctx_8k] = 2 * 8192;
  request.points = inputs.points;
  assert_int_equal (llmenv_table_make ("dense", &request, &b, &error), LLMENV_OK);
  const size_t moved = (size_t) llmenv_table_column (a, "kv_gb_8k"), other = (size_t) llmenv_table_column (a, "kv_gb_32k");
  for (size_t r = 0; r < a->n_rows; r++)
    if (strcmp (llmenv_table_cell (a, r, 0)->text, "llama-3-1-8b") == 0)
      {
        NEAR (llmenv_table_cell (b, r, moved)->number, 2 * llmenv_table_cell (a, r, moved)->number, 1e-15, "twice the context");
        NEAR (llmenv_table_cell (b, r, other)->number, llmenv_table_cell (a, r, other)->number, 0, "the other stays");
      }
  llmenv_table_free (a);
  llmenv_table_free (b);
  llmenv_catalogue_free (&c);
}

int
main (void)
{
  gsl_set_error_handler_off ();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (numbers_go_where_their_names_say, fresh),
    cmocka_unit_test_setup (what_is_no_input_is_refused, fresh),
    cmocka_unit_test_setup (names_to_compare_become_ids, fresh),
    cmocka_unit_test_setup (a_file_sets_one_input_a_line, fresh),
    cmocka_unit_test_setup (the_proposed_model_is_the_record, fresh),
    cmocka_unit_test_setup (dimensions_become_layers, fresh),
    cmocka_unit_test_setup (tables_move_with_their_figures, fresh),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
