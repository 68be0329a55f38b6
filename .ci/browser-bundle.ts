/** The door `cselab/msw` for browsers: one module with everything but MSW itself. */
import { build, type Plugin } from 'esbuild';
import { variationRows, writtenRows } from '../sim/deviations/language/row-files.ts';

/** A browser has no files to read rows from, and to read them is most of what a short process of the tests does: they are in the module. */
export const rowsInside: Plugin = {
  name: 'rows inside',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]row-files\.ts$/ }, () => ({
      contents: Object.entries({ writtenRows, variationRows })
        .map(
          ([name, rows]) => `const ${name}Here = ${JSON.stringify(rows())};\nexport const ${name} = () => ${name}Here;`,
        )
        .join('\n'),
      loader: 'js',
    })),
};

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
    plugins: [rowsInside],
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}
