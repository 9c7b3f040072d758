#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Our GGUF reader against two independent ones from npm, on header-only files
# that the test writes: keys, values, tensors, bytes of each; and our block
# sizes against those that llama.cpp's own library reports.
#
#   tests/oracle/gguf_oracle/run.sh [TEST_GGUF]   default build/tests/core/test_gguf
#
# The last line is "N compared, N differ" or "SKIPPED: why"; exit 1 on a difference.
cd "$(dirname "$0")/../../.." || exit 2
: "${B:=build}"
reader=${1:-$B/tests/core/test_gguf}
here=tests/oracle/gguf_oracle
work=$B/oracles
skip() {
  echo "SKIPPED: $1; the 23 files and their 35 types were not compared"
  exit 0
}
command -v npm >/dev/null 2>&1 || skip "there is no npm"
[ -x "$reader" ] || { echo "$reader: build it first (make test-programs)"; exit 2; }
reader=$(realpath "$reader")
mkdir -p "$work/files"
# The prebuilt library for this machine only; nothing is compiled or run at installation.
install() {
  npm install --prefix "$work" --no-audit --no-fund --silent --ignore-scripts --omit=optional "$@" >"$work/npm.log" 2>&1
}
[ -d "$work/node_modules/@huggingface/gguf" ] || install @huggingface/gguf@0.4.6 \
  || skip "npm could not install @huggingface/gguf ($(tail -n 1 "$work/npm.log" | cut -c1-80))"
[ -d "$work/node_modules/node-llama-cpp" ] \
  || install node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1 \
  || echo "SKIPPED: npm could not install node-llama-cpp; its half is not compared"
rm -f "$work/files/"*.gguf
"$reader" --models "$work/files" || exit 2
cp "$here/compare.mjs" "$work/compare.mjs"
(cd "$work" && node compare.mjs "$reader" files/*.gguf)
