/** What a comparison can be written as, and what of it can fail a build. */
export const compareFormats = ['text', 'markdown', 'html', 'json'] as const;
export type CompareFormat = (typeof compareFormats)[number];

/** Changes between two runs that are for the worse; `lost`: kept before, and not judged now. */
export const regressions = ['broken', 'new', 'gone', 'lost'] as const;
export type Regression = (typeof regressions)[number];

const endings: ReadonlyMap<string, CompareFormat> = new Map(
  Object.entries({ md: 'markdown', html: 'html', htm: 'html', json: 'json' }),
);

/** By the ending of the file's name. */
export function formatOf(path: string | undefined): CompareFormat {
  const ending = path === undefined ? '' : (/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
  return endings.get(ending) ?? 'text';
}
