## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} llmenv_model (@var{model})
## @deftypefnx {} {} llmenv_model (@var{model})
## What is recorded of a model?
##
## @var{model} is an id (see @code{llmenv_models}), a name that is not ambiguous
## (letters and digits count, or whole words of it), a struct, which is checked
## and returned, or a cell array of these, for which @var{m} is a cell array of
## that size. With no output a readable card is printed: key figures in both
## conventions, layers, weights, corrections, provenance.
##
## @var{m} is a struct with the fields of the record file; what is not recorded
## is @code{NaN}, in text fields @qcode{""}. The main ones:
##
## @table @code
## @item params_b, active_params_b
## all parameters and those that compute a token, in units of 1e9
## @item kv_cache_bytes_per_token, gqa_ratio
## KV bytes one token adds at 2 bytes an element; query heads per KV head
## @item num_experts, experts_per_token
## routed experts of a layer, and how many serve a token
## @item layers
## cell of groups: @code{count} equal layers of a @code{kind} (full, window,
## chunk, latent, sparse_latent, shared, recurrent, cross, encoder, none) with
## its sizes; @code{layered} sums over them
## @item weights
## @code{parts}: cell of @code{name}, @code{role}, @code{params}
## @item corrections
## cell of @code{field}, @code{published}, @code{right}, @code{why}
## @end table
##
## Change a field to ask what if; a struct that contradicts itself (layers that
## do not sum to the KV bytes) is refused. A struct of @code{id} and the four
## scalars is enough for a model of your own.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType} (neither text, struct
## nor cell), @code{llmenv:unknownModel} (with the nearest ids),
## @code{llmenv:badRecord} (with the field), @code{llmenv:badFile}.
##
## Source: document 003's records, the models' configuration files, and the
## corrections of its sections 2 and 7.
##
## @example
## @group
## m = llmenv_model ("llama-3-1-8b");
## m.kv_cache_bytes_per_token
## @result{} ans = 131072
## @end group
## @end example
## @seealso{llmenv_models, llmenv_accelerator, llmenv_show}
## @end deftypefn

function m = llmenv_model (model, varargin)
  if (nargin != 1)
    error ("llmenv:badCall", "llmenv_model: usage: llmenv_model (MODEL)");
  endif
  if (iscell (model))
    record = cellfun (@get_record, model, "UniformOutput", false);
  else
    record = get_record (model);
  endif
  if (nargout > 0)
    m = record;
  elseif (iscell (record))
    cellfun (@print_card, record);
  else
    print_card (record);
  endif
endfunction

function m = get_record (model)
  m = __llmenv_gate__ ("llmenv_model", "__llmenv_record__", 2, "model", model);
endfunction

function print_card (m)
  name = m.id;
  if (isfield (m, "name") && ! isempty (m.name))
    name = sprintf ("%s (%s)", m.name, m.id);
  endif
  facts = {"vendor", "vendor", "%s"
           "release_year", "released", "%d"
           "architecture", "architecture", "%s"
           "attention_variant", "attention", "%s"
           "params_b", "parameters", "%.10g x 1e9"
           "active_params_b", "active", "%.10g x 1e9"
           "num_experts", "routed experts", "%d a layer"
           "experts_per_token", "experts a token", "%d"
           "num_layers", "layers", "%d"
           "kv_caching_layer_count", "layers that cache", "%d"
           "max_position_embeddings", "longest context", "%d tokens"
           "weight_format", "weight format", "%s"
           "license", "licence", "%s"
           "hf_repo", "repository", "%s"};
  entries = [__llmenv_facts__(m, facts); key_figures(m); layers(m); parts(m)
             __llmenv_facts__(m)];
  __llmenv_card__ (name, entries);
endfunction

## Figures in both conventions, with the word where there is no number.
function entries = key_figures (m)
  h100 = "nvidia-h100-sxm";
  figures = {"weights a step, B = 1", "weight_bytes", {1}, 1e9, "GB"
             "KV and state at 1", "kv_bytes", {1}, 1024, "KiB"
             "KV and state at 8k", "kv_bytes", {8192}, 1e9, "GB"
             "KV and state at 128k", "kv_bytes", {131072}, 1e9, "GB"
             "context in 24 GB", "kv_context", {24e9}, 1, "tokens"
             "KV = weights at 8k", "b_eq", {8192}, 1, "sequences"
             "wall on an H100 SXM", "l_wall", {h100}, 1, "tokens"
             "ceiling at 8k", "ceiling", {8192}, 1, "FLOP/byte"};
  entries = {"Key figures: layered (published)", ""};
  for k = 1:rows (figures)
    [label, quantity, args, unit, word] = figures{k,:};
    text = cell (1, 2);
    for c = 1:2
      convention = {"layered", "published"}{c};
      [x, info] = __llmenv_call__ (quantity, numel (args) + 1, m, args{:},
                                   "Convention", convention);
      text{c} = info.reason;
      if (isfinite (x))
        text{c} = sprintf ("%.2f", x / unit);
        if (abs (x / unit) >= 1e4)
          text{c} = sprintf ("%.0f", x / unit);
        endif
      endif
    endfor
    entries(end+1,:) = {label, sprintf("%s (%s) %s", text{:}, word)};
  endfor
endfunction

function entries = layers (m)
  entries = cell (0, 2);
  if (! isfield (m, "layers") || isempty (m.layers))
    return;
  endif
  entries = {"Layers", ""};
  for group = as_cells (m.layers)
    g = group{1};
    sizes = {};
    for name = setdiff (fieldnames (g)', {"count", "kind", "mlp"}, "stable")
      value = g.(name{1});
      if (isnumeric (value) && isscalar (value))
        sizes{end+1} = sprintf ("%s %d", name{1}, value);
      elseif (ischar (value))
        sizes{end+1} = sprintf ("%s %s", name{1}, value);
      elseif (isstruct (value) && isfield (value, "recurrent"))
        sizes{end+1} = sprintf ("state of %d elements", value.recurrent);
      endif
    endfor
    text = strjoin (sizes, ", ");
    if (isempty (text))
      text = "no sizes";
    endif
    entries(end+1,:) = {sprintf("%d %s", g.count, g.kind), text};
  endfor
endfunction

function entries = parts (m)
  entries = cell (0, 2);
  if (! isfield (m, "weights") || ! isfield (m.weights, "parts"))
    return;
  endif
  entries = {"Weights", ""};
  for part = as_cells (m.weights.parts)
    p = part{1};
    entries(end+1,:) = {sprintf("%.4f x 1e9", p.params / 1e9),
                        sprintf("%s (%s)", p.name, p.role)};
  endfor
endfunction

function cells = as_cells (list)
  if (isstruct (list))
    list = num2cell (list);
  endif
  cells = list(:)';
endfunction

%!test
%! m = llmenv_model ("llama-3-1-8b");
%! assert (m.id, "llama-3-1-8b");
%! assert (m.params_b, 8.03);
%! assert (m.num_experts, NaN);
%! assert (m.layers{1}.kv_heads, 8);
%! assert (sum (cellfun (@(p) p.params, m.weights.parts)), 8030261248);

## Ids, names, whole words of a name, structs, cells.
%!assert (llmenv_model ("Llama 3.1 8B"), llmenv_model ("llama-3-1-8b"))
%!assert (llmenv_model ("deepseek-v3").id, "deepseek-v3")
%!test
%! m = llmenv_model ({"o3"; "llama-3-1-8b"});
%! assert (size (m), [2, 1]);
%! assert (m{2}, llmenv_model ("llama-3-1-8b"));
%! assert (m{1}.params_b, NaN);
%!assert (llmenv_model ({}), {})

## Every record survives the way through a struct, and so do its figures.
%!test
%! ids = llmenv_models ();
%! m = llmenv_model (ids);
%! for k = 1:numel (ids)
%!   assert (llmenv_model (m{k}), m{k});
%! endfor
%! for convention = {"layered", "published"}
%!   opt = {"Convention", convention{1}};
%!   assert (llmenv_kv_bytes (m, [0, 5000], opt{:}),
%!           llmenv_kv_bytes (ids, [0, 5000], opt{:}));
%!   assert (llmenv_weight_bytes (m, [1, 64], opt{:}),
%!           llmenv_weight_bytes (ids, [1, 64], opt{:}));
%! endfor

## Gemma 4's correction; a model of one's own.
%!test
%! c = llmenv_model ("gemma-4-12b").corrections{1};
%! assert ({c.field, c.published, c.right},
%!         {"kv_cache_bytes_per_token", 178176, 344064});
%!test
%! m = llmenv_model (struct ("id", "mine", "params_b", 1, "extra", "kept"));
%! assert (m.extra, "kept");

## The printed card.
%!test
%! text = evalc ('llmenv_model ("gemma-4-12b")');
%! assert (! isempty (strfind (text, "Gemma 4 12B")));
%! line = 'KV and state at 1 +336\.00 \(174\.00\) KiB';
%! assert (! isempty (regexp (text, line)));
%! assert (! isempty (strfind (text, "published 178176, right 344064")));
%! lines = strsplit (text, "\n");
%! assert (all (cellfun ("numel", lines) <= 80));
%!test
%! text = evalc ('llmenv_model ("o3")');
%! assert (! isempty (strfind (text, "no record (no record) GB")));
%!test # every record has a card
%! ids = llmenv_models ();
%! text = evalc ("llmenv_model (ids)");
%! assert (numel (text) > 1000 * numel (ids));

%!error id=llmenv:badCall      llmenv_model ()
%!error id=llmenv:badCall      llmenv_model ("o3", "extra")
%!error id=llmenv:badType      llmenv_model (1)
%!error id=llmenv:badType      llmenv_model ({"o3", 1})
%!error id=llmenv:unknownModel llmenv_model ("")
%!error id=llmenv:unknownModel llmenv_model ("gemma")
%!error <names .* models; give an id> llmenv_model ("gemma")
%!error <^llmenv_model: no model 'deepseek-v33'; nearest: .*deepseek-v3>
%! llmenv_model ("deepseek-v33");
%!error id=llmenv:badRecord    llmenv_model (struct ("name", "no id"))
%!error <params_b>
%! llmenv_model (struct ("id", "x", "params_b", "8"));
%!error <layers.*kind>
%! llmenv_model (struct ("id", "x", "layers", struct ("count", 2)));

%!demo
%! ## The card of a model, and what if it had twice the KV heads.
%! llmenv_model ("smollm2-1-7b-instruct")
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 16;
%! m.kv_cache_bytes_per_token *= 2;
%! printf ("\n8k tokens: %.1f GiB\n", llmenv_kv_bytes (m, 8192) / 2^30);
