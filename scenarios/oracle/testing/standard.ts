/** For tests: exchanges of the standard's dialect, with an application entity that has a container. */
import assert from 'node:assert/strict';
import type { Exchange } from '../../engine/results/exchange.ts';
import { Judge, type JudgeOptions } from '../judge.ts';
import { rulesOf } from '../rules.ts';

export const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp.example.com' };
export const times = { ct: '20261122T100000', lt: '20261122T100000', et: '20261122T110000' };
export const ae = {
  ...times,
  ri: 'Capp',
  rn: 'app',
  ty: 2,
  pi: 'cb0',
  aei: 'Capp',
  api: 'Na',
  rr: false,
  lbl: ['one'],
};
export const container = { ...times, ri: 'cnt0', rn: 'box', ty: 3, pi: 'Capp', cni: 0, cbs: 0, st: 0, lbl: ['a', 'b'] };
export const instance = {
  ...times,
  ri: 'cin0',
  rn: 'one',
  ty: 4,
  pi: 'cnt0',
  con: 'abc',
  cnf: 'text/plain:0',
  cs: 3,
  st: 1,
};
export const types = new Map([
  ['m2m:ae', 2],
  ['m2m:cnt', 3],
  ['m2m:cin', 4],
  ['m2m:sub', 23],
  ['m2m:grp', 9],
  ['m2m:acp', 1],
  ['m2m:nod', 14],
  ['m2m:pch', 15],
  ['m2m:csr', 16],
  ['m2m:ts', 29],
  ['m2m:tsi', 30],
  ['cod:lamp', 28],
]);
export const codes = new Map([
  ['POST', 2001],
  ['GET', 2000],
  ['PUT', 2004],
  ['DELETE', 2002],
]);

export interface StandardAnswer {
  readonly status?: number;
  readonly code?: number;
  readonly body?: unknown;
  /** The X-M2M-RI of the answer. */
  readonly echo?: string;
  readonly from?: string;
  /** In place of `application/json`; null for none. */
  readonly accept?: string | null;
}

type Body = Readonly<Record<string, unknown>> | undefined;

export function exchange(line: string, sent: Body, answer: StandardAnswer): Exchange {
  const [method = '', path = ''] = line.split(' ');
  const ty = types.get(Object.keys(sent ?? {})[0] ?? '');
  const type = method === 'POST' ? `application/json;ty=${ty}` : 'application/json';
  const { status = method === 'POST' ? 201 : 200, code = codes.get(method), body, echo = 'r', from = 'Capp' } = answer;
  const { accept = 'application/json' } = answer;
  return {
    request: {
      method,
      path,
      headers: [
        ['X-M2M-Origin', from],
        ['X-M2M-RI', 'r'],
        ['X-M2M-RVI', '3'],
        ...(accept === null ? [] : [['Accept', accept] as const]),
        ...(sent === undefined ? [] : [['Content-Type', type] as const]),
      ],
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    },
    answer: {
      status,
      headers: [
        ['X-M2M-RI', echo],
        ['X-M2M-RSC', String(code)],
      ],
      body: body === undefined ? '' : JSON.stringify(body),
    },
    ...{ at: 0, took: 1, curl: '' },
  };
}

export const box = '/cse-in/app/box';
export const one = { 'm2m:cin': { rn: 'one', con: 'abc', cnf: 'text/plain:0' } };

/** A judge after the creation and retrieval of an application entity with a container. */
export function judge(more: Partial<JudgeOptions> = { looksAtPolicies: true }) {
  const about = { dialect: 'onem2m' as const, names, ...more, levelOf: () => 'standard' as const };
  const judging = new Judge({ rules: rulesOf('onem2m'), ...about });
  const broken = (line: string, sent?: Body, answer: StandardAnswer = {}) =>
    judging.judge(exchange(line, sent, answer)).map(({ requirement }) => requirement);
  const { api, rr, lbl } = ae;
  const sound = [
    broken('POST /cse-in', { 'm2m:ae': { rn: 'app', api, rr, lbl } }, { body: { 'm2m:ae': ae } }),
    broken('GET /cse-in/app', undefined, { body: { 'm2m:ae': ae } }),
    broken('POST /cse-in/app', { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, { body: { 'm2m:cnt': container } }),
    broken(`GET ${box}`, undefined, { body: { 'm2m:cnt': container } }),
  ];
  assert.deepEqual(sound.flat(), []);
  return { judging, broken };
}

export type Row = readonly [requirement: string, line: string, answer: StandardAnswer, before?: Step];
export type Step = readonly [line: string, sent?: Body, answer?: StandardAnswer];

export const containerWith = (attributes: Readonly<Record<string, unknown>>): StandardAnswer => ({
  body: { 'm2m:cnt': { ...container, ...attributes } },
});
export const application = (attributes: Readonly<Record<string, unknown>>): StandardAnswer => ({
  body: { 'm2m:ae': { ...ae, ...attributes } },
});
export const content = (attributes: Readonly<Record<string, unknown>>): StandardAnswer => ({
  body: { 'm2m:cin': { ...instance, ...attributes } },
});
export const absent = undefined;
export const refused: StandardAnswer = { status: 404, code: 4004 };
export const updated: Step = [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'], or: null } }];
export const grown: Step = [`POST ${box}`, one, content({})];

export const bin = { ...container, ri: 'cnt1', rn: 'bin', lbl: ['c'] };
export const besideBox: Step = [
  'POST /cse-in/app',
  { 'm2m:cnt': { rn: 'bin', lbl: ['c'] } },
  { body: { 'm2m:cnt': bin } },
];
export const group = (rn: string, ...mid: readonly string[]): Step => [
  'POST /cse-in/app',
  { 'm2m:grp': { rn, mnm: 9, mid } },
];
export const relabelled = { 'm2m:cnt': { lbl: ['all'] } };
export const agreeing = (...rsp: readonly object[]): StandardAnswer => ({ body: { 'm2m:agr': { 'm2m:rsp': rsp } } });
export const toAll: Step = ['PUT /cse-in/app/g/fopt', relabelled, { code: 2004, ...agreeing({ rsc: 2004 }) }];
