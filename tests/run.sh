#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every test, one line each; the last line is "N passed, N failed".
# A suite passes when its program exits 0 and says what it counted.
cd "$(dirname "$0")/.." || exit 2
: "${B:=build}"
: "${LLMENV_SHARED:=../shared}"
export LLMENV_SHARED
# Records that whoever runs this has saved are none of the tests'.
export XDG_DATA_HOME=/nonexistent
PYTHON=/usr/bin/python3
OCTAVE="octave-cli --quiet --no-init-file --no-history"
log=$B/test.log
passed=0 failed=0

# suite NAME COMMAND...: run, keep the last line as the figure.
suite() {
  name=$1
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    printf 'ok    %-24s %s\n' "$name" "$(tail -n 1 "$log" | cut -c1-100)"
  else
    failed=$((failed + 1))
    printf 'FAIL  %-24s\n' "$name"
    tail -n 40 "$log" | sed 's/^/      /'
  fi
}

# Tests of cmocka count each function of theirs.
cmocka() {
  name=$(basename "$1")
  "$1" >"$log" 2>&1
  status=$?
  p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\..*/\1/p' "$log" | tail -n 1)
  f=$(grep -c '^\[  FAILED  \] [a-z]' "$log")
  if [ $status -eq 0 ] && [ "${p:-0}" -gt 0 ]; then
    passed=$((passed + p))
    printf 'ok    %-24s %s tests %s\n' "$name" "$p" "$(grep -i 'skipped\|compared' "$log" | tail -n 1)"
  else
    passed=$((passed + ${p:-0}))
    [ "$f" -gt 0 ] || f=1
    failed=$((failed + f))
    printf 'FAIL  %-24s\n' "$name"
    grep -v '^\[ RUN\|^\[       OK' "$log" | tail -n 40 | sed 's/^/      /'
  fi
}

make --no-print-directory test-programs >"$log" 2>&1 || { cat "$log"; echo "0 passed, 1 failed"; exit 1; }
for t in "$B"/tests/*/test_*; do
  case $t in *.d|*.o) ;; *) cmocka "$t" ;; esac
done
suite purity make --no-print-directory purity
suite command bash tests/cli/test_command.sh "$B/llmenv"
suite records-derivation $PYTHON tests/oracle/derive_records.py
suite records-schema $PYTHON tests/oracle/check_schema.py
suite claims-oracle $PYTHON tests/oracle/claims.py --command "$B/llmenv"
suite published-oracle $PYTHON tests/oracle/published.py --command "$B/llmenv"
if [ -f "$LLMENV_SHARED/check/tables.py" ]; then
  suite printed-tables $PYTHON "$LLMENV_SHARED/check/tables.py" "$B/llmenv"
else
  echo "skip  printed-tables           1614 cells: no $LLMENV_SHARED"
fi
suite workbook-readers $PYTHON tests/export/check_workbook.py "$B/llmenv"
suite workbook-live $PYTHON tests/export/check_live.py "$B/llmenv"
suite workbook-safe $PYTHON tests/export/check_safe.py "$B/llmenv"
suite readme $PYTHON tests/check_readme.py "$B/llmenv"
suite octave $OCTAVE tests/octave/run.m
for t in tests/fuzz/fuzz_*.c; do
  t=${t##*/fuzz_}
  suite "fuzz-${t%.c}" make --no-print-directory "fuzz-${t%.c}"
done
suite random-models $PYTHON tests/oracle/random_models.py --command "$B/llmenv"
suite import-command bash tests/cli/test_import.sh "$B/llmenv"
suite package make --no-print-directory check-pkg
suite lint make --no-print-directory lint
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
