#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: test_command.sh [COMMAND]     (default build/llmenv)
# The command as its users call it: exit status, what goes to which stream,
# the formats, every spelling of options, and hostile arguments.
set -u
export LC_ALL=C
unset LLMENV_DATA
llmenv=${1:-build/llmenv}
[ -x "$llmenv" ] || { echo "no command at $llmenv" >&2; exit 2; }
llmenv=$(cd "$(dirname "$llmenv")" && pwd)/$(basename "$llmenv")
python=/usr/bin/python3
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
out=$dir/out err=$dir/err
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fault() {
  failed=$((failed + 1))
  echo "FAIL: $*" >&2
}

# call ARGUMENT...: run; sets $status.
call() {
  timeout 60 "$llmenv" "$@" >"$out" 2>"$err"
  status=$?
}

# describe ARGUMENT...: one short line for messages.
describe() { printf '%q ' "$@" | cut -c1-120; }

# good ARGUMENT...: exit 0, something said, nothing on standard error.
good() {
  call "$@"
  if [ $status -eq 0 ] && [ -s "$out" ] && [ ! -s "$err" ]; then
    pass
  else
    fault "$(describe "$@"): status $status, $(head -c 200 "$err")"
  fi
}

# says PATTERN: standard output of the last call holds it.
says() {
  if grep -q -- "$1" "$out"; then pass; else fault "no '$1' in the output"; fi
}

# bad PATTERN ARGUMENT...: exit 2, one line on standard error that matches,
# which starts with the command's name, nothing on standard output.
bad() {
  pattern=$1
  shift
  call "$@"
  lines=$(wc -l <"$err")
  if [ $status -eq 2 ] && [ "$lines" -eq 1 ] && [ ! -s "$out" ] \
     && grep -aq '^llmenv: ' "$err" && grep -aq -- "$pattern" "$err" \
     && [ "$(wc -c <"$err")" -lt 1000 ]; then
    pass
  else
    fault "$(describe "$@"): status $status, $lines lines, '$(head -c 200 "$err")', wanted '$pattern'"
  fi
}

# same A... -- B...: two calls that must answer alike.
same() {
  first=()
  while [ "$1" != @@ ]; do
    first+=("$1")
    shift
  done
  shift
  call "${first[@]}"
  cp "$out" "$dir/first"
  call "$@"
  if [ $status -eq 0 ] && [ -s "$out" ] && cmp -s "$out" "$dir/first"; then
    pass
  else
    fault "$(describe "${first[@]}") is not $(describe "$@")"
  fi
}

# ---- help --------------------------------------------------------------------

for verb in report models cards show table rank sweep solve; do
  good "$verb" --help
  says "^Usage: llmenv $verb"
  says "^Examples:"
  says "  llmenv $verb"
  good "$verb" -h
  good --help "$verb"
done
good --help
says "^Usage: llmenv COMMAND"
says "^Examples:"
for option in convention basis embedding chunk weight-type weight-bytes kv-type k-type v-type \
              state-type compute-type reserve utilization bandwidth-efficiency compute-efficiency \
              overhead count memory model card context batch as-printed direction csv; do
  says "--$option"
done
good -h
good --version
says '^llmenv [0-9]'

# Every example of the help works; reports write files, and files of one's own
# and the audit's status are test_import.sh's.
call --help
sed -n '/^Examples:/,/^Options:/s/^  \(llmenv .*\)/\1/p' "$out" | grep -v '^llmenv \(report\|import\|audit\)\|~/' >"$dir/examples"
[ "$(wc -l <"$dir/examples")" -gt 8 ] || fault "few examples"
while IFS= read -r line; do
  eval "good ${line#llmenv }"
done <"$dir/examples"

# ---- verbs and formats -------------------------------------------------------

good table
cp "$out" "$dir/list"
tables=$(sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' "$dir/list")
[ "$(echo "$tables" | wc -w)" -ge 26 ] || fault "few tables"

cat >"$dir/check.py" <<'EOF'
import csv, io, json, sys
kind, name = sys.argv[1:3]
text = sys.stdin.read()
if kind == "csv":
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) > 1 and all(len(r) == len(rows[0]) for r in rows), "ragged"
    assert len(set(rows[0])) == len(rows[0]), "columns repeat"
else:
    def reject(pairs):
        keys = [k for k, _ in pairs]
        assert len(set(keys)) == len(keys), "members repeat"
        return dict(pairs)
    d = json.loads(text, object_pairs_hook=reject,
                   parse_constant=lambda c: sys.exit("not JSON: " + c))
    for member in ("name", "caption", "columns", "rows"):
        assert member in d, member
    columns = [c["name"] for c in d["columns"]]
    assert all("unit" in c for c in d["columns"])
    assert d["rows"] and all(list(r) == columns for r in d["rows"]), "rows"
    for r in d["rows"]:
        for v in r.values():
            if isinstance(v, dict):
                assert set(v) == {"value", "reason"} and v["reason"], v
    if kind == "show":
        for member in ("model", "card", "options"):
            assert member in d, member
        assert columns[:4] == ["quantity", "value", "unit", "reason"], columns
EOF

# parses KIND ARGUMENT...
parses() {
  kind=$1
  shift
  call "$@"
  if [ $status -eq 0 ] && [ ! -s "$err" ] \
     && "$python" "$dir/check.py" "$kind" x <"$out" 2>"$dir/why"; then
    pass
  else
    fault "$(describe "$@"): $kind: $(tail -n 1 "$dir/why")"
  fi
}

for name in $tables; do
  good table "$name"
  parses csv table "$name" --csv
  parses json table "$name" --json
done
for arguments in "table dense" "show llama-3-1-8b" "rank l_wall" models cards; do
  # shellcheck disable=SC2086
  call $arguments --json
  if "$python" -m json.tool <"$out" >/dev/null 2>&1; then pass; else fault "json.tool: $arguments"; fi
done
for name in ridge dense moe hybrid gemma4_kv beq_ranked lwall_ranked beq_resident bstar worst10 \
            exceed80 cheap_end; do
  parses csv table "$name" --convention published --as-printed --csv
  parses json table "$name" --as-printed --json
done
for verb in models cards "rank l_wall" "rank ridge" "rank fill"; do
  # shellcheck disable=SC2086
  { good $verb; parses csv $verb --csv; parses json $verb --json; }
done
for model in llama-3-1-8b gpt-4-1 mamba-codestral-7b canary-1b-flash grok-1; do
  good show "$model"
  parses csv show "$model" --csv
  parses show show "$model" nvidia-rtx-4090 --json
done
quantities=$("$llmenv" table quantities --csv | sed -n '2,$s/,.*//p')
for quantity in $quantities; do
  good rank "$quantity" --direction descending
done

# ---- what documents print ----------------------------------------------------

# figure WANTED COLUMN ROW ARGUMENT...: a cell of a CSV.
figure() {
  want=$1 column=$2 row=$3
  shift 3
  call "$@" --csv
  got=$("$python" -c '
import csv, sys
for r in csv.DictReader(open(sys.argv[1])):
    if sys.argv[3] in r.values():
        print(r[sys.argv[2]]); break' "$out" "$column" "$row")
  if [ "$got" = "$want" ]; then pass; else fault "$(describe "$@"): $row $column is '$got', not '$want'"; fi
}
figure 59 l_wall smollm2-1-7b-instruct table lwall_ranked --as-printed
figure 3577 l_wall deepseek-v3 table moe --as-printed
figure 295.4 ridge_flop_per_byte nvidia-h100-sxm table ridge --as-printed
figure "no record" value gpt-4-1 rank kv_bytes
figure "does not fit" value fill show hermes-4-405b
figure 2147483648 value kv_bytes show "DeepSeek R1 Distill Qwen 32B" --context 8192
figure 1140850688 value kv_bytes show deepseek-r1-distill-qwen-32b --context 8k --kv-type q8_0
figure 16060522496 value weight_bytes show llama-3-1-8b --embedding streamed

# ---- spellings of options ----------------------------------------------------

same show llama-3-1-8b --context 32768 @@ show llama-3-1-8b --context=32768
same show llama-3-1-8b --context 32k @@ show llama-3-1-8b --context 32768
same show llama-3-1-8b --context 1M @@ --context 1048576 show llama-3-1-8b
same show llama-3-1-8b --kv-type q8_0 @@ show llama-3-1-8b --KVType q8_0
same show llama-3-1-8b --kv-type q8_0 @@ show llama-3-1-8b --k-type=q8_0 --v-type=q8_0
same show llama-3-1-8b --kv-type 2 --csv @@ show --csv --kv-type bf16 llama-3-1-8b
same show llama-3-1-8b --csv nvidia-h20 @@ show --csv -- llama-3-1-8b nvidia-h20
same show llama-3-1-8b nvidia-h20 --csv @@ show --card nvidia-h20 llama-3-1-8b --csv
same rank b_eq @@ rank b_eq --direction ascending
same rank b_eq --direction=descending @@ rank --direction descending b_eq
same table dense --csv @@ table --csv dense
same table dense --json --csv @@ table dense --csv    # the last format counts
same models @@ models --convention layered
same show llama-3-1-8b --context 1 --context 8192 @@ show llama-3-1-8b
same table ridge --as-printed --csv @@ table ridge --as-printed --convention published --csv

# ---- bad usage ---------------------------------------------------------------

bad 'no command given'
bad 'no command given' --json
bad "no command 'shwo'; nearest: show" shwo
bad "no command 'tables'; nearest: table" tables
bad "no command ''" ""
bad "no command '-x'" -x
bad 'usage: llmenv report FILE.xlsx' report
bad 'usage: llmenv report FILE.xlsx' report a.xlsx b.xlsx
bad 'usage: llmenv models' models x
bad 'usage: llmenv cards' cards x
bad 'usage: llmenv show MODEL' show
bad 'usage: llmenv show MODEL' show a b c
bad 'usage: llmenv table' table dense moe
bad 'usage: llmenv rank QUANTITY' rank
bad 'usage: llmenv rank QUANTITY' rank l_wall b_eq
bad 'usage: llmenv show' show a b c d e f g
bad "no table 'desne'; nearest: dense" table desne
bad "no quantity 'l_wal'; nearest: l_wall" rank l_wal
bad "no model 'lama-3-1-8b'; nearest: llama-3-1-8b" show lama-3-1-8b
bad "no card 'nvidia-h100-sxn'" show llama-3-1-8b nvidia-h100-sxn
bad "'gemma-4' names 3 models" show gemma-4
bad 'table misprints is not' table misprints --as-printed
bad 'table knee is not' table knee --as-printed

bad "no option 'contxt'; nearest: Context" show llama-3-1-8b --contxt 5
bad "no option 'kv-typ'; nearest: KVType" models --kv-typ q8_0
bad "no option 'zzz'" models --zzz
bad "no option 'zzz'" models --zzz=1
bad "no option 'json'" models --json=1
bad "no option ''" models --=5
bad 'needs a value' models --context
bad 'needs a value' models --json --card
bad 'needs a value' rank l_wall --direction
bad "option Context: '' is not accepted" models --context=
bad "option Context: 'x' is not accepted" models --context x
bad "option Context: '-1' is not accepted" models --context -1
bad "option Context: '--json' is not accepted" models --context --json
bad "option Batch: 'nan' is not accepted" models --batch nan
bad "option Count: '1.5' is not accepted" models --count 1.5
bad "option Count: '1e999' is not accepted" models --count 1e999
bad "option Utilization: '2' is not accepted" models --utilization 2
bad "option KVType: 'q8_00' is not accepted.*nearest: q8_0" models --kv-type q8_00
bad "option KVType: 'Q4_K_M' is not accepted" models --kv-type Q4_K_M
bad "option ComputeType: 'bf17' is not accepted" models --compute-type bf17
bad "option Convention: 'both' is not accepted" models --convention both
bad "option Direction: 'up' is not accepted" rank l_wall --direction up
bad "option WeightBytes: '0' is not accepted" models --weight-bytes 0

# ---- hostile arguments -------------------------------------------------------

long=$(head -c 100000 /dev/zero | tr '\0' 'a')
control=$'\x1b[2J\n\r\t\x01\x7f'
bytes=$'\xff\xfe\xc3\x28'
for name in "$long" "$control" "$bytes" '%s%n%x' '../../etc/passwd' '/dev/zero' '.' '..' '*' "'" '"' ' '; do
  bad '' show "$name"
  bad '' show llama-3-1-8b "$name"
  bad '' table "$name"
  bad '' rank "$name"
  bad '' "$name"
  bad '' models "--$name"
  bad '' models "--$name=1"
  bad '' models --context "$name"
  bad '' models --kv-type "$name"
  bad '' rank l_wall --direction "$name"
  bad '' show a b c d e "$name"
  bad '' show llama-3-1-8b --card "$name"
done

# No control character reaches the terminal.
for name in "$control" "$bytes$control"; do
  for arguments in show table rank "rank l_wall --direction" "models --context" "show a b c d e" models\ --; do
    if [ "$arguments" = "models --" ]; then
      call models "--$name=1"
    else
      # shellcheck disable=SC2086
      call $arguments "$name"
    fi
    if [ "$(head -c -1 "$err" | tr -d '[:print:]\200-\377' | wc -c)" -eq 0 ]; then
      pass
    else
      fault "$arguments: control characters on standard error"
    fi
  done
done

# ---- output that cannot be written -------------------------------------------

for arguments in "models" "cards --csv" "table dense --json" "show llama-3-1-8b" "rank l_wall" \
                 "--help" "table --help" "table" "--version"; do
  # shellcheck disable=SC2086
  timeout 60 "$llmenv" $arguments >/dev/full 2>"$err"
  status=$?
  if [ $status -eq 2 ] && [ "$(wc -l <"$err")" -eq 1 ] && grep -q 'No space left' "$err"; then
    pass
  else
    fault "$arguments >/dev/full: status $status, $(head -c 200 "$err")"
  fi
  # shellcheck disable=SC2086
  timeout 60 "$llmenv" $arguments >&- 2>"$err"
  status=$?
  if [ $status -eq 2 ] && [ "$(wc -l <"$err")" -eq 1 ]; then
    pass
  else
    fault "$arguments >&-: status $status, $(head -c 200 "$err")"
  fi
done
# A reader that stops early is no failure of ours to report twice.
timeout 60 "$llmenv" table scaling 2>"$err" | head -n 1 >"$out"
if [ -s "$out" ] && [ "$(wc -l <"$err")" -le 1 ]; then pass; else fault "pipe: $(cat "$err")"; fi
# Closed standard error must not crash.
timeout 60 "$llmenv" shwo 2>&- >/dev/null
[ $? -eq 2 ] && pass || fault "closed standard error"

# ---- sweeps, solves, mixes of contexts ----------------------------------------

good sweep l_wall --vary kv_bytes=1,2 --models llama-3-1-8b,qwen3-8b --cards "h100 sxm" --csv
[ "$(wc -l <"$out")" -eq 5 ] && pass || fault "sweep: $(wc -l <"$out") lines"
says '^model,card,kv_bytes_each,l_wall$'
same sweep capacity --vary context=1k,32k --csv @@ sweep capacity --vary=context=1024,32768 --csv
good solve l_wall 8k --vary kv_bytes --from 0.28 --to 4 --model deepseek-v3 --csv
says ',root,falls,'
good solve l_wall 8k --vary kv_bytes --from 0.28 --to 4 --json
says '"no crossover"'
good solve capacity 4 --vary context --from 1 --to 10M --whole last-at-least --csv
says ',whole number,'
good solve weight_bytes --models qwen3-30b-a3b,llama-3-1-8b --vary batch --from 1 --to 10k
says 'qwen3-30b-a3b = llama-3-1-8b'
bad 'no input .kv_byte.; nearest: kv_bytes' sweep l_wall --vary kv_byte=1
bad 'vary one or two inputs' sweep l_wall
bad 'at most two inputs' sweep l_wall --vary batch=1 --vary context=1 --vary peak=1
bad 'kv_bytes: 0 is not accepted' sweep l_wall --vary kv_bytes=0
bad 'option --vary needs a value' sweep l_wall --vary
bad 'solve needs --from and --to' solve l_wall 8k --vary kv_bytes --from 1
bad 'solve varies one input' solve l_wall 8k --from 1 --to 2
bad "option --to: 'x' is no number" solve l_wall 8k --vary kv_bytes --from 1 --to x
bad 'give a target, or two models' solve l_wall --vary kv_bytes --from 1 --to 2
printf '100\n1000\n100000 2\n' >"$dir/lengths"
good rank kv_bytes --contexts "$dir/lengths"
says 'contexts of lengths, mean 50275'
printf '100\nmany\n' >"$dir/lengths"
bad "lengths: line 2: 'many' is not accepted" show llama-3-1-8b --contexts "$dir/lengths"
bad 'No such file' table dense --contexts "$dir/absent"

# ---- lists that narrow a report and tables --------------------------------------

# only COLUMN "ID ID..." ARGUMENT...: a CSV's COLUMN holds just these, in this order.
only() {
  column=$1 want=$2
  shift 2
  call "$@" --csv
  got=$("$python" -c '
import csv, sys
print(" ".join(dict.fromkeys(r[sys.argv[2]] for r in csv.DictReader(open(sys.argv[1])))))' "$out" "$column")
  if [ $status -eq 0 ] && [ "$got" = "$want" ]; then pass; else fault "$(describe "$@"): $column is '$got', not '$want'"; fi
}
lists=(--models "deepseek-v3, Llama 3.1 8B,deepseek-v3" --cards "nvidia-h20,RTX 4090")
only id 'llama-3-1-8b deepseek-v3' table lwall_ranked "${lists[@]}"
only id 'deepseek-v3 llama-3-1-8b' models "${lists[@]}"
only id 'nvidia-h20 nvidia-rtx-4090' cards "${lists[@]}"
only part 'nvidia-rtx-4090 nvidia-h20' table ridge "${lists[@]}"
only id 'nvidia-h20 nvidia-rtx-4090' rank ridge "${lists[@]}"
only rank '1 2' rank l_wall "${lists[@]}"
only id nvidia-h20 table corrections "${lists[@]}"
only model llama-3-1-8b table knee "${lists[@]}"
only card nvidia-rtx-4090 table knee "${lists[@]}"
only id 'llama-3-1-8b qwen3-8b' models --models qwen3-8b --model llama-3-1-8b
call table lwall_ranked "${lists[@]}"
says 'card nvidia-h20, .*, 2 of 81 models, 2 of 64 cards$'
# The largest of the list is what the others are measured by.
figure 1 times_vs_worst llama-3-1-8b table cheap_end "${lists[@]}"
same table misprints --csv @@ table misprints --csv --models qwen3-8b
same table claims_003 --csv @@ table claims_003 --csv --models qwen3-8b
same table dense --as-printed --csv @@ table dense --as-printed --csv --models gpt-4-1 --cards nvidia-h20 --card nvidia-h100-sxm
same table dense --csv @@ table dense --csv --models all --cards all

# sheets NAME,NAME...: the workbook just written has just these.
sheets() {
  got=$("$python" -c '
import re, sys, zipfile
book = zipfile.ZipFile(sys.argv[1]).read("xl/workbook.xml").decode()
print(",".join(re.findall("<sheet name=\"([^\"]*)\"", book)))' "$dir/few.xlsx")
  if [ "$got" = "$1" ]; then pass; else fault "sheets are $got, not $1"; fi
}

# wrote ARGUMENT...: a report that says nothing.
wrote() {
  rm -f "$dir/few.xlsx"
  call report "$dir/few.xlsx" "$@"
  if [ $status -eq 0 ] && [ ! -s "$out" ] && [ ! -s "$err" ] && [ -s "$dir/few.xlsx" ]; then
    pass
  else
    fault "report $(describe "$@"): status $status, $(head -c 200 "$err")"
  fi
}
wrote --values --tables corrections
sheets 'Contents,corrections'
wrote --values --tables Dense,ridge,dense "${lists[@]}"
sheets 'Contents,ridge,dense,ridge layered,dense layered,chart data'
wrote --values --tables "models overview,charts" --models gpt-4-1 --cards nvidia-h20
sheets 'Contents,charts,models overview,chart data'
wrote --values --tables scaling --models gpt-4-1
sheets 'Contents'
wrote --values --tables models_overview,cards-overview,both_conventions --model "Llama 3.3 70B" "${lists[@]}"
sheets 'Contents,models overview,cards overview,both conventions,chart data'
for models in gpt-4-1 gpt-4-1,grok-1 mamba-codestral-7b llama-3-1-8b; do
  wrote --models $models
  wrote --models $models --cards groq-lpu --as-printed
done
# Every table alone.
for name in $tables charts both_conventions; do
  wrote --tables "$name" --models deepseek-v3 --cards nvidia-h100-sxm
done

# unwritten PATTERN ARGUMENT...: refused, and an older file stays.
unwritten() {
  echo older >"$dir/few.xlsx"
  pattern=$1
  shift
  bad "$pattern" report "$dir/few.xlsx" "$@"
  if [ "$(cat "$dir/few.xlsx")" = older ] && [ "$(ls -A "$dir" | grep -c few)" -eq 1 ]; then pass; else fault "$pattern: written"; fi
}
unwritten "no model 'lama-3-1-8b'; nearest: llama-3-1-8b" --models qwen3-8b,lama-3-1-8b
unwritten "no card 'nvidia-h100-sxn'; nearest: nvidia-h100-sxm" --cards nvidia-h100-sxn
unwritten "no table 'desne'; nearest: dense" --tables ridge,desne
unwritten "no table 'model overview'; nearest: models overview" --tables "model overview"
unwritten "'gemma-4' names 3 models" --models gemma-4
for option in models cards tables; do
  unwritten "option --$option: an empty name in ''" --$option ""
  unwritten "option --$option: an empty name in 'a,,b'" --$option a,,b
  unwritten "option --$option: an empty name in ' , '" --$option=" , "
  unwritten "option --$option needs a value" --$option
  for name in "$long" "$control" "$bytes" '*' '%s%n'; do unwritten '' --$option "$name"; done
done
unwritten "no model 'x'" --model x --models qwen3-8b

# A last name of a list is completed.
complete() {
  want=$1
  shift
  got=$(bash -c 'eval "$("$1" --completion)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _llmenv; echo "${COMPREPLY[@]}"' - "$llmenv" "$@" 2>&1)
  if [ "$got" = "$want" ]; then pass; else fault "completion of $*: '$got', not '$want'"; fi
}
complete 'ridge,lwall_ranked' report a.xlsx --tables ridge,lw
complete 'deepseek-v3,llama-3-1-8b' table dense --models deepseek-v3,llama-3-1

# ---- inputs of the workbook ---------------------------------------------------

printf '{"card": "RTX 4090", "context": "32k", "ctx_8k": 12000, "model_1": "own-model", "layers": 5}' >"$dir/in.json"
wrote --inputs "$dir/in.json" --tables dense
wrote --inputs "$dir/in.json" --values --tables dense
good table dense --inputs "$dir/in.json" --csv
says 'kv_gb_8k'
printf '{"ctx_9k": 1}' >"$dir/in.json"
bad "in.json: no input 'ctx_9k'.*ctx_" report "$dir/x.xlsx" --inputs "$dir/in.json"
printf '{"price": "cheap"}' >"$dir/in.json"
bad "price: expected a number, found 'cheap'" report "$dir/x.xlsx" --inputs "$dir/in.json"
printf '{"card_2": "h1000"}' >"$dir/in.json"
bad "h1000" report "$dir/x.xlsx" --inputs "$dir/in.json"
printf '{"model_1": 3}' >"$dir/in.json"
bad 'model_1: expected a name, found 3' report "$dir/x.xlsx" --inputs "$dir/in.json"
printf '{"tables": ["ridge"]}' >"$dir/in.json"
bad "no input 'tables'" report "$dir/x.xlsx" --inputs "$dir/in.json"
printf '[]' >"$dir/in.json"
bad 'expected one JSON object' report "$dir/x.xlsx" --inputs "$dir/in.json"
bad 'nowhere.json' report "$dir/x.xlsx" --inputs "$dir/nowhere.json"
[ -e "$dir/x.xlsx" ] && fault "a refused report left a file" || pass

# ---- records of one's own ----------------------------------------------------

mkdir -p "$dir/mine/models" "$dir/mine/accelerators"
printf '{"id": "mine", "params_b": 1, "active_params_b": 1, "kv_cache_bytes_per_token": 1000, "gqa_ratio": 1, "architecture": "dense"}' \
  >"$dir/mine/models/mine.json"
cp "$dir/mine/models/mine.json" "$dir/plain.json"
only id 'mine qwen3-8b' models --models qwen3-8b --own "$dir/plain.json"
only id 'mine qwen3-8b' models --models "$dir/plain.json, qwen3-8b"
wrote --models qwen3-8b --own "$dir/plain.json" --tables models
wrote --models qwen3-8b --model "$dir/plain.json"
good show kimi-k3 nvidia-h100-sxm --kv-type fp8
says 'no batch reaches the ridge from there to 61371 tokens'
good show kimi-k3 nvidia-h20
says 'l_wall never .some batch reaches the ridge at every context'
sed 's/"mine"/"own-model"/' "$dir/plain.json" >"$dir/reserved.json"
bad 'id: expected another id' report "$dir/x.xlsx" --own "$dir/reserved.json"
export LLMENV_DATA=$dir/mine
figure 8192000 value kv_bytes show mine
good models
says '^mine '
printf '{\n"id": "mine",\n "params_b": }' >"$dir/mine/models/mine.json"
bad "mine.json:3:[0-9]*: not valid JSON" show mine
bad "mine.json:3:" models
printf '{"id": "mine", "params_b": "1"}' >"$dir/mine/models/mine.json"
bad 'mine.json: params_b: expected a number' table dense
unset LLMENV_DATA

# From another folder, through a link, by a search of PATH.
(cd / && "$llmenv" show llama-3-1-8b >"$dir/first" 2>"$err") && cmp -s "$dir/first" <("$llmenv" show llama-3-1-8b) \
  && pass || fault "from /"
ln -s "$llmenv" "$dir/link"
"$dir/link" models >"$out" 2>"$err" && [ -s "$out" ] && pass || fault "through a link: $(cat "$err")"
(PATH=$(dirname "$llmenv"):$PATH; cd / && "$(basename "$llmenv")" models >"$out" 2>"$err") && pass || fault "by PATH"

echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
