import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, type ResourceTypeName, resourceTypes } from '../engine/grammar/vocabulary.ts';
import { viewOf, viewOfRequest } from '../engine/judging/answer.ts';
import type { ProxyEntry } from './proxy.ts';

/** A request in terms of the scenario grammar, with literal addresses and values. */
export type StepMeaning =
  | ({ readonly does: 'create' | 'update' } & Content)
  | { readonly does: 'retrieve' | 'delete' | 'discover' | 'raw' };

interface Content {
  readonly kind: ResourceTypeName;
  readonly root?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A step of the grammar if it is equivalent, else an exact request. */
export function meaningOf(passed: ProxyEntry, dialect: Dialect): StepMeaning {
  const { method, path, body } = passed.request;
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  if (method === 'GET' && body === undefined) return { does: query.get('fu') === '1' ? 'discover' : 'retrieve' };
  if (method === 'DELETE' && body === undefined) return { does: 'delete' };
  const { root = '', attributes, headers } = viewOfRequest(passed.request);
  const type = headers.get('content-type') ?? '';
  if (attributes === undefined || !isUsual(type, dialect)) return { does: 'raw' };
  const resourceType = resourceTypeOf(root, type, dialect);
  if (resourceType === undefined || (method !== 'POST' && method !== 'PUT')) return { does: 'raw' };
  const rooted = factsOf(resourceType).root === root ? {} : { root };
  return { does: method === 'POST' ? 'create' : 'update', kind: resourceType, ...rooted, attributes };
}

function resourceTypeOf(root: string, type: string, dialect: Dialect): ResourceTypeName | undefined {
  const named = resourceTypeOfRoot(root);
  const ty = Number(/;\s*ty=(\d+)/.exec(type)?.[1] ?? Number.NaN);
  if (named !== undefined) return Number.isNaN(ty) || ty === factsOf(named).ty ? named : undefined;
  return dialect === 'onem2m' && ty === factsOf('flex container').ty ? 'flex container' : undefined;
}

function resourceTypeOfRoot(root: string | undefined): ResourceTypeName | undefined {
  return resourceTypes.find((resourceType) => factsOf(resourceType).root === root);
}

/** Whether the engine would send the same content type. */
function isUsual(contentType: string, dialect: Dialect): boolean {
  const type = contentType.toLowerCase().replace(/\s+/g, '');
  const usual = /^application\/(json|vnd\.onem2m-res\+json)(;charset=utf-8)?(;ty=\d+)?(;charset=utf-8)?$/;
  const standard = /^application\/(vnd\.onem2m-res\+)?(json|cbor)(;ty=\d+)?$/;
  return (dialect === 'documented' ? usual : standard).test(type);
}

/** What is recorded, and the requirements of its checks. */
export interface RecordedFrom {
  readonly dialect: Dialect;
  readonly catalogue: Catalogue;
  readonly isOverHttp: boolean;
}

/** A check of the answer by its requirement, if the catalogue has one. */
export function outcomeCheck(
  passed: ProxyEntry,
  meaning: StepMeaning,
  { dialect, catalogue, isOverHttp }: RecordedFrom,
): object | undefined {
  const { rsc } = viewOf(passed);
  const standard = () => (isOverHttp ? `std.http.${rsc}` : ofAnyWire(passed, meaning));
  const id = dialect === 'documented' ? documented(passed, meaning) : standard();
  if (id === undefined || !catalogue.requirements.has(id)) return undefined;
  return { [id]: isOverHttp ? { status: passed.answer.status } : { rsc } };
}

/** The requirement for the operation, by response status code. */
function ofAnyWire(passed: ProxyEntry, meaning: StepMeaning): string | undefined {
  const { does } = meaning;
  const { root, rsc = 0 } = viewOf(passed);
  if (rsc === 4004) return `std.${does === 'discover' ? 'discovery' : does}.not-found`;
  if (rsc >= 3000 || does === 'update') return undefined;
  if (does === 'discover') return 'std.discovery.answer';
  if (does === 'retrieve' && /\/la(\?|$)/.test(passed.request.path)) return 'std.latest.retrieve';
  const resourceType = 'kind' in meaning ? meaning.kind : resourceTypeOfRoot(root);
  if (resourceType === 'ae' && does === 'create') return 'std.ae.register';
  return resourceType && `std.${resourceType.replaceAll(' ', '-')}.${does}`;
}

/** The id by convention; the catalogue may not have it. */
function documented(passed: ProxyEntry, meaning: StepMeaning): string | undefined {
  if (passed.answer.status >= 300) return undefined;
  const { does } = meaning;
  const [bare = '', query = ''] = passed.request.path.split('?');
  if (does === 'discover') return query.includes('lbl=') ? 'discovery.by-label.status' : undefined;
  if (does === 'retrieve' && bare.endsWith('/latest')) return 'latest.status';
  const resourceType = 'kind' in meaning ? meaning.kind : resourceTypeOfRoot(viewOf(passed).root);
  const word = resourceType?.replaceAll(' ', '-');
  return word && (does === 'update' ? `update.${word}.status` : `${word}.${does}.status`);
}
