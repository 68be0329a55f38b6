import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, type Kind, kinds } from '../engine/grammar/kinds.ts';
import { isRecord, type Passed, payloadOf } from './passed.ts';

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
  if (payload === undefined || !isRecord(payload.value) || !hasUsualType(passed, dialect)) return { does: 'raw' };
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
export function answeredKind({ answer }: Passed): Kind | undefined {
  const root = payloadOf(answer)?.root;
  return kinds.find((kind) => factsOf(kind).root === root);
}
