/** `node:fs` on what was read when the site was built; files that are written stay in memory. */
import texts from 'built:files';
import { Buffer } from 'buffer/';

export * from 'absent:fs';

const files = new Map(Object.entries(texts));
const pathOf = (path) => decodeURIComponent(String(path).replace(/^file:\/\//, '')).replace(/\/$/, '');
const isBelow = (folder) => (name) => name.startsWith(`${folder}/`);
const isFolder = (path) => [...files.keys()].some(isBelow(path));

function missing(path) {
  return Object.assign(new Error(`ENOENT: no such file, ${path}`), { code: 'ENOENT' });
}

export function readFileSync(path, how) {
  const text = files.get(pathOf(path));
  if (text === undefined) throw missing(path);
  return how === undefined ? Buffer.from(text) : text;
}
export const writeFileSync = (path, text) => void files.set(pathOf(path), String(text));
export const existsSync = (path) => files.has(pathOf(path)) || isFolder(pathOf(path));
export function statSync(path, { throwIfNoEntry = true } = {}) {
  if (existsSync(path)) return { isDirectory: () => !files.has(pathOf(path)), isFile: () => files.has(pathOf(path)) };
  if (throwIfNoEntry) throw missing(path);
}
export function readdirSync(path, { withFileTypes = false } = {}) {
  const folder = pathOf(path);
  const below = [...files.keys()].filter(isBelow(folder)).map((name) => name.slice(folder.length + 1).split('/')[0]);
  const names = [...new Set(below)];
  if (!withFileTypes) return names;
  return names.map((name) => ({ name, isDirectory: () => !files.has(`${folder}/${name}`) }));
}
export async function* createReadStream(path) {
  yield readFileSync(path);
}
export default { readFileSync, writeFileSync, existsSync, statSync, readdirSync, createReadStream };
