## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} llmenv_options ()
## @deftypefnx {} {} llmenv_options ()
## Which options do the functions take?
##
## Options are the same everywhere: pairs of a name (in any case, or as in the
## command: @code{kv-type}) and a value, or a scalar struct with a field per
## option, or both, the later one counting. An option that a quantity does not
## need changes nothing; only Contexts is refused where L is an argument, since
## the mix goes in its place. The table @var{t} lists them with the spelling of the
## command, what they accept and what they do; with no output it is printed.
##
## What is computed:
##
## @table @code
## @item Convention
## @qcode{"layered"} (default): exact sums over layers, right values;
## @qcode{"published"}: the documents' closed formulas on the values that their
## tables use
## @item Basis
## weights a step streams: @qcode{"active"} (default in published), per token;
## @qcode{"touched"} (default in layered), by a batch of B; @qcode{"resident"},
## everything that can be streamed
## @item Embedding
## @qcode{"lookup"} (default): an untied input embedding is held, not streamed;
## @qcode{"streamed"}
## @item Chunk
## read beyond a chunk of w tokens: @qcode{"bound"} (default), all w, or
## @qcode{"mean"}, (w + 1)/2
## @end table
##
## How things are stored; types are names (@code{llmenv_table ("types")}) or
## bytes an element, block scales included:
##
## @table @code
## @item WeightType
## all weights, also a file mix such as @qcode{"Q4_K_M"}; default the released
## format part by part, in published bf16
## @item WeightBytes
## exact bytes of the whole model, spread over its parts by parameters
## @item KVType, KType, VType
## K and V cache together, K (also latent and indexer caches) alone, V alone;
## default bf16
## @item StateType
## recurrent state and convolution columns; default the record's
## @end table
##
## The card:
##
## @table @code
## @item ComputeType
## arithmetic that chooses the peak: bf16 (default), fp16, fp8, fp6, fp4, int8,
## int4, tf32, fp32, fp64
## @item BandwidthEfficiency, ComputeEfficiency
## share of the peak that is reached, above 0 and up to 1; default 1
## @item Count
## cards ganged: bandwidth, peak and memory add; default 1
## @item Memory
## bytes of one card; default the record's
## @item Reserve
## bytes kept free, once per gang; default 1.5e9
## @item Utilization
## share of memory that may be used, above 0 and up to 1; default 1
## @item Overhead
## seconds added to each step; default 0
## @end table
##
## What an engine really allocates for a context, for kv_bytes, kv_context, fill
## and capacity:
##
## @table @code
## @item Engine
## @qcode{"ideal"} (default), @qcode{"llama.cpp"}, @qcode{"vllm"} or
## @qcode{"sglang"}
## @item Slots
## sequences that share the context the engine is given; default 1
## @item MicroBatch
## tokens computed at once, for which a window cache has room; default the
## engine's
## @item Unified
## llama.cpp: whether the slots share one stream, @qcode{"no"} (default) or
## @qcode{"yes"}
## @item Ranks
## vLLM and SGLang: tensor-parallel ranks; default 1
## @item Padding
## cells come in multiples of it; default the engine's
## @item Snapshots
## rollback copies of recurrent state; default 0
## @item LatentCache
## how latent attention is kept: @qcode{"latent"} (default), @qcode{"latent+v"},
## @qcode{"expanded"}
## @end table
##
## @noindent
## Of a mix of contexts, a sequence takes from the pool of vLLM, of SGLang and of
## a unified llama.cpp what it needs on average; the slots of llama.cpp are alike,
## so that each holds the longest length of the mix.
##
## Where a table or report needs them (elsewhere they are arguments):
##
## @table @code
## @item Model
## default @qcode{"llama-3-1-8b"}
## @item Card
## default @qcode{"nvidia-h100-sxm"}
## @item Context
## tokens of each sequence, default 8192; as text also @qcode{"32k"}
## @item Contexts
## name of a file with a length, or a length and its weight, on each line: a mix
## in the place of one context; default none
## @item Batch
## sequences, default 1
## @end table
##
## @code{llmenv_table} takes @code{AsPrinted} besides, @code{llmenv_rank}
## @code{Direction}. Errors: @code{llmenv:badOption} for an unknown name (with
## the nearest ones) or a value that is not accepted (with what is),
## @code{llmenv:badCall} for a name without a value.
##
## @example
## @group
## t = llmenv_options ();
## any (strcmp (t.data.option, "KVType"))
## @result{} ans = 1
## @end group
## @group
## opt = struct ("KVType", "q8_0", "Convention", "published");
## llmenv_kv_bytes ("llama-3-1-8b", 1, opt)
## @result{} ans = 69632
## @end group
## @end example
## @seealso{llmenv_table, llmenv_kv_bytes, llmenv_throughput}
## @end deftypefn

function t = llmenv_options (varargin)
  [table, text] = __llmenv_table_call__ ("llmenv_options", "table", "options",
                                         {}, varargin{:});
  if (nargout == 0)
    puts (text);
  else
    t = table;
  endif
endfunction

## Every option of the core is explained above, and no other.
%!test
%! t = llmenv_options ();
%! [text, format] = get_help_text ("llmenv_options");
%! items = regexp (text, '(?<=@item )[^\n]+', "match");
%! named = strsplit (strjoin (items, ", "), ", ");
%! assert (sort (named(:)), sort (t.data.option));

## Names in any case and spelling, structs, both; the later one counts.
%!test
%! want = 131072 * 34 / 64;
%! m = "llama-3-1-8b";
%! s = struct ("kvtype", "q8_0");
%! assert (llmenv_kv_bytes (m, 1, "KVType", "q8_0"), want);
%! assert (llmenv_kv_bytes (m, 1, "kv-type", "Q8_0"), want);
%! assert (llmenv_kv_bytes (m, 1, s), want);
%! assert (llmenv_kv_bytes (m, 1, "Chunk", "mean", s), want);
%! assert (llmenv_kv_bytes (m, 1, s, "Chunk", "mean"), want);
%! assert (llmenv_kv_bytes (m, 1, struct ()), 131072);
%! assert (llmenv_kv_bytes (m, 1, "KVType", "q4_0", s), want);
%! assert (llmenv_kv_bytes (m, 1, s, "KVType", 2), 131072);

## Every option takes its default.
%!test
%! m = "llama-3-1-8b";
%! a = "nvidia-h100-sxm";
%! f = @(varargin) [llmenv_throughput(m, a, 8, 8192, varargin{:}), ...
%!                  llmenv_capacity(m, a, 8192, varargin{:})];
%! defaults = {"Convention", "layered", "Basis", "touched", ...
%!             "Embedding", "lookup", "Chunk", "bound", ...
%!             "WeightType", "bf16", "KVType", "bf16", "KType", 2, ...
%!             "VType", "fp16", ...
%!             "StateType", "bf16", "ComputeType", "bf16", ...
%!             "BandwidthEfficiency", 1, "ComputeEfficiency", 1, "Count", 1, ...
%!             "Memory", 81559 * 2^20, "Reserve", 1.5e9, "Utilization", 1, ...
%!             "Overhead", 0, "Model", m, "Card", a, "Context", "8k", ...
%!             "Batch", 1, "WeightBytes", 2 * 8030261248};
%! engine = {"Engine", "ideal", "Slots", 1, "MicroBatch", 512, ...
%!           "Unified", "no", "Ranks", 1, "Padding", 256, "Snapshots", 0, ...
%!           "LatentCache", "latent"};
%! defaults = [defaults, engine];
%! t = llmenv_options (); # of a mix there is no default to give
%! assert (sort ([defaults(1:2:end)'; {"Contexts"}]), sort (t.data.option));
%! for k = 1:2:numel (defaults)
%!   assert (f (defaults{k:k+1}), f (), -4 * eps);
%! endfor

%!assert (! isempty (strfind (evalc ("llmenv_options ();"), "KVType")))
%!shared m
%! m = "llama-3-1-8b";
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "KVType", "q9")
%!error <nearest: .*q8_0>   llmenv_kv_bytes (m, 1, "KVType", "q9_0")
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "KVType", -1)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "KVType", [1, 2])
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "KVType", {})
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Basis", 1)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Count", 0)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Reserve", -1)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Utilization", 2)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Memory", NaN)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "Overhead", Inf)
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "ComputeType", "bf17")
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, "WeightType", "Q4_K_XL")
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, struct ("x", 1))
%!error id=llmenv:badOption llmenv_kv_bytes (m, 1, repmat (struct ("x", 1), 2))
%!error id=llmenv:badType   llmenv_kv_bytes (m, 1, 7, 8)
%!error id=llmenv:badCall   llmenv_kv_bytes (m, 1, struct (), "KVType")

%!demo
%! ## What the KV options do to a sequence of 32k tokens.
%! m = "llama-3-1-8b";
%! opt = {{}, {"KVType", "fp8"}, {"KType", "q8_0", "VType", "q4_0"}};
%! for k = 1:3
%!   GiB = llmenv_kv_bytes (m, 32768, opt{k}{:}) / 2^30;
%!   printf ("%-30s %5.2f GiB\n", strjoin (opt{k}, " "), GiB);
%! endfor
