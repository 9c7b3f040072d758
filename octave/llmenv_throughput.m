## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{rate} =} llmenv_throughput (@var{model}, @var{card}, @var{B}, @var{L})
## @deftypefnx {} {@var{rate} =} llmenv_throughput (@dots{}, @var{options})
## @deftypefnx {} {[@var{rate}, @var{info}] =} llmenv_throughput (@dots{})
## Tokens per second of the whole batch: the bound that no run of @var{B}
## sequences at @var{L} tokens can exceed.
##
## @example
## @group
## published:  rate = B bandwidth/(W + B k L)
## layered:    rate = B/(time + overhead),
##             time = max (FLOPs/(eta_c peak), bytes/(eta_b bandwidth)),
##             FLOPs = B (2P + A(L)), bytes = W(B) + B T(L)
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}), P the parameters active per token, @var{T}(L)
## the bytes a step reads per sequence, @var{A}(L) the attention FLOP per token,
## k the KV bytes one token adds, eta_c, eta_b and overhead the options of those
## names. With experts touched it is an expectation; the floor of the time takes
## @code{"Basis", "active"}. KV writes are left out. Whether so many sequences
## fit is for @code{llmenv_capacity}.
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
## @item B
## sequences in the batch, 0 or more
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk, Count, ComputeType, BandwidthEfficiency, ComputeEfficiency,
## Overhead. @code{help llmenv_options} explains every option.
## @item rate
## tokens/s in all (divide by @var{B} for one sequence); 0 at B = 0; @code{NaN}
## where a record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{rate})
## @end table
##
## @var{B} and @var{L} broadcast: a row of @var{B} against a column of @var{L}
## gives a grid. A cell of models adds a dimension, the first in which that size
## is 1, and a cell of cards the next such one. Empty input gives empty output;
## integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badSize} (sizes that do not broadcast), @code{llmenv:badValue}
## (a negative element; NaN gives NaN), @code{llmenv:badFile} (a mix that cannot
## be read), @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}, @code{llmenv:badRecord} (a struct that contradicts
## itself).
##
## Source: document 000, its aggregate tokens per second; the compute roof is
## added in @code{layered}.
##
## @example
## @group
## llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192)
## @result{} ans = 208.29
## @end group
## @end example
## @seealso{llmenv_b_50, llmenv_b_knee, llmenv_intensity, llmenv_capacity, llmenv_options}
## @end deftypefn

function varargout = llmenv_throughput (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("throughput", 4, varargin{:});
endfunction

## 15.01 GB and 1 GiB at 3.35 TB/s: 208.3 tokens/s.
%!test
%! rate = llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192);
%! assert (round (10 * rate) / 10, 208.3);
%! assert (rate, 3.35e12 / (2 * 7504924672 + 2^30), -4 * eps);
%!assert (llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192,
%!                           "Convention", "published"),
%!        3.35e12 / (16.06e9 + 2^30), -4 * eps)

## Document 000: two sequences at 4k give 1.82 times one, on any card.
%!test
%! for a = {"nvidia-rtx-4090", "nvidia-h100-sxm"}
%!   rate = llmenv_throughput ("llama-3-1-8b", a{1}, [1, 2], 4096,
%!                             "WeightBytes", 4.9e9, "Convention", "published");
%!   assert (round (100 * rate(2) / rate(1)) / 100, 1.82);
%! endfor

## The compute roof: no cache to speak of, a batch past the ridge.
%!assert (llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 1e4, 0),
%!        989.5e12 / (2 * 7504924672), -1e-14)

## Ganged cards, efficiencies, overhead.
%!test
%! f = @(varargin) llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 4, ...
%!                                    8192, varargin{:});
%! assert (f ("Count", 2), 2 * f (), -4 * eps);
%! assert (f ("BandwidthEfficiency", 0.5), f () / 2, -4 * eps);
%! assert (f ("ComputeEfficiency", 0.9), f ());
%! assert (4 / f ("Overhead", 1e-3), 4 / f () + 1e-3, -1e-13);

## It rises with the batch; the active basis is the floor of the time.
%!test
%! B = 2 .^ (0:10);
%! rate = llmenv_throughput ("deepseek-v3", "nvidia-h100-sxm", B, 4096);
%! assert (all (diff (rate) > 0));
%! floored = llmenv_throughput ("deepseek-v3", "nvidia-h100-sxm", B, 4096,
%!                              "Basis", "active");
%! assert (all (floored >= rate * (1 - 1e-14)));
%!assert (llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 0, 8192), 0)
%!assert (llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", 1, Inf), 0)

## As good as infinite where products overflow, of a mix too.
%!test
%! on = {"gemma-3-27b", "nvidia-h100-sxm"};
%! [v, info] = llmenv_throughput (on{:}, [1; 1e308], [8192, 1e308]);
%! assert (info.reason, {"", ""; "", ""});
%! assert (v, llmenv_throughput (on{:}, [1; Inf], [8192, Inf]));
%! assert (v(2,1) > v(1,1));
%! mix = struct ("lengths", [100, 5000]);
%! v = llmenv_throughput (on{:}, 1e308, mix);
%! assert (v, llmenv_throughput (on{:}, Inf, mix));
%! assert (v, llmenv_throughput (on{:}, 1e12, mix), -1e-6);
%! assert (llmenv_step (on{:}, 1e308, mix).tokens_per_second, v);
%! far = struct ("lengths", [1e308, 1e308], "weights", [0.5, 0.5]);
%! assert (llmenv_intensity (on{1}, 1, far), llmenv_intensity (on{1}, 1, Inf));
%!assert (llmenv_throughput ("o3", "nvidia-h100-sxm", 1, 1), NaN)

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_throughput (llama, h100, NaN, 8192), NaN)
%!assert (llmenv_throughput (llama, h100, 2, NaN), NaN)
%!test
%! v = llmenv_throughput (llama, h100, 2, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_throughput (llama, h100, 2, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_throughput (llama, h100, 2, true),
%!        llmenv_throughput (llama, h100, 2, 1))
%!assert (llmenv_throughput ("Llama 3.1 8B", h100, 2, 8192),
%!        llmenv_throughput (llama, h100, 2, 8192))
%!assert (llmenv_throughput (llmenv_model ("llama-3-1-8b"), h100, 2, 8192),
%!        llmenv_throughput (llama, h100, 2, 8192))
%!assert (llmenv_throughput (llama, "h100 sxm", 2, 8192),
%!        llmenv_throughput (llama, h100, 2, 8192))
%!assert (llmenv_throughput (llama, llmenv_accelerator ("nvidia-h100-sxm"),
%!        2, 8192),
%!        llmenv_throughput (llama, h100, 2, 8192))
%!test
%! v = llmenv_throughput (llama, h100, 2, 8192, "Convention", "published");
%! assert (llmenv_throughput (llama, h100, 2, 8192, "CONVENTION",
%!        "Published"), v);
%! assert (llmenv_throughput (llama, h100, 2, 8192, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_throughput (llama, h100, 2, 8192);
%! assert (info.unit, "tokens/s");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_throughput ()
%!error id=llmenv:badCall  llmenv_throughput (llama)
%!error id=llmenv:badCall  llmenv_throughput (llama, h100, 2, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_throughput (llama, h100, 2, 8192);
%!error <^llmenv_throughput: options are pairs>
%! llmenv_throughput (llama, h100, 2, 8192, "Basis")
%!error id=llmenv:badType  llmenv_throughput (llama, h100, "text", 8192)
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 1 + 2i, 8192)
%!error id=llmenv:badType  llmenv_throughput (llama, h100, sparse (1), 8192)
%!error id=llmenv:badValue llmenv_throughput (llama, h100, -1, 8192)
%!error <B: element 2 is -1, expected 0 or more>
%! llmenv_throughput (llama, h100, [1, -1], 8192)
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 2, "/nowhere")
%!error id=llmenv:badFile  llmenv_throughput (llama, h100, 2, "/dev/null")
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 2, struct ())
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 2, {1})
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 2, 1 + 2i)
%!error id=llmenv:badType  llmenv_throughput (llama, h100, 2, sparse (1))
%!error id=llmenv:badValue llmenv_throughput (llama, h100, 2, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_throughput (llama, h100, 2, [1, -1])
%!error id=llmenv:badType  llmenv_throughput (1, h100, 2, 8192)
%!error id=llmenv:badType  llmenv_throughput ({llama, 1}, h100, 2, 8192)
%!error id=llmenv:unknownModel llmenv_throughput ("lama-3-1-8b", h100, 2, 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_throughput ("lama-3-1-8b", h100, 2, 8192);
%!error id=llmenv:badType  llmenv_throughput (llama, 1, 2, 8192)
%!error id=llmenv:unknownCard llmenv_throughput (llama, "nvidia-h100-smx", 2,
%!        8192)
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_throughput (llama, "nvidia-h100-smx", 2, 8192);
%!error id=llmenv:badSize  llmenv_throughput (llama, h100, [1, 2], [1, 2, 3])
%!error id=llmenv:badOption llmenv_throughput (llama, h100, 2, 8192,
%!        "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_throughput (llama, h100, 2, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_throughput (llama, h100, 2, 8192, "Basis",
%!        "some")
%!error id=llmenv:badOption llmenv_throughput (llama, h100, 2, 8192, "Count",
%!        1.5)
%!error id=llmenv:badOption llmenv_throughput (llama, h100, 2, 8192,
%!        struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_throughput (m, h100, 2, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_throughput (m, h100, 2, 8192);

%!demo
%! ## Tokens per second against batch, and what one sequence sees of them.
%! B = [1, 2, 4, 8, 16, 32];
%! rate = llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", B, 8192);
%! printf ("batch %2d: %6.0f tokens/s in all, %5.1f each\n",
%!         [B; rate; rate ./ B]);
