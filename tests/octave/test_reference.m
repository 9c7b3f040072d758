## SPDX-License-Identifier: GPL-3.0-or-later

## The quantities against document 003's printed tables and against figures
## derived from the configuration files, from Octave, all rows.  Skipped where
## LLMENV_SHARED names no folder that holds them.

%!function t = tsv (file)
%!  path = fullfile (getenv ("LLMENV_SHARED"), file);
%!  lines = strsplit (regexprep (fileread (path), '\n$', ""), "\n");
%!  lines = cellfun (@(l) ostrsplit (l, "\t"), lines, "UniformOutput", false);
%!  t = cell2struct (num2cell (vertcat (lines{2:end}), 1), lines{1}, 2);
%!endfunction

## Rows whose cell is a number and not listed as misprinted.
%!function [id, x, decimals] = numbers (table, column)
%!  t = tsv (["reference/" table ".tsv"]);
%!  x = str2double (t.(column));
%!  id = t.(fieldnames (t){1});
%!  wrong = llmenv_table ("misprints").data;
%!  k = strcmp (wrong.table, table) & strcmp (wrong.column, column);
%!  keep = isfinite (x) & ! ismember (id, wrong.row(k));
%!  decimals = cellfun (@(s) numel (regexprep (s, '^[^.]*\.?', "")),
%!                      t.(column)(keep));
%!  id = id(keep);
%!  x = x(keep);
%!endfunction

%!function check (table, column, value, rounding)
%!  [id, x, decimals] = numbers (table, column);
%!  assert (numel (id) > 0);
%!  scale = 10 .^ decimals;
%!  assert (rounding (value (id) .* scale) ./ scale, x, -1e-12);
%!endfunction

%!testif ; isfolder (fullfile (getenv ("LLMENV_SHARED"), "reference"))
%! opt = {"Convention", "published"};
%! a = "nvidia-h100-sxm";
%! for table = {"dense", "moe", "hybrid"}
%!   check (table{1}, "active_weights_gb",
%!          @(m) llmenv_weight_bytes (m, 1, opt{:}) / 1e9, @round);
%!   check (table{1}, "kv_kib_per_tok",
%!          @(m) llmenv_kv_bytes (m, 1, opt{:}) / 1024, @round);
%!   check (table{1}, "kv_gb_8k",
%!          @(m) llmenv_kv_bytes (m, 8192, opt{:}) / 1e9, @round);
%!   check (table{1}, "kv_gb_32k",
%!          @(m) llmenv_kv_bytes (m, 32768, opt{:}) / 1e9, @round);
%!   check (table{1}, "kv_gb_128k",
%!          @(m) llmenv_kv_bytes (m, 131072, opt{:}) / 1e9, @round);
%!   check (table{1}, "kv_gt_1gb_tok",
%!          @(m) llmenv_kv_context (m, 1e9, opt{:}), @floor);
%!   check (table{1}, "kv_gt_24gb_tok",
%!          @(m) llmenv_kv_context (m, 24e9, opt{:}), @floor);
%!   check (table{1}, "kv_gt_80gb_tok",
%!          @(m) llmenv_kv_context (m, 80e9, opt{:}), @floor);
%!   check (table{1}, "b_eq_active", @(m) llmenv_b_eq (m, 1, opt{:}), @floor);
%!   check (table{1}, "l_wall", @(m) llmenv_l_wall (m, a, opt{:}), @floor);
%! endfor

%!testif ; isfolder (fullfile (getenv ("LLMENV_SHARED"), "reference"))
%! opt = {"Convention", "published"};
%! a = "nvidia-h100-sxm";
%! L = [1, 8, 32, 128] * 1024;
%! names = {"1k", "8k", "32k", "128k"};
%! for k = 1:3 # no model has a finite one at 128k
%!   check ("bstar", ["bstar_" names{k}],
%!          @(m) llmenv_b_star (m, a, L(k), opt{:}), @floor);
%! endfor
%! for k = 2:4
%!   check ("lwall_ranked", ["ai_ceiling_" names{k}],
%!          @(m) llmenv_ceiling (m, L(k), opt{:}), @round);
%! endfor
%! check ("lwall_ranked", "l_wall", @(m) llmenv_l_wall (m, a, opt{:}), @floor);
%! check ("beq_ranked", "b_eq_total", ...
%!        @(m) llmenv_b_eq (m, 1, opt{:}, "Basis", "resident"), @floor);
%! check ("beq_resident", "b_eq_resident", ...
%!        @(m) llmenv_b_eq (m, 1, opt{:}, "Basis", "resident"), @floor);
%! check ("ridge", "ridge_flop_per_byte",
%!        @(c) llmenv_ridge (c, opt{:}), @round);

## Layered, of every model whose own or sibling's configuration is at hand:
## cache, state, streamed and routed parameters.
%!testif ; isfolder (fullfile (getenv ("LLMENV_SHARED"), "reference"))
%! map = tsv ("records/config_map.tsv");
%! expected = tsv ("reference/config_expected.tsv");
%! number = @(name, k) str2double (expected.(name){k});
%! n = 0;
%! for i = 1:numel (map.id)
%!   k = find (strcmp (expected.hf_repo, map.config{i}), 1);
%!   if (isempty (k) || ! any (strcmp (map.relation{i}, {"exact", "sibling"})))
%!     continue;
%!   endif
%!   n++;
%!   id = map.id{i};
%!   state = number ("recurrent_state_bytes", k) ...
%!           + number ("conv_state_bytes", k);
%!   for L = [8192, 131072]
%!     held = number (sprintf ("kv_bytes_at_%d", L), k) + state ...
%!            + L * number ("indexer_bytes_per_token", k);
%!     K = llmenv_kv_bytes (id, L);
%!     assert (all (isnan ([K, held])) || abs (K - held) <= 1e-12 * held,
%!             "%s holds %.0f, not %.0f", id, K, held);
%!   endfor
%!   W = llmenv_weight_bytes (id, 1, "Basis", "active", "WeightType", 2) / 2;
%!   streamed = number ("active_less_input_embed", k);
%!   assert (isnan (streamed) || abs (W - streamed) <= 1e-12 * streamed,
%!           "%s streams %.0f, not %.0f", id, W, streamed);
%! endfor
%! assert (n > 20);
