/** Each deviation of a pair shows: after the same requests to both CSEs the last answer is another one than on a sound pair. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { joinPair } from '../topology/joined-pair.ts';
import { deviations } from './index.ts';

const written = deviations();

const pairs = written.filter(({ id }) => id.startsWith('pair.'));

interface Sent {
  readonly on: 'gateway' | 'backend';
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A request, or a time that passes. */
type Step = Sent | string;

const at = (on: Sent['on']) => ({
  ae: (base: string, rn: string, more: object = {}): Sent => {
    return { on, method: 'POST', path: base, body: { 'm2m:ae': { rn, api: 'a', rr: 'TRUE', ...more } } };
  },
  cnt: (path: string, rn: string): Sent => ({ on, method: 'POST', path, body: { 'm2m:cnt': { rn } } }),
  cin: (path: string, rn: string): Sent => {
    return { on, method: 'POST', path, body: { 'm2m:cin': { rn, con: 'x', cnf: 'text/plain:0' } } };
  },
  get: (path: string): Sent => ({ on, method: 'GET', path }),
  del: (path: string): Sent => ({ on, method: 'DELETE', path }),
  put: (path: string, lbl: string[]): Sent => ({ on, method: 'PUT', path, body: { 'm2m:ae': { lbl } } }),
});
const [gateway, backend] = [at('gateway'), at('backend')];

const own = '/onem2m';
const [ofGateway, ofBackend] = ['/~/mn-cse-1/onem2m', '/~/in-cse-1/onem2m'];
const box = [gateway.ae(own, 'a'), gateway.cnt(`${own}/a`, 'c')];
const found = gateway.get(`${own}?fu=1&lbl=l`);

const showing: Readonly<Record<string, readonly Step[]>> = {
  'pair.handed-on.creation-uncounted': [...box, backend.cin(`${ofGateway}/a/c`, 'x'), gateway.get(`${own}/a/c`)],
  'pair.handed-on.removal-uncounted': [
    ...[...box, gateway.cin(`${own}/a/c`, 'x')],
    ...[backend.del(`${ofGateway}/a/c/x`), gateway.get(`${own}/a/c`)],
  ],
  'pair.handed-on.creation-not-discovered': [backend.ae(ofGateway, 'a', { lbl: ['l'] }), found],
  'pair.handed-on.creation-never-latest': [
    ...[...box, gateway.cin(`${own}/a/c`, 'x'), backend.cin(`${ofGateway}/a/c`, 'y')],
    gateway.get(`${own}/a/c/latest`),
  ],
  'pair.handed-on.creation-below-base': [...box, backend.cin(`${ofGateway}/a/c`, 'x')],
  'pair.handed-on.update-creates-anew': [gateway.ae(own, 'a'), backend.put(`${ofGateway}/a`, ['l'])],
  'pair.for-the-other.removal-takes-namesake': [
    ...[gateway.ae(own, 'a'), backend.ae(own, 'a'), gateway.del(`${ofBackend}/a`)],
    gateway.get(`${own}/a`),
  ],
  'pair.for-the-other.creation-takes-the-name': [gateway.ae(ofBackend, 'a'), gateway.ae(own, 'a')],
  'pair.for-the-other.update-labels-namesake': [
    ...[gateway.ae(own, 'a'), backend.ae(own, 'a'), gateway.put(`${ofBackend}/a`, ['l'])],
    found,
  ],
  'pair.renewal.loses-labels': [gateway.ae(own, 'a', { lbl: ['l'] }), '2m', found],
};

async function answersTo(steps: readonly Step[], ids: readonly string[]): Promise<unknown[]> {
  const standing = manualClock(Date.UTC(2026, 0, 1) * 1000);
  let looks = 0;
  const clock = { ...standing, now: () => standing.now() + ++looks };
  const pair = await joinPair({ clock, interval: 60, offset: 60, gateway: { deviations: ids } });
  const answered: unknown[] = [];
  for (const step of steps) {
    if (typeof step === 'string') await standing.advance(step);
    if (typeof step === 'string') continue;
    const { on, method, path: target, body } = step;
    const headers = body === undefined ? {} : { 'content-type': 'application/vnd.onem2m-res+json' };
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const answer = await pair[on].http.handle({ method, target, headers, body: bytes });
    answered.push([answer.status, answer.body]);
  }
  return answered;
}

describe('a deviation of a pair shows in the last answer, and in none before it', () => {
  for (const { id, says } of pairs) {
    test(`${id}: ${says}`, async () => {
      const steps = showing[id] ?? [];
      const sound = await answersTo(steps, []);
      const deviating = await answersTo(steps, [id]);
      assert.deepEqual(deviating.slice(0, -1), sound.slice(0, -1));
      assert.notDeepEqual(deviating.at(-1), sound.at(-1));
    });
  }
});
