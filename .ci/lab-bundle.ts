/** The laboratory as one module for a browser's worker: it contains the files that it reads, and has no sockets. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import 'reflect-metadata';
import { rowsInside } from './browser-bundle.ts';

const shims = new Map(
  Object.entries({
    fs: 'files.js',
    'fs/promises': 'files-later.js',
    crypto: 'crypto.js',
    util: 'util.js',
    events: 'events.js',
    stream: 'streams.js',
    readline: 'streams.js',
    url: 'url.js',
    'timers/promises': 'timers.js',
  }).map(([name, file]) => [name, resolve('.site/browser', file)]),
);
const packages = new Map([
  ['path', 'path-browserify'],
  ['buffer', 'buffer/'],
]);

/** Packages that open sockets or read files. */
const socketed = /^(undici|mqtt|aedes|ws|coap-packet|@peculiar\/x509|reflect-metadata)$/;
const builtin = new RegExp(`^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`);

const withoutNode: Plugin = {
  name: 'without Node',
  setup({ onResolve, onLoad, resolve: resolveModule }) {
    onResolve({ filter: builtin }, async ({ path, pluginData }) => {
      const name = path.replace(/^node:/, '');
      const [shim, own] = [shims.get(name), packages.get(name)];
      if (pluginData === 'own' || (own !== undefined && own === path)) return undefined;
      if (shim !== undefined) return { path: shim };
      if (own !== undefined)
        return resolveModule(own, { kind: 'import-statement', resolveDir: resolve('.site'), pluginData: 'own' });
      return { path: name, namespace: 'absent' };
    });
    onResolve({ filter: socketed }, ({ path }) => ({ path, namespace: 'absent' }));
    onResolve({ filter: /^absent:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'absent' }));
    onLoad({ filter: /.*/, namespace: 'absent' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[A-Za-z]\w*$/.test(name) && name !== 'default');
      return {
        contents: `${absent}\n${names.map((name) => `export const ${name}_ = absent; export { ${name}_ as ${name} };`).join('\n')}`,
      };
    });
  },
};

/** Has every property and does nothing: its users are never called. */
const absent = `
  const absent = new Proxy(class {}, {
    get: (target, key) => (key === 'prototype' ? target.prototype : key === 'then' || typeof key === 'symbol' ? undefined : absent),
    apply: () => absent,
    construct: (target, given, made) => (made === absent ? absent : Reflect.construct(target, given, made)),
  });
  export default absent;`;

const virtualFiles: Plugin = {
  name: 'in its place',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/](sim|scenarios|certs|reports)[\\/].*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(`file://${virtualPath(path)}`)),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
    onResolve({ filter: /^built:files$/ }, ({ path }) => ({ path, namespace: 'built' }));
    onLoad({ filter: /.*/, namespace: 'built' }, () => ({ contents: JSON.stringify(filesInside()), loader: 'json' }));
  },
};

const virtualPath = (path: string) => `/cselab/${relative('', path)}`;

function filesInside(): Record<string, string> {
  const paths = ['scenarios', 'sim'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.schema)\.(yaml|json)$/.test(name) && !/deviations|wire|-clauses|inventory/.test(name))
      .map((name) => join(folder, name)),
  );
  return Object.fromEntries([...paths, 'package.json'].map((path) => [virtualPath(path), readFileSync(path, 'utf8')]));
}

export async function bundleLab(outfile: string): Promise<void> {
  await build({
    entryPoints: ['.site/lab.ts'],
    outfile,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    inject: ['.site/browser/globals.js'],
    plugins: [rowsInside, virtualFiles, withoutNode],
    legalComments: 'none',
    logLevel: 'silent',
  });
}
