/**
 * Compiles all sources once for the many processes of the tests: compiling them anew, or looking them up, is most of the cost of a
 * short process. `compiled-loader.mjs` loads them in place of tsx.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { rowsInside } from './browser-bundle.ts';
import { filesOf } from './test-files.ts';

/** Holds each source by its path: `sim/msw.ts` as `sim/msw.js`. `compiled-hooks.mjs` knows it too. */
const folder = join('node_modules', '.cache', 'cselab-compiled');
const sourceFolders = ['.ci', 'certs', 'fixtures', 'reports', 'scenarios', 'sim'];
/** Programs that tests start most, bundled into a few files: loading hundreds is most of the work of a short one. */
const programs = ['cli.ts', 'scenarios/mutants/worker.ts'];
const commonOptions = { outbase: '.', platform: 'node', format: 'esm', target: 'node20' } as const;

/** Resolves to the URL for `--import` in place of tsx. */
export async function compileSources(): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const sources = sourceFolders.flatMap((sources) => filesOf(sources, /(?<!\.d)\.tsx?$/));
  const maps = { sourcemap: 'inline', sourcesContent: false } as const;
  await build({ ...commonOptions, ...maps, entryPoints: sources, outdir: folder, plugins: [rowsInside] });
  await build({
    ...commonOptions,
    ...{ entryPoints: programs, outdir: join(folder, 'programs'), bundle: true, splitting: true },
    ...{ packages: 'external', plugins: [rowsInside, ownAddresses, manyModules] },
  });
  return new URL('compiled-loader.mjs', import.meta.url).href;
}

/** Lets a module find the files beside its source. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', address);
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** Packages stay external, except those of many modules. */
const manyModules: Plugin = {
  name: 'many modules',
  setup({ onResolve }) {
    onResolve({ filter: /^(zod|cborg)$/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
  },
};
