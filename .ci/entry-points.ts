import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/** What declares the types of each door of the package once it is built, such as `./dist/sim/index.d.ts`, by how users call the door. */
export const entryDeclarations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exports).flatMap(([entry, { types }]) =>
    types ? [[entry.replace('.', 'cselab'), types] as const] : [],
  ),
);

/** What each door is here, such as `sim/index.ts`. The file `README.md` of its room holds its reference. */
export const entryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entryDeclarations).map(([entry, types]) => [entry, types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '$1.ts')]),
);
