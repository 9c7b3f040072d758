## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} llmenv_report (@var{file})
## @deftypefnx {} {} llmenv_report (@var{file}, @var{inputs})
## @deftypefnx {} {} llmenv_report (@dots{}, @var{options})
## Write the workbook: every table on a sheet, with its assumptions, and a
## contents sheet with links.
##
## @var{file} is the name of the xlsx file. It is written under a temporary name
## beside it and then renamed, so that a failure leaves an older file untouched;
## equal inputs give equal bytes.
##
## @var{options} are name, value pairs in any case or a struct, and apply to
## every table: card, context, types, reserve and so on; see
## @code{help llmenv_options}. Three more are lists that narrow the workbook,
## each a cell of texts or one text with commas (@code{[]} or @qcode{"all"}:
## everything), and two say what else is in it:
##
## @table @code
## @item Models
## ids or names; the model of option Model joins them, and without it the first
## is the one that figures and charts are about
## @item Cards
## the same for cards
## @item Tables
## names of tables (@code{llmenv_table ()} lists them), each in both
## conventions, and @code{models_overview}, @code{cards_overview},
## @code{both_conventions} and @code{charts}
## @item Own
## the path of a model of one's own (see @code{llmenv_import}), or a cell of
## paths: it joins the models
## @item Values
## true: figures alone, no formulas and no sheets to change them with; default
## false
## @end table
##
## @var{inputs} is a struct (or pairs, as options) of what the sheet Inputs of the
## workbook is to start from: a field per option, and beside these
##
## @table @code
## @item ctx_1k, ctx_4k, ctx_8k, ctx_16k, ctx_32k, ctx_128k, ctx_1m
## tokens at which the tables and columns of that name stand
## @item gb_1, gb_8, gb_24, gb_80
## their thresholds, GB of one sequence's cache
## @item batch_1 @dots{} batch_6
## the batches of table @code{scaling}
## @item price
## of one card, per hour
## @item own_peak, own_bandwidth, own_memory
## of the card @code{own-card}: TFLOP/s, GB/s, GB
## @item layers, window_layers, window, q_heads, kv_heads, k_dim, v_dim, rank, rope_dim, recurrent_layers, state_elements, state_bytes, params, lookup_params, expert_params, experts, top, longest
## of the model @code{own-model}, parameters in units of 1e9
## @item model_1 @dots{} model_4, card_1 @dots{} card_4
## what sheet What-if compares
## @end table
##
## @noindent
## Numbers may be text; @code{[]} leaves an input as it is. Where a name is given
## twice, the later one counts.
##
## Claims, misprints and tables as printed are about the documents and stay
## whole. Tables without rows are left out; the contents sheet names them.
##
## Errors: @code{llmenv:badFile} (where it cannot be written, and why),
## @code{llmenv:badCall}, @code{llmenv:badType} (@var{file} is no text, a list
## no cell of texts), @code{llmenv:badOption} (no such option, input or table, a
## value that it does not take, an empty name), @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}, @code{llmenv:badRecord}.
##
## Source: the tables of documents 000 and 003, in both conventions.
##
## @example
## llmenv_report ("envelope.xlsx", "Card", "nvidia-rtx-4090", "KVType", "q8_0")
## llmenv_report ("few.xlsx", "Models", @{"llama-3-1-8b", "deepseek-v3"@},
##                "Tables", "ridge, lwall_ranked, charts")
## in.ctx_32k = 65536;
## in.price = 2.5;
## in.model_1 = "deepseek-v3";
## llmenv_report ("mine.xlsx", in, "KVType", "fp8")
## @end example
## @seealso{llmenv_table, llmenv_show, llmenv_options}
## @end deftypefn

function llmenv_report (varargin)
  lists = {[], [], [], [], false};
  try
    pairs = __llmenv_pairs__ (varargin{2:end});
    names = {"Models", "Cards", "Tables", "Own", "Values"};
    for k = 1:5
      [lists{k}, pairs] = __llmenv_take__ (pairs, names{k}, lists{k});
    endfor
  catch e
    error (e.identifier, "llmenv_report: %s", e.message);
  end_try_catch
  if (nargin == 0)
    error ("llmenv:badCall",
           "llmenv_report: usage: llmenv_report (FILE, OPTION, VALUE, ...)");
  endif
  __llmenv_gate__ ("llmenv_report", "__llmenv_report__", 6, varargin{1},
                   lists{:}, pairs{:});
endfunction

## A zip of some size, the same bytes each time, other bytes for another card.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   a = fullfile (folder, "a.xlsx");
%!   b = fullfile (folder, "b.xlsx");
%!   llmenv_report (a);
%!   llmenv_report (b);
%!   assert (fileread (a)(1:2), "PK");
%!   assert (numel (fileread (a)) > 10000);
%!   assert (isequal (fileread (a), fileread (b)));
%!   llmenv_report (b, "Card", "nvidia-rtx-4090", struct ("KVType", "q8_0"));
%!   assert (! isequal (fileread (a), fileread (b)));
%!   assert (numel (readdir (folder)), 4);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Lists narrow the workbook, in every spelling alike; nothing is left of one
## that is refused.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   a = fullfile (folder, "a.xlsx");
%!   b = fullfile (folder, "b.xlsx");
%!   llmenv_report (a, "Models", {"llama-3-1-8b", "deepseek-v3", "llama-3-1-8b"},
%!                  "Cards", {"nvidia-h100-sxm"}, "Tables", {"dense", "moe"});
%!   llmenv_report (b, "models", "Llama 3.1 8B, deepseek-v3", "cards", "H100 SXM",
%!                  "tables", "Dense,moe", "Card", "nvidia-h100-sxm");
%!   assert (isequal (fileread (a), fileread (b)));
%!   llmenv_report (b, "Models", [], "Cards", "all");
%!   assert (numel (fileread (a)) < numel (fileread (b)) / 4);
%!   llmenv_report (b, struct ("Models", {{"deepseek-v3"}}, "Tables", "dense,moe"));
%!   assert (! isequal (fileread (a), fileread (b)));
%!   unlink (b);
%!   for refused = {{"Models", "lama-3-1-8b"}, {"Cards", {"h1000"}}, ...
%!                  {"Tables", "desne"}, {"Models", {}}, {"Tables", ""}}
%!     fail ("llmenv_report (b, refused{1}{:})");
%!   endfor
%!   assert (numel (readdir (folder)), 3);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

%!function text = make (file, few, varargin)
%!  llmenv_report (file, few{:}, varargin{:});
%!  text = fileread (file);
%!endfunction

## Inputs: the same as pairs, in any order and spelling; those that the workbook
## proposes change nothing, others do, each of them.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! few = {"Models", "llama-3-1-8b, deepseek-v3", "Cards", "nvidia-h20", ...
%!        "Tables", "dense"};
%! file = @(name) fullfile (folder, name);
%! bytes = @(varargin) make (file ("x.xlsx"), few, varargin{:});
%! unwind_protect
%!   plain = bytes ();
%!   assert (bytes (struct ("ctx_8k", 8192, "q_heads", "32", "gb_1", 1,
%!                          "price", [], "batch_1", [])), plain);
%!   in = struct ("KVType", "q8_0", "ctx_8k", 5000, "price", 2.5, "model_2",
%!                "Llama 3.1 8B", "q_heads", 16);
%!   all = bytes (in);
%!   assert (bytes ("q_heads", "16", "PRICE", "2.5", "kv-type", "q8_0", "ctx_8k", "5000",
%!                  struct ("model_2", "llama-3-1-8b")), all);
%!   assert (bytes (struct ("KVType", "q4_0"), in, "price", 9, "Price", 2.5), all);
%!   for field = fieldnames (in)'
%!     assert (! isequal (bytes (rmfield (in, field{1})), all), field{1});
%!   endfor
%!   assert (bytes (in, "Model", "deepseek-v3", "Model", "llama-3-1-8b",
%!                  "values", 0), all);
%!   ## Figures alone: smaller, and the tables stand at the inputs.
%!   values = bytes (in, "Values", true);
%!   assert (numel (values) < numel (all) / 2);
%!   assert (bytes (struct ("Values", true, "KVType", "q8_0", "ctx_8k", 5000)), values);
%!   assert (! isequal (bytes ("Values", true, "KVType", "q8_0"), values));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Models of one's own, beside all or beside those listed.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   record = fullfile (folder, "mine.json");
%!   fid = fopen (record, "w");
%!   fputs (fid, '{"id": "mine", "params_b": 8, "active_params_b": 8,');
%!   fputs (fid, ' "architecture": "dense", "kv_cache_bytes_per_token": 1000}');
%!   fclose (fid);
%!   x = fullfile (folder, "x.xlsx");
%!   on = {"Cards", "nvidia-h20", "Tables", "beq_ranked", "Values", true};
%!   llmenv_report (x, "Models", "qwen3-8b", on{:});
%!   one = fileread (x);
%!   llmenv_report (x, "Models", "qwen3-8b", "Own", record, on{:});
%!   two = fileread (x);
%!   assert (! isequal (one, two));
%!   llmenv_report (x, "Models", {"qwen3-8b", record}, on{:});
%!   assert (fileread (x), two);
%!   llmenv_report (x, "Models", "qwen3-8b", "own", {record}, on{:});
%!   assert (fileread (x), two);
%!   llmenv_report (x, on{:});
%!   all = fileread (x);
%!   llmenv_report (x, "Own", record, on{:});
%!   assert (! isequal (fileread (x), all));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("ctx_8", 8192))
%!error <^llmenv_report: no input 'ctx_8'; nearest: ctx_8k>
%! llmenv_report (tempname (), struct ("ctx_8", 8192));
%!error <^llmenv_report: no input 'q_head'; nearest: q_heads>
%! llmenv_report (tempname (), struct ("q_head", 8192));
%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("price", -1))
%!error <^llmenv_report: ctx_8k: expected a number above 0, found 0>
%! llmenv_report (tempname (), struct ("ctx_8k", 0));
%!error <^llmenv_report: price: expected a number, found 'dear'>
%! llmenv_report (tempname (), struct ("price", "dear"));
%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("price", [1, 2]))
%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("price", {{1}}))
%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("KVType", "q9"))
%!error id=llmenv:badOption    llmenv_report (tempname (), struct ("ctx_8k", {1, 2}))
%!error id=llmenv:unknownModel llmenv_report (tempname (), struct ("model_1", "lama-3-1-8b"))
%!error id=llmenv:unknownCard  llmenv_report (tempname (), struct ("card_4", "h1000"))
%!error id=llmenv:badOption    llmenv_report (tempname (), "Values", 2)
%!error id=llmenv:badOption    llmenv_report (tempname (), "Values", "yes")
%!error id=llmenv:badFile      llmenv_report (tempname (), "Own", "/nowhere/at/all")
%!error <^llmenv_report: option Own: /nowhere/at/all: No such file>
%! llmenv_report (tempname (), "Own", {"/nowhere/at/all"});
%!error id=llmenv:badType      llmenv_report (tempname (), "Own", 3)

%!error id=llmenv:unknownModel llmenv_report (tempname (), "Models", "lama-3-1-8b")
%!error <^llmenv_report: no model 'lama-3-1-8b'; nearest: llama-3-1-8b>
%! llmenv_report (tempname (), "Models", {"qwen3-8b", "lama-3-1-8b"});
%!error id=llmenv:unknownCard  llmenv_report (tempname (), "Cards", {"nvidia-h100-sxn"})
%!error id=llmenv:badOption    llmenv_report (tempname (), "Models", "a,,b")
%!error <option Cards: an empty list> llmenv_report (tempname (), "Cards", {})
%!error <no table 'desne'; nearest: dense> llmenv_report (tempname (), "Tables", "desne")
%!error id=llmenv:badOption    llmenv_report (tempname (), "Tables", {"dense", "desne"})
%!error id=llmenv:badType      llmenv_report (tempname (), "Tables", 3)
%!error id=llmenv:badType      llmenv_report (tempname (), "Models", {"qwen3-8b", 3})
%!error id=llmenv:badFile      llmenv_report (tempname (), "Contexts", "/nowhere/at/all")

%!error id=llmenv:badCall   llmenv_report ()
%!error id=llmenv:badType   llmenv_report (1)
%!error id=llmenv:badFile   llmenv_report ("/nowhere/at/all.xlsx")
%!error <^llmenv_report: .*/nowhere/at/all.xlsx>
%! llmenv_report ("/nowhere/at/all.xlsx");
%!error id=llmenv:badOption llmenv_report (tempname (), "Colour", 1)
%!error id=llmenv:badCall   llmenv_report (tempname (), "Card")

%!demo
%! ## The workbook for a consumer card.
%! file = [tempname() ".xlsx"];
%! llmenv_report (file, "Card", "nvidia-rtx-4090");
%! printf ("%d bytes in a workbook\n", stat (file).size);
%! delete (file);
