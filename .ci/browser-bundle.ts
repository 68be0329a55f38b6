/** The door `cselab/msw` for browsers: one module with everything but MSW itself. */
import { build } from 'esbuild';

/**
 * Writes the module, to be read as it is; resolves to the files that are in it. Rejects, naming the import, when something in it is there in Node only: what
 * `cselab/msw` imports has to run in a browser without anybody's polyfills.
 */
export async function bundleForBrowser(outfile: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: ['sim/msw.ts'],
    outfile,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    external: ['msw'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}
