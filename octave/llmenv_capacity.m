## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{n} =} llmenv_capacity (@var{model}, @var{card}, @var{L})
## @deftypefnx {} {@var{n} =} llmenv_capacity (@dots{}, @var{options})
## @deftypefnx {} {[@var{n}, @var{info}] =} llmenv_capacity (@dots{})
## How many sequences of @var{L} tokens does the card hold beside the weights?
##
## @example
## @group
## published:  n = (memory - W_held - reserve)/(k L)
## layered:    n = (memory u - W_held - reserve)/K(L)
## @end group
## @end example
##
## @noindent
## W_held are all the weights that memory must hold, @var{K}(L) the bytes one
## sequence holds at L tokens, k the KV bytes of one token, u the option
## @code{Utilization}. Memory and @code{Reserve} are as for @code{llmenv_fill}.
## With an @code{Engine} it is the largest whole number of which the allocation
## fits: of a mix, that many times what a sequence takes on average, or slots of
## the longest length where llama.cpp's are alike (@code{help llmenv_options}).
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item card
## a card: an id (@code{"nvidia-h100-sxm"}, see @code{llmenv_accelerators}), a
## name that is not ambiguous, a record as a struct (see
## @code{llmenv_accelerator}), or a cell array of these
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, WeightType, WeightBytes, KVType, KType, VType, StateType, Chunk,
## Engine, Slots, MicroBatch, Unified, Ranks, Padding, Snapshots, LatentCache,
## Memory, Reserve, Utilization, Count. @code{help llmenv_options} explains
## every option.
## @item n
## sequences (not rounded: whole ones are the floor); 0 with reason @qcode{"does
## not fit"} where the weights alone are too large; @code{Inf}
## (@qcode{"unbounded"}) at L = 0 without a state; @code{NaN} where a record is
## silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{n})
## @end table
##
## The result has the size of @var{L}. A cell of models adds a dimension, the
## first in which that size is 1, and a cell of cards the next such one. Empty
## input gives empty output; integers and singles are converted, the result is
## double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badFile} (a mix that cannot be read), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord} (a struct that contradicts itself).
##
## Source: document 000, its capacities.
##
## @example
## @group
## llmenv_capacity ("llama-3-1-8b", "nvidia-h100-sxm", [4096, 32768])
## @result{} ans =
##
##    126.586    15.823
## @end group
## @end example
## @seealso{llmenv_fill, llmenv_b_50, llmenv_b_knee, llmenv_kv_bytes, llmenv_options}
## @end deftypefn

function varargout = llmenv_capacity (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("capacity", 3, varargin{:});
endfunction

## Document 000: 32.8 and 4.1 sequences of an 8B, 2.4 of a 32B, 4 of a 70B.
%!test
%! n = llmenv_capacity ("llama-3-1-8b", "nvidia-rtx-4090", [4096, 32768],
%!                      "WeightBytes", 4.9e9, "Convention", "published");
%! assert (round (10 * n) / 10, [32.8, 4.1]);
%! n = llmenv_capacity ("deepseek-r1-distill-qwen-32b", "nvidia-rtx-4090", 4096,
%!                      "WeightBytes", 19.9e9, "Convention", "published");
%! assert (round (10 * n) / 10, 2.4);
%! n = llmenv_capacity ("llama-3-3-70b", "nvidia-rtx-3090", [4096, 16384],
%!                      "WeightBytes", 40.7e9, "Count", 2, "Convention",
%!                      "published");
%! assert (floor (n), [4, 1]);

## Layered: 81,559 MiB, 16,060,522,496 bytes held, 1 GiB a sequence at 8192.
%!assert (llmenv_capacity ("llama-3-1-8b", "nvidia-h100-sxm", 8192),
%!        (81559 * 2^20 - 2 * 8030261248 - 1.5e9) / 2^30, -4 * eps)

## n sequences fit: K(L) n is the room that fill gives one.
%!test
%! m = {"gpt-oss-20b", "nemotron-h-8b-base-8k", "gemma-3-12b-it"};
%! a = "nvidia-h100-sxm";
%! n = llmenv_capacity (m, a, 8192);
%! room = cellfun (@(x) llmenv_kv_bytes (x, llmenv_fill (x, a)), m');
%! assert (n .* llmenv_kv_bytes (m, 8192), room, -1e-12);
%!test
%! [n, info] = llmenv_capacity ({"llama-3-3-70b", "llama-3-1-8b", "o3"},
%!                              "nvidia-h100-sxm", [0, 1]);
%! assert (n(1,:), [0, 0]);
%! assert (n(2,1), Inf);
%! assert (isnan (n(3,:)), [true, true]);
%! assert (info.reason(:,1), {"does not fit"; "unbounded"; "no record"});
%!test
%! [n, info] = llmenv_capacity ("llama-3-1-8b", "nvidia-h100-sxm", [1e308, Inf]);
%! assert (n, [0, 0]);
%! assert (info.reason, {"does not fit", "does not fit"});

## Engines, of a mix: blocks of 16 of vLLM's pool, 24 a sequence on average;
## alike slots of llama.cpp, of 512 cells; its one stream, 9 a sequence.
%!test
%! mix = struct ("lengths", [1, 17, 300], "weights", [1, 1, 0]);
%! room = 81559 * 2^20 - 2 * 8030261248 - 1.5e9;
%! n = @(L, varargin) llmenv_capacity ("llama-3-1-8b", "nvidia-h100-sxm", L, ...
%!                                     "Engine", varargin{:});
%! assert (n (mix, "vllm"), floor (room / (24 * 2^17)));
%! assert (n (mix, "llama.cpp"), floor (room / (256 * 2^17)));
%! mix.weights(3) = 0.001;
%! assert (n (mix, "llama.cpp"), floor (room / (512 * 2^17)));
%! assert (n (mix, "llama.cpp"), n (300, "llama.cpp"));
%! mix.weights(3) = 0;
%! cells = 256 * floor (room / 2^25);
%! assert (n (mix, "llama.cpp", "Unified", "yes"), floor (cells / 9));

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_capacity (llama, h100, NaN), NaN)
%!test
%! v = llmenv_capacity (llama, h100, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_capacity (llama, h100, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_capacity (llama, h100, true),
%!        llmenv_capacity (llama, h100, 1))
%!assert (llmenv_capacity ("Llama 3.1 8B", h100, 8192),
%!        llmenv_capacity (llama, h100, 8192))
%!assert (llmenv_capacity (llmenv_model ("llama-3-1-8b"), h100, 8192),
%!        llmenv_capacity (llama, h100, 8192))
%!assert (llmenv_capacity (llama, "h100 sxm", 8192),
%!        llmenv_capacity (llama, h100, 8192))
%!assert (llmenv_capacity (llama, llmenv_accelerator ("nvidia-h100-sxm"), 8192),
%!        llmenv_capacity (llama, h100, 8192))
%!test
%! v = llmenv_capacity (llama, h100, 8192, "Convention", "published");
%! assert (llmenv_capacity (llama, h100, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_capacity (llama, h100, 8192, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_capacity (llama, h100, 8192);
%! assert (info.unit, "sequences");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_capacity ()
%!error id=llmenv:badCall  llmenv_capacity (llama)
%!error id=llmenv:badCall  llmenv_capacity (llama, h100, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_capacity (llama, h100, 8192);
%!error <^llmenv_capacity: options are pairs>
%! llmenv_capacity (llama, h100, 8192, "Basis")
%!error id=llmenv:badType  llmenv_capacity (llama, h100, "/nowhere")
%!error <option Contexts: 'x': L is an argument here, give the mix in its place>
%! llmenv_capacity (llama, h100, 8192, "Contexts", "x");
%!error id=llmenv:badOption
%! llmenv_throughput (llama, h100, 1, 8192, "contexts", "/nowhere/at/all");
%!error id=llmenv:badOption
%! llmenv_step (llama, h100, 1, 8192, struct ("Contexts", "/nowhere/at/all"));
%!assert (llmenv_fill (llama, h100, "Contexts", "/nowhere/at/all"),
%!        llmenv_fill (llama, h100))
%!assert (llmenv_kv_context (llama, 1e9, "Contexts", "/nowhere/at/all"),
%!        llmenv_kv_context (llama, 1e9))
%!error id=llmenv:badFile  llmenv_capacity (llama, h100, "/dev/null")
%!error id=llmenv:badType  llmenv_capacity (llama, h100, struct ())
%!error id=llmenv:badType  llmenv_capacity (llama, h100, {1})
%!error id=llmenv:badType  llmenv_capacity (llama, h100, 1 + 2i)
%!error id=llmenv:badType  llmenv_capacity (llama, h100, sparse (1))
%!error id=llmenv:badValue llmenv_capacity (llama, h100, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_capacity (llama, h100, [1, -1])
%!error id=llmenv:badType  llmenv_capacity (1, h100, 8192)
%!error id=llmenv:badType  llmenv_capacity ({llama, 1}, h100, 8192)
%!error id=llmenv:unknownModel llmenv_capacity ("lama-3-1-8b", h100, 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_capacity ("lama-3-1-8b", h100, 8192);
%!error id=llmenv:badType  llmenv_capacity (llama, 1, 8192)
%!error id=llmenv:unknownCard llmenv_capacity (llama, "nvidia-h100-smx", 8192)
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_capacity (llama, "nvidia-h100-smx", 8192);
%!error id=llmenv:badOption llmenv_capacity (llama, h100, 8192, "Bassis",
%!        "active")
%!error <nearest: .*Basis>
%! llmenv_capacity (llama, h100, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_capacity (llama, h100, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_capacity (llama, h100, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_capacity (llama, h100, 8192, struct ("a",
%!        {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_capacity (m, h100, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_capacity (m, h100, 8192);

%!demo
%! ## Sequences at 8k on three cards.
%! a = {"nvidia-rtx-4090"; "nvidia-l40s"; "nvidia-h100-sxm"};
%! n = llmenv_capacity ("llama-3-1-8b", a, 8192);
%! printf ("%-16s %3d sequences\n", [a, num2cell(floor (n))]'{:});
