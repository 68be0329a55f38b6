import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, type Kind, kinds } from '../engine/grammar/kinds.ts';
import { isObject } from '../engine/judging/body.ts';
import { type Passed, payloadOf } from './passed.ts';

/** What a request means, in the words of the scenario grammar; addresses and values are still literal. */
export type Meaning =
  | { readonly does: 'create'; readonly kind: Kind; readonly root?: string; readonly attributes: Attributes }
  | { readonly does: 'update'; readonly kind: Kind; readonly root?: string; readonly attributes: Attributes }
  | { readonly does: 'retrieve' | 'delete' | 'discover' | 'raw' };
type Attributes = Readonly<Record<string, unknown>>;

/** As the grammar has it where it can say the same, else as an exact request. */
export function meaningOf(passed: Passed, dialect: Dialect): Meaning {
  const { method, path, body } = passed;
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  if (method === 'GET' && body.length === 0) return { does: query.get('fu') === '1' ? 'discover' : 'retrieve' };
  if (method === 'DELETE' && body.length === 0) return { does: 'delete' };
  const payload = payloadOf(body);
  if (payload === undefined || !isObject(payload.value) || !hasUsualType(passed, dialect)) return { does: 'raw' };
  const { root, value: attributes } = payload;
  const kind = kindOf(root, passed, dialect);
  if (kind === undefined || (method !== 'POST' && method !== 'PUT')) return { does: 'raw' };
  const rooted = factsOf(kind).root === root ? {} : { root };
  return { does: method === 'POST' ? 'create' : 'update', kind, ...rooted, attributes };
}

function kindOf(root: string, { headers }: Passed, dialect: Dialect): Kind | undefined {
  const named = kinds.find((kind) => factsOf(kind).root === root);
  const ty = Number(/;\s*ty=(\d+)/.exec(headers['content-type'] ?? '')?.[1] ?? Number.NaN);
  if (named !== undefined) return Number.isNaN(ty) || ty === factsOf(named).ty ? named : undefined;
  return dialect === 'onem2m' && ty === factsOf('flex container').ty ? 'flex container' : undefined;
}

/** Whether the content type says no more than the engine would say by itself. */
function hasUsualType({ headers }: Passed, dialect: Dialect): boolean {
  const type = (headers['content-type'] ?? '').toLowerCase().replace(/\s+/g, '');
  const usual = /^application\/(json|vnd\.onem2m-res\+json)(;charset=utf-8)?(;ty=\d+)?(;charset=utf-8)?$/;
  return dialect === 'documented'
    ? usual.test(type)
    : /^application\/(json|vnd\.onem2m-res\+json)(;ty=\d+)?$/.test(type);
}

/** The kind of what an answer shows. */
function answeredKind({ answer }: Passed): Kind | undefined {
  const root = payloadOf(answer)?.root;
  return kinds.find((kind) => factsOf(kind).root === root);
}

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

const named: Partial<Readonly<Record<Kind, string>>> = {
  ae: 'ae',
  container: 'container',
  'content instance': 'content-instance',
};

function documented(passed: Passed, meaning: Meaning): string | undefined {
  if (passed.status >= 300) return undefined;
  const [bare = ''] = passed.path.split('?');
  const kind = 'kind' in meaning ? meaning.kind : answeredKind(passed);
  const word = kind === undefined ? undefined : named[kind];
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
