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

const openMtc = { product: 'OpenMTC', version: 'db06cd7' };
const tinyIot = { product: 'tinyIoT', version: '832205f', effect: 'kills', happened: 'its process ends' } as const;
const mobius = { product: 'Mobius', version: '2.5.13', effect: 'kills' } as const;
const forGood = { ...mobius, happened: 'a worker ends and is not replaced' };
/** One of a few such requests, when the answer is there before a counter is. */
const atTimes = { ...mobius, happened: 'now and then a worker ends and is not replaced', only: true } as const;

const newest = ['la', 'ol', 'latest', 'oldest'];

export const knownRisks: readonly KnownRisk[] = [
  {
    ...openMtc,
    id: 'update.ri',
    request: 'an update with ri',
    effect: 'corrupts',
    happened: 'the resource cannot be removed, and discovery of the CSE base answers 500 until it is restarted',
    when: { method: 'PUT', attribute: 'ri' },
  },
  {
    ...tinyIot,
    id: 'method',
    request: 'a request whose method is none of GET, POST, PUT, DELETE and OPTIONS',
    when: { 'method other than': ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] },
  },
  {
    ...tinyIot,
    id: 'malformed-head',
    request: 'a head that is cut off, or has bare line feeds, a NUL or no version',
    when: { head: 'malformed' },
  },
  {
    ...tinyIot,
    id: 'head-in-pieces',
    request: 'a head that comes in several TCP segments',
    when: { head: 'in pieces' },
  },
  {
    ...tinyIot,
    id: 'long-head',
    request: 'a head of more than 60 KiB',
    when: { 'longer head': 60 * 1024 },
  },
  {
    ...tinyIot,
    id: 'long-ri',
    request: 'an X-M2M-RI of more than 110 bytes',
    when: { 'longer header': { name: 'X-M2M-RI', bytes: 110 } },
  },
  {
    ...tinyIot,
    id: 'create.cin.without-con',
    request: 'a content instance without con',
    when: { method: 'POST', type: 'content instance', 'without attribute': 'con' },
  },
  {
    ...tinyIot,
    id: 'create.rcn-9',
    request: 'a create with rcn=9',
    when: { method: 'POST', query: { rcn: '9' } },
  },
  {
    ...tinyIot,
    id: 'acp.without-acop',
    request: 'an access control rule without acop',
    when: { method: ['POST', 'PUT'], type: 'access control policy', 'without attribute': 'pv.acr.acop' },
  },
  {
    ...tinyIot,
    id: 'removed.ri',
    request: 'a request for a removed content instance by its identifier',
    when: { removed: true },
    only: true,
  },
  {
    ...{ product: 'ACME', version: '2026.05.1', effect: 'kills' },
    id: 'chunk-size',
    request: 'a chunk that says to have more than 2 GiB',
    happened: 'it fills the memory of its machine until the system ends it',
    when: { 'larger chunk': 2 ** 31 },
  },
  {
    ...forGood,
    id: 'retrieve.rcn-7',
    request: 'a retrieve with rcn=7',
    when: { method: 'GET', query: { rcn: '7' } },
  },
  {
    ...forGood,
    id: 'retrieve.rt',
    request: 'a retrieve with rt=1 or rt=2',
    when: { method: 'GET', query: { rt: ['1', '2'] } },
  },
  {
    ...atTimes,
    id: 'change.newest',
    request: 'a change of the newest or the oldest instance',
    when: { method: ['POST', 'PUT', 'DELETE'], 'path ends with': newest },
  },
  {
    ...atTimes,
    id: 'create.without-origin',
    request: 'a create without X-M2M-Origin',
    when: { method: 'POST', 'without header': 'X-M2M-Origin' },
  },
  {
    ...atTimes,
    id: 'create.without-ri',
    request: 'a create without X-M2M-RI',
    when: { method: 'POST', 'without header': 'X-M2M-RI' },
  },
  {
    ...atTimes,
    id: 'create.no-json',
    request: 'a create whose body is no JSON',
    when: { method: 'POST', body: 'no JSON' },
  },
];
