import { type DocumentBlock, prose, type Span } from '../document/model.ts';

/** Names of documents, and numbers of clauses in them; not those of tables, figures and steps. */
const clausePattern =
  /\b(?:TS-(?<document>\d{4})|RFC \d+)\b|(?<!Table |Figure |[-.\d])(?<chapter>\d{1,2}\.\d{1,2})(?:\.\d{1,2})*\b(?![-.]\d)/g;

/** Where a requirement is stated. Clauses of oneM2M's specifications link to their public page: one for each chapter. */
export function clauseBlock(section: string, source: string): DocumentBlock {
  return prose([{ text: `${section}, `, as: 'muted' }, ...linked(source)]);
}

function linked(source: string): Span[] {
  const spans: Span[] = [];
  let [document, at]: [string | undefined, number] = [undefined, 0];
  for (const { 0: text, index, groups = {} } of source.matchAll(clausePattern)) {
    const { chapter } = groups;
    if (chapter === undefined) document = groups.document;
    if (chapter === undefined || document === undefined) continue;
    const url = `https://specifications.onem2m.org/ts/ts-${document}/latest/${chapter}`;
    spans.push({ text: source.slice(at, index), as: 'muted' }, { text, as: 'muted', url });
    at = index + text.length;
  }
  return [...spans, { text: source.slice(at), as: 'muted' }];
}
