/** Takes each source of the project from where `compiled.ts` has put it; packages are node's own affair. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url).href;
const made = new URL('node_modules/.cache/cselab-compiled/', root).href;

/** @param {string} url */
function isSource(url) {
  return url.startsWith(root) && /\.tsx?(?:\?.*)?$/.test(url) && !url.startsWith('node_modules/', root.length);
}

/**
 * @param {string} specifier
 * @param {{ parentURL?: string }} context
 * @param {(specifier: string, context: object) => unknown} next
 */
export function resolve(specifier, context, next) {
  const isPlace = specifier.startsWith('.') || specifier.startsWith('file:');
  const url = isPlace ? new URL(specifier, context.parentURL).href : '';
  return isSource(url) ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
}

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => unknown} next
 */
export async function load(url, context, next) {
  if (!isSource(url)) return next(url, context);
  const file = fileURLToPath(new URL(url.slice(root.length).replace(/\.tsx?(?:\?.*)?$/, '.js'), made));
  return { format: 'module', source: existsSync(file) ? readFileSync(file) : await compiled(url), shortCircuit: true };
}

/** What a test has written after everything was compiled. @param {string} url */
async function compiled(url) {
  const { transform } = await import('esbuild');
  const { code } = await transform(readFileSync(fileURLToPath(url)), { loader: 'ts', format: 'esm', target: 'node20' });
  return code;
}
