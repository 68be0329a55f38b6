/** Loads each source of the project from where `compiled.ts` has put it; packages are left to node. */
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
  const [path, ...query] = url.slice(root.length).split(/(?=\?)/);
  const name = path.replace(/\.tsx?$/, '.js');
  const program = new URL(`programs/${name}`, made);
  // An import under another address reloads this module alone, not its imports.
  const source = existsSync(program)
    ? `import ${JSON.stringify(program.href + query.join(''))};`
    : sourceOf(new URL(name, made), url);
  return { format: 'module', source: await source, shortCircuit: true };
}

/** @param {URL} file @param {string} url */
function sourceOf(file, url) {
  return existsSync(file) ? readFileSync(file) : compiled(url);
}

/** A source that a test has written since. @param {string} url */
async function compiled(url) {
  const { transform } = await import('esbuild');
  const { code } = await transform(readFileSync(fileURLToPath(url)), { loader: 'ts', format: 'esm', target: 'node20' });
  return code;
}
