import type { Effect, RequestSelector } from '../engine/grammar/grammar-risk.ts';

/** Requests that are known to damage a deployed CSE. Each was tried on the product as it runs. */
export interface KnownRisk {
  /** By which target files allow it. */
  readonly id: string;
  /** What is sent, as the subject of a sentence. */
  readonly request: string;
  readonly effect: Effect;
  readonly product: string;
  readonly version: string;
  /** What happened there. */
  readonly happened: string;
  readonly when: RequestSelector;
  /** Left out at that product only, since too much could not be judged elsewhere. */
  readonly only?: true;
}

type Told = readonly [id: string, request: string, when: RequestSelector];
type Common = Omit<KnownRisk, 'id' | 'request' | 'when'>;

const alike = (common: Common, told: readonly Told[]): KnownRisk[] =>
  told.map(([id, request, when]) => ({ ...common, id, request, when }));

const tinyIot: Common = { product: 'tinyIoT', version: '832205f', effect: 'kills', happened: 'its process ends' };
const mobius = { product: 'Mobius', version: '2.5.13', effect: 'kills' } as const;
const usual = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const changes = ['POST', 'PUT', 'DELETE'];
const creating = { method: 'POST' };
const bareInstance: RequestSelector = { ...creating, type: 'content instance', 'without attribute': 'con' };
const withoutAcop: RequestSelector = {
  method: ['POST', 'PUT'],
  type: 'access control policy',
  'without attribute': 'pv.acr.acop',
};
const newest = ['la', 'ol', 'latest', 'oldest'];

export const knownRisks: readonly KnownRisk[] = [
  {
    ...{ product: 'OpenMTC', version: 'db06cd7', effect: 'corrupts' },
    id: 'update.ri',
    request: 'an update with ri',
    happened: 'the resource cannot be removed, and discovery of the CSE base answers 500 until it is restarted',
    when: { method: 'PUT', attribute: 'ri' },
  },
  ...alike(tinyIot, [
    ['method', 'a request whose method is none of GET, POST, PUT, DELETE and OPTIONS', { 'method other than': usual }],
    ['malformed-head', 'a head that is cut off, or has bare line feeds, a NUL or no version', { head: 'malformed' }],
    ['head-in-pieces', 'a head that comes in several TCP segments', { head: 'in pieces' }],
    ['long-head', 'a head of more than 60 KiB', { 'longer head': 60 * 1024 }],
    ['long-ri', 'an X-M2M-RI of more than 110 bytes', { 'longer header': { name: 'X-M2M-RI', bytes: 110 } }],
    ['create.cin.without-con', 'a content instance without con', bareInstance],
    ['create.rcn-9', 'a create with rcn=9', { ...creating, query: { rcn: '9' } }],
    ['acp.without-acop', 'an access control rule without acop', withoutAcop],
  ]),
  ...alike({ ...tinyIot, only: true }, [
    ['removed.ri', 'a request for a removed content instance by its identifier', { removed: true }],
  ]),
  {
    ...{ product: 'ACME', version: '2026.05.1', effect: 'kills' },
    id: 'chunk-size',
    request: 'a chunk that says to have more than 2 GiB',
    happened: 'it fills the memory of its machine until the system ends it',
    when: { 'larger chunk': 2 ** 31 },
  },
  ...alike({ ...mobius, happened: 'a worker ends and is not replaced' }, [
    ['retrieve.rcn-7', 'a retrieve with rcn=7', { method: 'GET', query: { rcn: '7' } }],
    ['retrieve.rt', 'a retrieve with rt=1 or rt=2', { method: 'GET', query: { rt: ['1', '2'] } }],
  ]),
  // One of a few such requests, when the answer is there before a counter is.
  ...alike({ ...mobius, happened: 'now and then a worker ends and is not replaced', only: true }, [
    ['change.newest', 'a change of the newest or the oldest instance', { method: changes, 'path ends with': newest }],
    ['create.without-origin', 'a create without X-M2M-Origin', { ...creating, 'without header': 'X-M2M-Origin' }],
    ['create.without-ri', 'a create without X-M2M-RI', { ...creating, 'without header': 'X-M2M-RI' }],
    ['create.no-json', 'a create whose body is no JSON', { ...creating, body: 'no JSON' }],
  ]),
];
