/** Each stateful deviation shows: after the same requests a sound CSE gives another answer to the last one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, sampleCse } from '../../testing/sample-cse.ts';
import { deviations } from '../index.ts';

const written = deviations();

const stateful = written.filter(({ id }) => id.startsWith('stateful.'));

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A request, requests at the same moment, or seconds that pass. */
type Step = Sent | readonly Sent[] | number;

const post = (path: string, body: unknown): Sent => ({ method: 'POST', path: `/onem2m${path}`, body });
const ae = (rn: string, more: object = {}) => post('', { 'm2m:ae': { rn, api: 'a', rr: 'TRUE', ...more } });
const cnt = (path: string, rn: string, more: object = {}) => post(path, { 'm2m:cnt': { rn, ...more } });
const cin = (path: string, con: string, rn?: string) =>
  post(path, { 'm2m:cin': { con, cnf: 'text/plain:0', ...(rn !== undefined && { rn }) } });
const get = (path: string): Sent => ({ method: 'GET', path: `/onem2m${path}` });
const del = (path: string): Sent => ({ method: 'DELETE', path: `/onem2m${path}` });
const put = (path: string, body: unknown): Sent => ({ method: 'PUT', path: `/onem2m${path}`, body });
const named = ({ path, ...sent }: Sent): Sent => ({ ...sent, path: `/~/mn-cse-1${path}` });
const by = (originator: string, sent: Sent): Sent => ({ ...sent, headers: { 'x-m2m-origin': originator } });
const found = (label: string, more = '') => get(`?fu=1&lbl=${label}${more}`);
const times = (count: number, step: (time: number) => Sent) => Array.from({ length: count }, (_, time) => step(time));

const app = ae('a');
const box = [app, cnt('/a', 'c')];
const two = [...box, cin('/a/c', 'x', 'x'), cin('/a/c', 'y', 'y')];
const nested = [...box, cnt('/a/c', 'd')];
const small = (limits: object) => [app, cnt('/a', 'c', limits)];
const labelled = [app, cnt('/a', 'c', { lbl: ['l'] })];
const updated = (labels: string[]) => put('/a/c', { 'm2m:cnt': { lbl: labels } });
const soon = '20170302T161300';

/** The shortest requests whose last answer the deviation changes, and none before it. */
const showing: Readonly<Record<string, readonly Step[]>> = {
  'stateful.nested.cni-zero': [...nested, cin('/a/c/d', 'x', 'x'), get('/a/c/d')],
  'stateful.nested.latest-is-oldest': [...nested, cin('/a/c/d', 'x'), cin('/a/c/d', 'y'), get('/a/c/d/latest')],
  'stateful.nested.pi-outermost': [...nested, cin('/a/c/d', 'x')],
  'stateful.nested.not-discovered': [...labelled, cnt('/a/c', 'd', { lbl: ['l'] }), found('l')],
  'stateful.sp-relative.container-remembered': [...box, named(get('/a/c')), cin('/a/c', 'x'), named(get('/a/c'))],
  'stateful.sp-relative.creation-uncounted': [...box, named(cin('/a/c', 'x')), get('/a/c')],
  'stateful.sp-relative.half-removed': [...box, named(del('/a/c')), get('/a/c')],
  'stateful.every-10th.creation-is-200': [...box, ...times(10, () => cin('/a/c', 'x'))],
  'stateful.every-5th.creation-is-lost': [...box, ...times(5, (time) => cin('/a/c', 'x', `x${time}`)), get('/a/c/x4')],
  'stateful.every-3rd.latest-is-late': [...two, ...times(3, () => get('/a/c/latest'))],
  'stateful.every-2nd.latest-is-consumed': [...two, ...times(3, () => get('/a/c/latest'))],
  'stateful.same-content.not-created': [...box, cin('/a/c', 'x', 'x'), cin('/a/c', 'x', 'y')],
  'stateful.many.ch-cut': [app, ...times(4, (time) => cnt('/a', `c${time}`)), get('/a')],
  'stateful.removed.cni-not-lowered': [...two, del('/a/c/x'), get('/a/c')],
  'stateful.removed.cbs-not-lowered': [...two, del('/a/c/x'), get('/a/c')],
  'stateful.removed.latest-is-a-ghost': [...two, del('/a/c/y'), get('/a/c/latest')],
  'stateful.removed.latest-is-lost': [...two, del('/a/c/y'), get('/a/c/latest')],
  'stateful.expired.cni-not-lowered': [...small({ mia: 10 }), cin('/a/c', 'x'), 60, get('/a/c')],
  'stateful.limit.full-takes-nothing': [...small({ mni: 1 }), cin('/a/c', 'x'), cin('/a/c', 'y')],
  'stateful.limit.last-byte-refused': [...small({ mbs: 2 }), cin('/a/c', 'xy')],
  'stateful.limit.one-less': [...small({ mni: 1 }), cin('/a/c', 'x', 'x'), get('/a/c/x')],
  'stateful.limit.cni-not-lowered': [...small({ mni: 1 }), cin('/a/c', 'x'), cin('/a/c', 'y'), get('/a/c')],
  'stateful.limit.cbs-not-lowered': [...small({ mni: 1 }), cin('/a/c', 'x'), cin('/a/c', 'y'), get('/a/c')],
  'stateful.limit.latest-is-oldest': [...small({ mni: 2 }), ...times(3, () => cin('/a/c', 'x')), get('/a/c/latest')],
  'stateful.refused.counted': [...box, post('/a/c', {}), get('/a/c')],
  'stateful.refused.takes-its-place': [...box, cin('/a/c', 'x', 'x'), cin('/a/c', 'y', 'x'), get('/a/c/x')],
  'stateful.refused.next-read-fails': [...box, get('/b'), get('/a/c')],
  'stateful.index.lists-removed': [...labelled, del('/a/c'), found('l')],
  'stateful.index.new-label-unknown': [...box, updated(['l']), found('l')],
  'stateful.index.old-label-kept': [...labelled, updated(['m']), found('l')],
  'stateful.index.second-life-unknown': [...labelled, del('/a/c'), cnt('/a', 'c', { lbl: ['l'] }), found('l')],
  'stateful.index.parent-update-hides': [...labelled, put('/a', { 'm2m:ae': { lbl: ['m'] } }), found('l')],
  'stateful.index.updated-is-created': [...labelled, 60, updated(['l']), found('l', `&cra=${soon}`)],
  'stateful.update.loses-labels': [...labelled, put('/a/c', { 'm2m:cnt': { mni: 9 } }), found('l')],
  'stateful.update.resets-api': [app, put('/a', { 'm2m:ae': { lbl: ['l'] } }), get('/a')],
  'stateful.update.resets-rr': [app, put('/a', { 'm2m:ae': { lbl: ['l'] } }), get('/a')],
  'stateful.update.creates-anew': [...box, updated(['l'])],
  'stateful.update.goes-back': [...box, updated(['l']), get('/a/c')],
  'stateful.child.creates-parent-anew': [...box, get('/a')],
  'stateful.child.removal-resets-parent': [...box, del('/a/c'), get('/a')],
  'stateful.delete.leaves-grandchildren': [...box, cin('/a/c', 'x', 'x'), del('/a'), get('/a/c/x')],
  'stateful.delete.leaves-identifier': [...box, del('/a/c'), { method: 'GET', path: '/cnt0' }],
  'stateful.delete.stays-in-ch': [...box, del('/a/c'), get('/a')],
  'stateful.delete.takes-namesakes': [...box, cnt('/a', 'c2'), del('/a/c'), get('/a/c2')],
  'stateful.expired.still-read': [...small({ mia: 10 }), cin('/a/c', 'x', 'x'), 60, get('/a/c/x')],
  'stateful.second-life.refused': [...box, del('/a/c'), cnt('/a', 'c')],
  'stateful.second-life.counts-on': [...box, cin('/a/c', 'x'), del('/a/c'), cnt('/a', 'c')],
  'stateful.second-life.container-ri-again': [...box, cnt('/a', 'd'), del('/a/c'), cnt('/a', 'e')],
  'stateful.second-life.aei-again': [app, ae('b'), del('/a'), ae('c')],
  'stateful.originators.creator-of-before': [by('//p/c/Cb', app), cnt('/a', 'c')],
  'stateful.originators.cni-of-own': [...box, cin('/a/c', 'x'), by('//p/c/Cb', get('/a/c'))],
  'stateful.originators.latest-of-own': [
    ...box,
    by('//p/c/Cb', cin('/a/c', 'x')),
    cin('/a/c', 'y'),
    by('//p/c/Cb', get('/a/c/latest')),
  ],
  'stateful.race.one-for-all': [...box, [cin('/a/c', 'x'), cin('/a/c', 'y')]],
  'stateful.race.counted-once': [...box, [cin('/a/c', 'x', 'x'), cin('/a/c', 'y', 'y')], get('/a/c')],
  'stateful.race.latest-goes-back': [
    ...box,
    [cin('/a/c', 'x'), cin('/a/c', 'y')],
    ...times(2, () => get('/a/c/latest')),
  ],
  'stateful.race.labels-go-back': [...box, [cin('/a/c', 'x'), updated(['l'])], found('l')],
  'stateful.race.removed-comes-back': [...box, cin('/a/c', 'x', 'x'), [cin('/a/c', 'y'), del('/a/c/x')], get('/a/c/x')],
  'stateful.race.child-outlives': [...box, [cin('/a/c', 'x', 'x'), del('/a/c')], get('/a/c/x')],
  'stateful.race.name-taken-twice': [...box, [cin('/a/c', 'x', 'x'), cin('/a/c', 'y', 'x')]],
};

/** What is answered to each step but the passing of time. */
async function answersTo(steps: readonly Step[], ids: readonly string[]): Promise<unknown[]> {
  let number = 0;
  const randomText = (length: number) => String(number++).padStart(length, '0');
  const cse = sampleCse({ deviations: ids, randomText });
  const answered: unknown[] = [];
  for (const step of steps) {
    cse.clock.microseconds += 1_000_000 * (typeof step === 'number' ? step : 1);
    if (typeof step === 'number') continue;
    const sent = Array.isArray(step) ? (step as Sent[]) : [step as Sent];
    const answers = await Promise.all(
      sent.map(({ method, path, body, headers }) => cse.send(method, path, body, headers)),
    );
    answered.push(answers.map(({ status, json }: Answer) => ({ status, json })));
  }
  return answered;
}

describe('a stateful deviation shows in the last answer, and in none before it', () => {
  for (const { id, says } of stateful) {
    test(`${id}: ${says}`, async () => {
      const steps = showing[id] ?? [];
      const sound = await answersTo(steps, []);
      const deviating = await answersTo(steps, [id]);
      assert.deepEqual(deviating.slice(0, -1), sound.slice(0, -1));
      assert.notDeepEqual(deviating.at(-1), sound.at(-1));
    });
  }
});

test('the requests that show a deviation name deviations that there are', () => {
  assert.deepEqual(Object.keys(showing).sort(), stateful.map(({ id }) => id).sort());
});

test('two CSEs with the same deviation have a state of their own', async () => {
  const ids = ['stateful.every-10th.creation-is-200'];
  const steps = showing[ids[0] ?? ''] ?? [];
  assert.deepEqual(await answersTo(steps, ids), await answersTo(steps, ids));
  assert.deepEqual(await answersTo(steps.slice(0, -1), ids), await answersTo(steps.slice(0, -1), []));
});
