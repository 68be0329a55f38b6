import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/** The type declarations of each entry point of the built package, such as `./dist/sim/index.d.ts`, by the name users import. */
export const entryDeclarations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exports).flatMap(([entry, { types }]) =>
    types ? [[entry.replace('.', 'cselab'), types] as const] : [],
  ),
);

/** The source of each entry point, such as `sim/index.ts`. The `README.md` of its folder holds its reference. */
export const entryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entryDeclarations).map(([entry, types]) => [entry, types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '$1.ts')]),
);
