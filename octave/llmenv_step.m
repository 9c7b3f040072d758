## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} llmenv_step (@var{model}, @var{card}, @var{B}, @var{L})
## @deftypefnx {} {@var{s} =} llmenv_step (@dots{}, @var{options})
## What does one decode step of @var{B} sequences of @var{L} tokens compute and
## stream, how long does it take at least, and what binds?
##
## @example
## @group
## FLOPs = B (2P + A(L))
## bytes = W(B) + B T(L)
## time  = max (FLOPs/peak, bytes/bandwidth) + overhead
## @end group
## @end example
##
## @noindent
## P are the parameters active per token, A(L) the attention FLOP of a token,
## W(B) the weight bytes that the batch streams, T(L) the cache and state bytes
## that one sequence reads. In the published convention the time is that of the
## bytes alone, as in document 000.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous, a record as a struct, or a cell array of these
## @item card
## a card: likewise, see @code{llmenv_accelerators}
## @item B
## sequences, 0 or more
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs or one struct; @code{help llmenv_options} explains them
## @item s
## struct with the fields @code{flops} (FLOP), @code{weight_bytes},
## @code{kv_bytes}, @code{state_bytes} and their sum @code{bytes} (bytes),
## @code{intensity} (FLOP/byte), @code{compute_seconds}, @code{memory_seconds}
## and @code{seconds} (seconds), @code{tokens_per_second} (of the batch),
## @code{tokens_per_second_each} (of one sequence), and @code{limit}: what binds,
## @qcode{"weights"}, @qcode{"KV"}, @qcode{"state"}, @qcode{"compute"} or
## @qcode{"no record"} (text, or a cell of the size of the others)
## @end table
##
## @var{B} and @var{L} broadcast: a row of @var{B} against a column of @var{L}
## gives a grid. A cell of models adds a dimension, the first in which that size
## is 1, and a cell of cards the next such one.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType}, @code{llmenv:badSize},
## @code{llmenv:badValue}, @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}, @code{llmenv:badRecord}, @code{llmenv:badFile} (a
## mix that cannot be read).
##
## Source: spec section 2; documents 000 and 003.
##
## @example
## @group
## s = llmenv_step ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192);
## [s.limit, sprintf(" bind, %.1f tokens/s", s.tokens_per_second)]
## @result{} ans = weights bind, 208.3 tokens/s
## @end group
## @end example
## @seealso{llmenv_throughput, llmenv_intensity, llmenv_weight_bytes, llmenv_kv_bytes, llmenv_options}
## @end deftypefn

function s = llmenv_step (varargin)
  s = __llmenv_gate__ ("llmenv_step", "__llmenv_step__", 4, varargin{:});
endfunction

## Llama-3.1-8B: 7,504,924,672 parameters compute a token, 1 GiB of KV at 8,192.
%!test
%! s = llmenv_step ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192);
%! assert (s.weight_bytes, 2 * 7504924672);
%! assert (s.kv_bytes, 2^30);
%! assert (s.state_bytes, 0);
%! assert (s.flops, 2 * 7504924672 + 2 * 8192 * 32 * 32 * 256);
%! assert (s.seconds, (2 * 7504924672 + 2^30) / 3.35e12, -1e-14);
%! assert (s.tokens_per_second, 208.3, 0.05);
%! assert (s.limit, "weights");

## The parts add up, and agree with the functions that give them alone.
%!test
%! m = {"deepseek-v3", "nemotron-h-8b-base-8k"};
%! a = {"nvidia-h100-sxm", "nvidia-h20"};
%! s = llmenv_step (m, a, [1, 64], [128; 8192; 65536]);
%! assert (size (s.bytes), [3, 2, 2, 2]);
%! assert (s.weight_bytes + s.kv_bytes + s.state_bytes, s.bytes, -1e-14);
%! assert (s.flops ./ s.bytes, s.intensity, -1e-14);
%! assert (max (s.compute_seconds, s.memory_seconds), s.seconds, -1e-14);
%! assert (llmenv_throughput (m, a, [1, 64], [128; 8192; 65536]),
%!         s.tokens_per_second);
%! assert (squeeze (s.weight_bytes(1,:,1,1)),
%!         llmenv_weight_bytes ("deepseek-v3", [1, 64]));

## What binds: weights, then KV, and on a card of little arithmetic compute.
%!test
%! s = llmenv_step ("llama-3-1-8b", "nvidia-h100-sxm", [1, 64], 8192);
%! assert (s.limit, {"weights", "KV"});
%! s = llmenv_step ("llama-3-1-8b", "nvidia-h20", 256, 16);
%! assert (s.limit, "compute");
%! s = llmenv_step ("mamba-codestral-7b", "nvidia-h100-sxm", 512, 16);
%! assert (s.limit, "state");
%! s = llmenv_step ("gpt-4-1", "nvidia-h100-sxm", 1, 16);
%! assert (s.limit, "no record");
%! assert (s.tokens_per_second, NaN);
%!assert (isempty (llmenv_step ("llama-3-1-8b", "h100 sxm", [], 1).bytes))
%!assert (llmenv_step ("llama-3-1-8b", "h100 sxm", 2, 1, "Overhead", 1).seconds
%!        - llmenv_step ("llama-3-1-8b", "h100 sxm", 2, 1).seconds, 1, 1e-9)
## A mix: 10 layers read all, 52 read 1,024, of 16 heads of 128; on average
## (3 x 62 x 512 + 10 x 8192 + 52 x 1024) / 4 = 57,600 tokens of a layer.
%!test
%! mix = struct ("lengths", [512, 8192], "weights", [3, 1]);
%! s = llmenv_step ("gemma-3-27b", "nvidia-h100-sxm", 2, mix);
%! assert (s.kv_bytes, 2 * 57600 * 2 * 16 * 128 * 2);
%! assert (s.tokens_per_second,
%!         llmenv_throughput ("gemma-3-27b", "nvidia-h100-sxm", 2, mix));

%!error id=llmenv:badFile llmenv_step ("llama-3-1-8b", "h100 sxm", 1, "/dev/null")
%!error id=llmenv:badCall llmenv_step ("llama-3-1-8b", "h100 sxm", 1)
%!error id=llmenv:badValue llmenv_step ("llama-3-1-8b", "h100 sxm", -1, 1)
%!error id=llmenv:badSize llmenv_step ("llama-3-1-8b", "h100 sxm", [1, 2], [1, 2, 3])
%!error id=llmenv:badType llmenv_step ("llama-3-1-8b", "h100 sxm", 1i, 1)
%!error id=llmenv:badOption llmenv_step ("llama-3-1-8b", "h100 sxm", 1, 1, "Foo", 1)
%!error <nearest: llama-3-1-8b> llmenv_step ("lama-3-1-8b", "h100 sxm", 1, 1)
%!error id=llmenv:unknownCard llmenv_step ("llama-3-1-8b", "h1000", 1, 1)

%!demo
%! B = [1, 4, 16, 64];
%! s = llmenv_step ("llama-3-1-8b", "nvidia-h100-sxm", B, 8192);
%! for k = 1:numel (B)
%!   printf ("batch %3d: %6.2f GB, %5.2f ms, %7.1f tokens/s, limit %s\n", B(k),
%!           s.bytes(k) / 1e9, 1e3 * s.seconds(k), s.tokens_per_second(k),
%!           s.limit{k});
%! endfor
