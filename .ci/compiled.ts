/**
 * All sources as JavaScript, made once for the many processes of the tests: to have each of them made anew, or looked up, is most of
 * what a short process costs. `compiled-loader.mjs` takes them in place of tsx.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { filesOf } from './test-files.ts';

/** Below it every source has its place: `sim/clock.ts` is `sim/clock.js`. `compiled-hooks.mjs` knows it too. */
const folder = join('node_modules', '.cache', 'cselab-compiled');
const places = ['.ci', 'certs', 'fixtures', 'reports', 'scenarios', 'sim'];

/** Resolves to the URL that `--import` takes instead of tsx. */
export async function compileSources(): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const sources = places.flatMap((place) => filesOf(place, /(?<!\.d)\.tsx?$/));
  await build({
    entryPoints: ['cli.ts', ...sources],
    outdir: folder,
    outbase: '.',
    ...{ platform: 'node', format: 'esm', target: 'node20', sourcemap: 'inline', sourcesContent: false },
  });
  return new URL('compiled-loader.mjs', import.meta.url).href;
}
