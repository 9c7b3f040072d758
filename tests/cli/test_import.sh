#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: test_import.sh [COMMAND]     (default build/llmenv)
# Models of one's own from the command line: import and --save, paths in the
# place of models, audit with its exit status, report --own, hostile paths.
# Every file is written here.
set -u
export LC_ALL=C
llmenv=${1:-build/llmenv}
[ -x "$llmenv" ] || { echo "no command at $llmenv" >&2; exit 2; }
llmenv=$(cd "$(dirname "$llmenv")" && pwd)/$(basename "$llmenv")
python=/usr/bin/python3
dir=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
unset LLMENV_DATA
export XDG_DATA_HOME=$dir/xdg HOME=$dir/home
out=$dir/out err=$dir/err
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fault() {
  failed=$((failed + 1))
  echo "FAIL: $*" >&2
}

# call STATUS ARGUMENT...: run; the exit status must be STATUS.
call() {
  want=$1
  shift
  timeout 60 "$llmenv" "$@" >"$out" 2>"$err"
  status=$?
  if [ $status -eq "$want" ]; then
    pass
  else
    fault "$* : status $status, wanted $want; $(head -c 300 "$err")"
  fi
}

# says PATTERN / notes PATTERN: standard output / error of the last call.
says() { if grep -q -- "$1" "$out"; then pass; else fault "no '$1' in the output"; fi; }
notes() { if grep -q -- "$1" "$err"; then pass; else fault "no '$1' in '$(head -c 300 "$err")'"; fi; }

# bad PATTERN ARGUMENT...: exit 2, nothing on standard output, one line.
bad() {
  pattern=$1
  shift
  call 2 "$@"
  if [ "$(wc -l <"$err")" -eq 1 ] && [ ! -s "$out" ] && [ "$(wc -c <"$err")" -lt 1000 ] \
     && grep -aq '^llmenv: ' "$err" && grep -aq -- "$pattern" "$err"; then
    pass
  else
    fault "$* : not one line with '$pattern': '$(head -c 300 "$err")'"
  fi
}

# is A B WHAT
is() { if [ "$1" = "$2" ]; then pass; else fault "$3: '$1', wanted '$2'"; fi; }

# json EXPRESSION: of the last output, as `d`.
json() { $python -c "import json, sys; d = json.load(open('$out')); print($1)" 2>&1; }

# ---- files --------------------------------------------------------------------

mkdir -p "$dir/My-Model-1B" "$dir/home"
config=$dir/My-Model-1B/config.json
cat >"$config" <<'END'
{"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4,
 "num_attention_heads": 8, "num_key_value_heads": 2, "intermediate_size": 1024,
 "vocab_size": 1000, "max_position_embeddings": 4096,
 "tie_word_embeddings": false, "torch_dtype": "bfloat16"}
END
# 4 layers x 2 heads x 64 x (K, V) x 2 bytes
kv=2048

# ---- import --------------------------------------------------------------------

call 0 import "$config"
says 'My-Model-1B (my-model-1b)'
says '4 full, 8 query heads, 2 KV heads of 64'
says "KV, one token  *$kv bytes"
says "at 8k tokens  *$((8192 * kv)) bytes"
says 'shared .*bf16 .*attention'
attention=$((4 * 512 * (8 + 2 + 2 + 8) * 64))
says "$attention"
says "$((attention + 4 * 3 * 512 * 1024 + 4 * 2 * 512 + 512 + 2 * 1000 * 512))  parameters"

call 0 import "$dir/My-Model-1B" --json
is "$(json 'd["id"], d["kv_cache_bytes_per_token"], d["gqa_ratio"]')" "my-model-1b $kv 4" 'imported record'
cp "$out" "$dir/record.json"
call 0 import "$dir/record.json" --json
if cmp -s "$out" "$dir/record.json"; then pass; else fault 'a record is not imported unchanged'; fi
sed 's/"llama"/"nobody-knows"/' "$config" >"$dir/unknown.json"
call 0 import "$dir/unknown.json"
notes '^llmenv: note: '
is "$(grep -vc '^llmenv: note: ' "$err")" 0 'lines on standard error that are no notes'

# ---- paths in the place of models ------------------------------------------------

call 0 show "$config" nvidia-l40s
says 'My-Model-1B'
call 0 show "$dir/My-Model-1B" nvidia-l40s --json
is "$(json '[r["value"] for r in d["rows"] if r["quantity"] == "kv_bytes"][0]')" $((8192 * kv)) 'kv_bytes of a path'
is "$(json 'd["model"]')" my-model-1b 'the model shown'
cd "$dir" || exit 2
call 0 show My-Model-1B/config.json nvidia-l40s --json
is "$(json 'd["model"]')" my-model-1b 'a relative path'
cd "$OLDPWD" || exit 2
call 0 rank fill --model "$config" --csv
says '^1,.*,'
call 0 table models --model "$config" --csv
says '^my-model-1b,'
call 0 rank kv_bytes --own "$config" --csv
says ',my-model-1b,16777216,'
call 0 sweep kv_bytes --models "$config,llama-3-1-8b" --vary context=1,2 --csv
says my-model-1b
says llama-3-1-8b
call 0 solve kv_bytes 4096 --models "$config" --vary context --from 1 --to 10 --csv
says my-model-1b
# An id that is taken is not taken over.
sed 's/"my-model-1b"/"llama-3-1-8b"/' "$dir/record.json" >"$dir/taken.json"
call 0 rank kv_bytes --own "$dir/taken.json" --csv
says ',llama-3-1-8b-own,16777216,'
says ',llama-3-1-8b,1073741824,'

# ---- report --own ------------------------------------------------------------------

call 0 report "$dir/own.xlsx" --own "$config" --own="$dir/taken.json"
if $python - "$dir/own.xlsx" <<'END'
import sys, zipfile
text = zipfile.ZipFile(sys.argv[1]).read("xl/sharedStrings.xml").decode()
sys.exit(not ("my-model-1b" in text and "llama-3-1-8b-own" in text))
END
then pass; else fault 'the workbook lacks a model of --own'; fi
nine=()
for i in 1 2 3 4 5 6 7 8 9; do nine+=(--own "$config"); done
bad 'at most 8' models "${nine[@]}"
bad 'No such file' models --own nowhere
bad 'no such file' show ./nowhere.gguf

# ---- import --save -----------------------------------------------------------------

call 0 import "$config" --save
notes "saved as my-model-1b in $XDG_DATA_HOME/llmenv/models/my-model-1b.json"
call 0 show my-model-1b nvidia-l40s --json
is "$(json '[r["value"] for r in d["rows"] if r["quantity"] == "kv_bytes"][0]')" $((8192 * kv)) 'the saved record'
call 0 models --csv
says '^my-model-1b,'
says '^llama-3-1-8b,'
# Again: replaced, nothing else left behind.
call 0 import "$config" --save --json
is "$(json 'd["id"]')" my-model-1b 'saved twice'
is "$(ls -A "$XDG_DATA_HOME/llmenv/models")" my-model-1b.json 'the folder of saved records'
# A shipped id is not hidden.
call 0 import "$dir/taken.json" --save
notes 'saved as llama-3-1-8b-own in '
call 0 show llama-3-1-8b nvidia-l40s --json
is "$(json '[r["value"] for r in d["rows"] if r["quantity"] == "kv_bytes"][0]')" 1073741824 'the shipped record'
# LLMENV_DATA comes first; a folder that is not there is named.
export LLMENV_DATA=$dir/mine/deep::$dir/other:
bad "LLMENV_DATA: $dir/mine/deep: no such folder" import "$dir/unknown.json" --save
bad "LLMENV_DATA: $dir/mine/deep: no such folder" models
mkdir -p "$dir/mine/deep"
bad "LLMENV_DATA: $dir/other: no such folder" models
mkdir "$dir/other"
call 0 import "$dir/unknown.json" --save
[ -f "$dir/mine/deep/models/unknown.json" ] && pass || fault 'not saved in LLMENV_DATA'
call 0 models --csv
says '^unknown,'
says '^my-model-1b,'
unset LLMENV_DATA
# The home of those who set nothing; a relative XDG_DATA_HOME counts as not set.
XDG_DATA_HOME=relative call 0 import "$config" --save
[ -f "$HOME/.local/share/llmenv/models/my-model-1b.json" ] && pass || fault 'not saved at home'
echo x >"$dir/file"
XDG_DATA_HOME=$dir/file bad 'cannot be written: Not a directory' import "$config" --save
sed 's/"my-model-1b"/"..\/..\/evil"/' "$dir/record.json" >"$dir/evil.json"
bad 'is no name of a file' import "$dir/evil.json" --save
[ ! -e "$XDG_DATA_HOME/evil.json" ] && pass || fault 'a record was saved outside its folder'

# ---- audit ----------------------------------------------------------------------------

rm -rf "$XDG_DATA_HOME"
call 0 audit
says 'right values: 81 records, .* 0 not explained'
call 1 audit --convention published
says 'phi-3-mini-4k-instruct .*factor 16'
call 1 audit --convention published --csv
says '^gte-qwen2-1-5b-instruct,kv_cache_bytes_per_token,14336,28672,0.5,'
call 0 audit "$config"
says '1 record, 0 findings'
call 0 audit llama-3-1-8b "$dir/My-Model-1B"
says '2 records'
sed 's/"kv_cache_bytes_per_token": 2048/"kv_cache_bytes_per_token": 1024/' "$dir/record.json" >"$dir/half.json"
call 1 audit "$dir/half.json" --json
is "$(json '[(r["field"], r["recorded"], r["derived"]) for r in d["rows"]]')" \
   "[('kv_cache_bytes_per_token', 1024, 2048)]" 'the finding'
bad 'the layers give 2048, the record says 1024' show "$dir/half.json"
mkdir "$dir/records"
cp "$dir/record.json" "$dir/half.json" "$dir/records"
call 1 audit "$dir/records"
says '2 records, 1 finding, 1 not explained'
# A GGUF file against the parameter count that it states; tensors of 3 x 1000 x
# 512 and 4 layers, data left out as a hole.
cat >"$dir/gguf.py" <<'END'
import struct, sys
path, count = sys.argv[1], int(sys.argv[2])
text = lambda s: struct.pack("<Q", len(s)) + s.encode()
u32 = lambda k, v: text(k) + struct.pack("<II", 4, v)
d, f, kv = 512, 1024, 128
keys = [text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("general.parameter_count") + struct.pack("<IQ", 10, count)]
keys += [u32("llama." + k, v) for k, v in {
    "block_count": 4, "embedding_length": d, "feed_forward_length": f, "context_length": 4096,
    "attention.head_count": 8, "attention.head_count_kv": 2, "vocab_size": 1000}.items()]
shapes = [("token_embd.weight", (d, 1000)), ("output.weight", (d, 1000)), ("output_norm.weight", (d,))]
for i in range(4):
    shapes += [(f"blk.{i}.{n}.weight", s) for n, s in {
        "attn_q": (d, d), "attn_k": (d, kv), "attn_v": (d, kv), "attn_output": (d, d),
        "ffn_gate": (d, f), "ffn_up": (d, f), "ffn_down": (f, d), "attn_norm": (d,), "ffn_norm": (d,)}.items()]
infos, at = b"", 0
for name, shape in shapes:
    infos += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in shape)
    infos += struct.pack("<IQ", 1, at)
    n = 2
    for s in shape: n *= s
    at += (n + 31) // 32 * 32
head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(keys)) + b"".join(keys) + infos
with open(path, "wb") as out:
    out.write(head)
    out.truncate((len(head) + 31) // 32 * 32 + at)
END
true_count=$((attention + 4 * 3 * 512 * 1024 + 4 * 2 * 512 + 512 + 2 * 1000 * 512))
$python "$dir/gguf.py" "$dir/right.gguf" $true_count
$python "$dir/gguf.py" "$dir/wrong.gguf" $((2 * true_count))
call 0 import "$dir/right.gguf" --json
is "$(json 'd["kv_cache_bytes_per_token"]')" $kv 'KV bytes of a GGUF file'
call 0 audit "$dir/right.gguf"
call 1 audit "$dir/wrong.gguf" --csv
says ',params_b,.*16-bit bytes counted for parameters'

bad 'no model' audit no-such-model-anywhere

# ---- hostile ----------------------------------------------------------------------------

: >"$dir/empty.json"
printf '\0\1\2' >"$dir/zero.json"
printf 'GGUF' >"$dir/cut.gguf"
printf '\377\377\377\377\377\377\377\177{' >"$dir/long.safetensors"
printf '{"hidden_size": -1, "num_hidden_layers": 1e300}' >"$dir/absurd.json"
printf '[1]' >"$dir/list.json"
$python -c 'print("[" * 100000)' >"$dir/deep.json"
mkfifo "$dir/pipe.json"
mkdir "$dir/nothing" "$dir/folder.json"
ln -s "$dir/loop.json" "$dir/loop.json"
for path in empty.json zero.json cut.gguf long.safetensors absurd.json list.json deep.json \
            pipe.json nothing folder.json loop.json absent.json My-Model-1B/config.json/x; do
  bad . import "$dir/$path"
  bad . audit "$dir/$path"
  bad . show "$dir/$path" nvidia-l40s
  bad . models --own "$dir/$path"
done
: >"$dir/empty.gguf"
: >"$dir/empty.safetensors"
for path in empty.json empty.gguf empty.safetensors; do
  bad 'the file is empty' import "$dir/$path"
done
bad 'expected a config.json, a record, a GGUF or a safetensors file' import "$dir/empty.gguf"
# What no model has; a share of experts that the parameters contradict is said.
printf '{"id": "x", "params_b": 8, "num_layers": 0}' >"$dir/none.json"
bad 'none.json: num_layers: expected a whole number from 1, or null, found 0' show "$dir/none.json" nvidia-l40s
printf '{"id": "x", "params_b": 100, "active_params_b": 30, "num_experts": 16, "experts_per_token": 8}' >"$dir/share.json"
for verb in import show; do
  call 0 $verb "$dir/share.json"
  notes 'active_params_b is 30, and a share of 8 in 16 experts of params_b 100 is 50 at least'
done
# No escape sequence of a file reaches the terminal.
printf '{"id": "x", "name": "\\u001b[31mred", "params_b": 8, "kv_cache_bytes_per_token": 1000}' >"$dir/red.json"
call 0 import "$dir/red.json"
says '?\[31mred'
if grep -q "$(printf '\033')" "$out"; then fault 'an escape on standard output'; else pass; fi
printf '{"id": "x\\u001b[31m", "params_b": 8}' >"$dir/red.json"
bad 'id: expected text without control characters' import "$dir/red.json"
bad 'not a regular file' import /dev/null
bad 'not a regular file' audit /dev/zero
bad . import ''
bad . import "$(printf 'a%.0s' {1..5000}).json"
bad . show "./$(printf 'a%.0s' {1..1500}).json"
bad 'usage: llmenv import' import
bad 'not --csv' import "$config" --csv

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
