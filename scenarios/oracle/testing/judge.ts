/** For tests: a judge of the documented dialect, with exchanges. */
import assert from 'node:assert/strict';
import type { Exchange } from '../../engine/results/exchange.ts';
import { Judge, type JudgeOptions } from '../judge.ts';
import { rulesOf } from '../rules.ts';

export const names = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
const json = 'application/vnd.onem2m-res+json';
const times = {
  ct: '2026-11-22T10:00:00.000001+00:00',
  lt: '2026-11-22T10:00:00.000001+00:00',
  et: '2026-11-22T11:00:00.000001+00:00',
};
export const ae = { ...times, ri: 'ae0', rn: 'app', ty: 2, pi: 'cb0', aei: 'C0', api: 'a', rr: true, nl: 'dummy' };
export const container = { ...times, ri: 'cnt0', rn: 'box', ty: 3, pi: 'ae0', cr: 'nobody', cni: 0, cbs: 0, st: '0' };
export const instance = { ...times, rn: 'one', ty: 4, pi: 'cnt0', con: 'abc', cnf: 'text/plain:0', cs: 3, st: '0' };

export interface AnswerSpec {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: number;
}

export function exchange(request: string, sent: unknown, { status, body, headers = {}, at = 0 }: AnswerSpec): Exchange {
  const [method = '', path = ''] = request.split(' ');
  const content = sent === undefined ? {} : { 'Content-Type': json };
  const answer = status === undefined ? undefined : { status, headers: [], body: body === undefined ? '' : text(body) };
  return {
    request: {
      method,
      path,
      headers: Object.entries({ ...content, ...headers }),
      ...(sent !== undefined && { body: text(sent) }),
    },
    ...(answer === undefined ? { failure: { kind: 'timeout', message: 'nothing came' } } : { answer }),
    ...{ at, took: 1, curl: '' },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A judge after the creation and retrieval of an application entity with a container. */
export function judge(
  of: typeof names & { readonly url?: string } = names,
  rules = rulesOf('documented'),
  onRule: JudgeOptions['onRule'] = () => undefined,
) {
  const one = new Judge({
    rules,
    dialect: 'documented',
    names: of,
    levelOf: () => 'documented',
    onRule,
  });
  const broken = (request: string, sent: unknown, answer: AnswerSpec) =>
    one.judge(exchange(request, sent, answer)).map(({ requirement }) => requirement);
  const sound = [
    broken('POST /onem2m', { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } }, { status: 201, body: { 'm2m:ae': ae } }),
    broken('GET /onem2m/app', undefined, { status: 200, body: { 'm2m:ae': ae } }),
    broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201, body: { 'm2m:cnt': container } }),
    broken('GET /onem2m/app/box', undefined, { status: 200, body: { 'm2m:cnt': container } }),
  ];
  assert.deepEqual(sound.flat(), []);
  return { one, broken };
}

export const post = { 'm2m:cin': { rn: 'one', con: 'abc', cnf: 'text/plain:0' } };
