## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} llmenv_n_star (@var{model}, @var{card})
## @deftypefnx {} {@var{L} =} llmenv_n_star (@dots{}, @var{options})
## @deftypefnx {} {[@var{L}, @var{info}] =} llmenv_n_star (@dots{})
## Document 000's n*: the context at which the batch that reaches the ridge goes
## to infinity.
##
## @example
## @group
## published:  L = W/(R k)
## layered:    llmenv_l_wall
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}), R the ridge of the card (@code{llmenv_ridge})
## and k the KV bytes one token adds. Document 000 writes W where the FLOP of a
## token belong, which is right for weights of two bytes alone: storage in 4
## bits saves bytes, not arithmetic. @code{layered} therefore answers with the
## wall.
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
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk, ComputeType, BandwidthEfficiency, ComputeEfficiency.
## @code{help llmenv_options} explains every option.
## @item L
## tokens (not rounded); @code{Inf} (@qcode{"never"}) where there is none;
## @code{NaN} where a record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{L})
## @end table
##
## A cell of models gives a column; a cell of cards beside it goes along the
## second dimension, alone along the first. Empty input gives empty output;
## integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not a record), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord} (a struct that contradicts itself).
##
## Source: document 000, the second of its lengths.
##
## @example
## @group
## m = "llama-3-1-8b";
## opt = struct ("WeightBytes", 4.9e9, "Convention", "published");
## llmenv_n_star (m, "nvidia-rtx-4090", opt)
## @result{} ans = 228.11
## @end group
## @group
## m = "llama-3-1-8b";
## llmenv_n_star (m, "nvidia-rtx-4090", "WeightBytes", 4.9e9)
## @result{} ans = 716.22
## @end group
## @end example
## @seealso{llmenv_l_wall, llmenv_n_cross, llmenv_n_prefill, llmenv_fill, llmenv_options}
## @end deftypefn

function varargout = llmenv_n_star (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("n_star", 2, varargin{:});
endfunction

## Document 000: 228, 748 and 1,633 tokens.
%!test
%! n = @(varargin) round (llmenv_n_star (varargin{:}, "Convention", ...
%!                                       "published"));
%! assert (n ("llama-3-1-8b", "nvidia-rtx-4090", "WeightBytes", 4.9e9), 228);
%! assert (n ("llama-3-1-8b", "nvidia-rtx-4090"), 748);
%! assert (n ("llama-3-3-70b", "nvidia-rtx-3090", "Count", 2, "WeightBytes",
%!            40.7e9), 1633);

## The right numbers behind its 228: 716, or 766 with the embedding streamed.
%!assert (round (llmenv_n_star ("llama-3-1-8b", "nvidia-rtx-4090",
%!                              "WeightBytes", 4.9e9)), 716)
%!assert (round (llmenv_n_star ("llama-3-1-8b", "nvidia-rtx-4090",
%!                              "WeightBytes", 4.9e9, "Embedding",
%!                              "streamed")), 766)

## Identities: n_cross = R n_star; layered is the wall; a 3090 forgives more.
%!test
%! m = {"llama-3-1-8b", "deepseek-v3", "kimi-k2", "gemma-4-31b"};
%! n = llmenv_n_star (m, "nvidia-l40s", "Convention", "published");
%! R = llmenv_ridge ("nvidia-l40s", "Convention", "published");
%! assert (R * n, llmenv_n_cross (m, "Convention", "published"), -4 * eps);
%! assert (llmenv_n_star (m, "nvidia-l40s"), llmenv_l_wall (m, "nvidia-l40s"));
%!test
%! n = llmenv_n_star ("llama-3-1-8b", {"nvidia-rtx-3090", "nvidia-rtx-4090"},
%!                    "Convention", "published");
%! assert (n(1) > n(2));
%!assert (llmenv_n_star ("o3", "nvidia-l40s"), NaN)

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_n_star ("Llama 3.1 8B", h100),
%!        llmenv_n_star (llama, h100))
%!assert (llmenv_n_star (llmenv_model ("llama-3-1-8b"), h100),
%!        llmenv_n_star (llama, h100))
%!assert (llmenv_n_star (llama, "h100 sxm"),
%!        llmenv_n_star (llama, h100))
%!assert (llmenv_n_star (llama, llmenv_accelerator ("nvidia-h100-sxm")),
%!        llmenv_n_star (llama, h100))
%!test
%! v = llmenv_n_star (llama, h100, "Convention", "published");
%! assert (llmenv_n_star (llama, h100, "CONVENTION", "Published"), v);
%! assert (llmenv_n_star (llama, h100, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_n_star (llama, h100);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_n_star ()
%!error id=llmenv:badCall  llmenv_n_star (llama)
%!error id=llmenv:badCall  llmenv_n_star (llama, h100, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_n_star (llama, h100);
%!error <^llmenv_n_star: options are pairs>
%! llmenv_n_star (llama, h100, "Basis")
%!error id=llmenv:badType  llmenv_n_star (1, h100)
%!error id=llmenv:badType  llmenv_n_star ({llama, 1}, h100)
%!error id=llmenv:unknownModel llmenv_n_star ("lama-3-1-8b", h100)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_n_star ("lama-3-1-8b", h100);
%!error id=llmenv:badType  llmenv_n_star (llama, 1)
%!error id=llmenv:unknownCard llmenv_n_star (llama, "nvidia-h100-smx")
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_n_star (llama, "nvidia-h100-smx");
%!error id=llmenv:badOption llmenv_n_star (llama, h100, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_n_star (llama, h100, "Bassis", "active");
%!error id=llmenv:badOption llmenv_n_star (llama, h100, "Basis", "some")
%!error id=llmenv:badOption llmenv_n_star (llama, h100, "Count", 1.5)
%!error id=llmenv:badOption llmenv_n_star (llama, h100, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_star (m, h100);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_star (m, h100);

%!demo
%! ## Quantised weights do not move the wall; document 000's formula says so.
%! for type = {"bf16", "q8_0", "Q4_K_M"}
%!   opt = {"WeightType", type{1}};
%!   printf ("%-7s published %4.0f, layered %4.0f tokens\n", type{1},
%!           llmenv_n_star ("llama-3-1-8b", "nvidia-rtx-4090", opt{:},
%!                          "Convention", "published"),
%!           llmenv_n_star ("llama-3-1-8b", "nvidia-rtx-4090", opt{:}));
%! endfor
