import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Kind } from '../engine/grammar/kinds.ts';
import type { Passed } from './passed.ts';
import { answeredKind, type Meaning } from './step-of.ts';

/** The requirement that speaks of the status of such an answer, where the catalogue has one. */
export function requirementFor(
  passed: Passed,
  meaning: Meaning,
  dialect: Dialect,
  { requirements }: Catalogue,
): string | undefined {
  const id = dialect === 'onem2m' ? ofTheStandard(passed) : documented(passed, meaning);
  return id !== undefined && requirements.has(id) ? id : undefined;
}

function ofTheStandard({ answerHeaders }: Passed): string | undefined {
  const code = answerHeaders['x-m2m-rsc'];
  return code === undefined ? undefined : `std.http.${code}`;
}

const words: Partial<Readonly<Record<Kind, string>>> = {
  ae: 'ae',
  container: 'container',
  'content instance': 'content-instance',
};

function documented(passed: Passed, meaning: Meaning): string | undefined {
  if (passed.status >= 300) return undefined;
  const [bare = ''] = passed.path.split('?');
  const kind = 'kind' in meaning ? meaning.kind : answeredKind(passed);
  const word = kind === undefined ? undefined : words[kind];
  switch (meaning.does) {
    case 'create':
      return word && `${word}.create.status`;
    case 'update':
      return word && `update.${word}.status`;
    case 'retrieve':
      return bare.endsWith('/latest') ? 'latest.status' : word && `${word}.retrieve.status`;
    case 'delete':
      return word && `${word}.delete.status`;
    default:
      return meaning.does === 'discover' && passed.path.includes('lbl=') ? 'discovery.by-label.status' : undefined;
  }
}
