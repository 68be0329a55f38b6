/** The entry point `cselab/msw` for browsers: one module with everything but MSW itself. */
import { build, type Plugin } from 'esbuild';
import { variationRows, writtenRows } from '../sim/deviations/language/row-files.ts';

/** Inlines the rows of deviations: a browser has no files, and reading them is most of the work of a short test process. */
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
 * Writes the module, not minified; resolves to the files in it. Rejects, naming the import, when one exists in Node only: what
 * `cselab/msw` imports must run in a browser without polyfills.
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
