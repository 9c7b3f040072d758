// SPDX-License-Identifier: GPL-3.0-or-later
// compare.mjs READER FILE...: what READER --dump finds in each file, against
// @huggingface/gguf and node-llama-cpp.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

let compared = 0, different = 0;
function same(ours, theirs, what) {
  compared++;
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs)))
    return;
  different++;
  console.log(`DIFFERS ${what}: ours ${ours}, theirs ${theirs}`);
}

const plain = (x) => (typeof x === "bigint" ? Number(x) : x);

// Ours keeps lists of numbers, and of others the count.
function sameValue(ours, theirs, what) {
  if (Array.isArray(theirs) || ArrayBuffer.isView(theirs)) {
    const list = Array.from(theirs);
    if (!Array.isArray(ours))
      return same(ours?.count, list.length, `${what}, length`);
    same(ours.length, list.length, `${what}, length`);
    return list.forEach((x, i) => same(ours[i], plain(x), `${what}[${i}]`));
  }
  same(ours, plain(theirs), what);
}

async function withHuggingFace(file, ours, sizes, gguf) {
  const { metadata, tensorInfos, littleEndian } = await gguf(file, { allowLocalFile: true });
  same(ours.version, metadata.version, `${file}: version`);
  if (littleEndian !== undefined)
    same(!ours.big_endian, littleEndian, `${file}: byte order`);
  const keys = Object.keys(metadata).filter((k) => !["version", "tensor_count", "kv_count"].includes(k));
  same(Object.keys(ours.metadata).sort().join(), keys.sort().join(), `${file}: keys`);
  for (const k of keys)
    sameValue(ours.metadata[k], metadata[k], `${file}: ${k}`);
  same(Object.keys(ours.tensors).length, tensorInfos.length, `${file}: tensors`);
  for (const t of tensorInfos) {
    const elements = t.shape.reduce((a, d) => a * Number(d), 1);
    const [type, n, bytes] = ours.tensors[t.name] ?? [];
    same(type, t.dtype, `${file}: ${t.name}: type`);
    same(n, elements, `${file}: ${t.name}: elements`);
    // Its table has two floats in q8_1 blocks, as ggml had before 2024; the
    // library's own size is compared below.
    if (t.dtype !== 9)
      same(bytes, elements * sizes[t.dtype] / 8, `${file}: ${t.name}: bytes`);
  }
}

// "general": {"architecture": ...} for "general.architecture".
function atPath(tree, key) {
  return key.split(".").reduce((node, k) => node?.[k], tree);
}

async function withNodeLlama(file, ours, lib, llama) {
  const info = await lib.readGgufFileInfo(file, { logWarnings: false });
  same(ours.version, info.version, `${file}: version (node-llama-cpp)`);
  for (const [k, v] of Object.entries(ours.metadata))
    if (typeof v !== "object")
      same(v, plain(atPath(info.metadata, k)), `${file}: ${k} (node-llama-cpp)`);
  const infos = info.fullTensorInfo ?? info.tensorInfo;
  same(Object.keys(ours.tensors).length, infos.length, `${file}: tensors (node-llama-cpp)`);
  for (const t of infos) {
    const elements = t.dimensions.reduce((a, d) => a * Number(d), 1);
    const [type, n, bytes] = ours.tensors[t.name] ?? [];
    same(type, t.ggmlType, `${file}: ${t.name}: type (node-llama-cpp)`);
    same(n, elements, `${file}: ${t.name}: elements (node-llama-cpp)`);
    const block = llama?._bindings.getBlockSizeForGgmlType(t.ggmlType);
    const size = llama?._bindings.getTypeSizeForGgmlType(t.ggmlType);
    if (block > 0)
      same(bytes, elements / block * size, `${file}: ${t.name}: bytes by ggml`);
  }
}

async function load(name) {
  try {
    return await import(name);
  } catch (e) {
    console.log(`SKIPPED: ${name} cannot be loaded: ${String(e.message).split("\n")[0]}`);
    return null;
  }
}

const [reader, ...files] = process.argv.slice(2);
const chunk = readdirSync("node_modules/@huggingface/gguf/dist").find((f) => /^chunk-.*\.mjs$/.test(f));
const hf = await load(`./node_modules/@huggingface/gguf/dist/${chunk}`);
const lib = await load("node-llama-cpp");
let llama = null;
try {
  llama = await lib?.getLlama({ gpu: false, build: "never", logLevel: "error", skipDownload: true });
} catch (e) {
  console.log(`SKIPPED: llama.cpp's library cannot be loaded: ${String(e.message).split("\n")[0]}`);
}
for (const file of files) {
  const ours = JSON.parse(execFileSync(reader, ["--dump", file], { maxBuffer: 1 << 28 }).toString());
  if (hf)
    await withHuggingFace(file, ours, hf.GGML_QUANT_SIZES, hf.gguf);
  // It reads little-endian files only, and knows no lists in lists.
  if (lib && !ours.big_endian)
    await withNodeLlama(file, ours, lib, llama);
}
console.log(`${files.length} files: ${compared} compared, ${different} differ`);
process.exit(different > 0 || compared === 0 ? 1 : 0);
