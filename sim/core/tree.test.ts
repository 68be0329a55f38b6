/** The tree's indexes against a naive model: a plain list of resources, filtered anew for every question. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleMoment, type SampleCse, sampleCse } from '../testing/sample-cse.ts';

interface Held {
  path: string;
  labels: string[];
  created: number;
  expires: number;
  bytes: number | undefined;
}

const second = 1_000_000;
const labels = ['red', 'green', 'blue'];

type Action =
  | { do: 'container'; below: number; labels: string[]; lifetime: number }
  | { do: 'instance'; below: number; labels: string[]; lifetime: number; con: string }
  | { do: 'relabel'; which: number; labels: string[] }
  | { do: 'shorten'; which: number; lifetime: number }
  | { do: 'delete'; which: number }
  | { do: 'wait'; seconds: number };

const someLabels = fc.subarray(labels);
const lifetime = fc.integer({ min: 1, max: 60 });
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('container' as const), below: fc.nat(), labels: someLabels, lifetime }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('instance' as const),
      below: fc.nat(),
      labels: someLabels,
      lifetime,
      con: fc.string({ unit: 'grapheme', maxLength: 6 }),
    }),
  },
  fc.record({ do: fc.constant('relabel' as const), which: fc.nat(), labels: fc.subarray(labels, { minLength: 1 }) }),
  fc.record({ do: fc.constant('shorten' as const), which: fc.nat(), lifetime }),
  fc.record({ do: fc.constant('delete' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 20 }) }),
);

/** The model and the CSE side by side; every action is done to both. */
class SideBySide {
  readonly cse: SampleCse = sampleCse();
  held: Held[] = [];
  #made = 0;

  async do(action: Action): Promise<void> {
    switch (action.do) {
      case 'container':
      case 'instance':
        return this.#create(action);
      case 'wait':
        this.cse.clock.microseconds += action.seconds * second;
        this.held = this.held.filter((one) => one.expires > this.cse.clock.microseconds);
        return;
      default:
        return this.#change(action);
    }
  }

  async #create(action: Extract<Action, { con: string } | { do: 'container' }>): Promise<void> {
    const containers = this.held.filter((one) => one.bytes === undefined);
    const parent =
      action.do === 'instance' ? pick(containers, action.below) : pick([undefined, ...containers], action.below);
    if (action.do === 'instance' && parent === undefined) return;
    const rn = `r${this.#made++}`;
    const root = action.do === 'instance' ? 'm2m:cin' : 'm2m:cnt';
    const expires = this.cse.clock.microseconds + action.lifetime * second;
    const con = action.do === 'instance' ? { con: action.con } : {};
    const answer = await this.cse.send('POST', `/${parent?.path ?? 'onem2m'}`, {
      [root]: { rn, lbl: action.labels, et: stamp(expires), ...con },
    });
    assert.equal(answer.status, 201, answer.text);
    this.held.push({
      path: `${parent?.path ?? 'onem2m'}/${rn}`,
      labels: action.labels,
      created: moment(answer.attributes.ct),
      expires: Math.min(expires, parent?.expires ?? Number.POSITIVE_INFINITY),
      bytes: action.do === 'instance' ? Buffer.byteLength(action.con) : undefined,
    });
  }

  async #change(action: Extract<Action, { which: number }>): Promise<void> {
    const target = pick(this.held, action.which);
    if (target === undefined || (action.do !== 'delete' && target.bytes !== undefined)) return;
    if (action.do === 'delete') {
      assert.equal((await this.cse.send('DELETE', `/${target.path}`)).status, 200);
      this.held = this.held.filter((one) => one !== target && !one.path.startsWith(`${target.path}/`));
    } else if (action.do === 'relabel') {
      await this.cse.send('PUT', `/${target.path}`, { 'm2m:cnt': { lbl: action.labels } });
      target.labels = action.labels;
    } else {
      const expires = Math.min(target.expires, this.cse.clock.microseconds + action.lifetime * second);
      await this.cse.send('PUT', `/${target.path}`, { 'm2m:cnt': { et: stamp(expires) } });
      target.expires = expires;
      for (const one of this.held) {
        if (one.path.startsWith(`${target.path}/`)) one.expires = Math.min(one.expires, expires);
      }
    }
  }

  async compare(): Promise<void> {
    // What has expired goes with the next request, whatever it asks for.
    await this.cse.send('GET', '/onem2m');
    assert.equal(this.cse.core.tree.size, 1 + this.held.length);
    assert.equal(this.cse.core.tree.base.descendants, this.held.length);
    for (const one of this.held) await this.#compareOne(one);
    for (const from of [undefined, ...this.held.filter((one) => one.bytes === undefined)])
      await this.#compareDiscovery(from);
  }

  async #compareOne(one: Held): Promise<void> {
    const { attributes } = await this.cse.send('GET', `/${one.path}`);
    assert.equal(moment(attributes.et), one.expires, one.path);
    const byId = await this.cse.send('GET', `/${attributes.ri}`);
    assert.deepEqual(byId.attributes, attributes);
    if (one.bytes !== undefined) return;
    const direct = this.held.filter((other) => other.bytes !== undefined && isChild(one, other));
    const bytes = direct.reduce((sum, other) => sum + (other.bytes ?? 0), 0);
    assert.deepEqual([attributes.cni, attributes.cbs], [direct.length, bytes], one.path);
    const latest = await this.cse.send('GET', `/${one.path}/latest`);
    const newest = direct.at(-1);
    assert.equal(latest.status, newest === undefined ? 404 : 200);
    if (newest !== undefined) assert.equal(latest.attributes.rn, newest.path.split('/').at(-1));
  }

  async #compareDiscovery(from: Held | undefined): Promise<void> {
    const middle = this.held[this.held.length >>> 1]?.created ?? 0;
    const start = from?.path ?? 'onem2m';
    const below = this.held.filter((one) => one.path.startsWith(`${start}/`));
    const questions: [string, (one: Held) => boolean][] = [
      ['', () => true],
      ['&lbl=red&lbl=blue', (one) => one.labels.includes('red') || one.labels.includes('blue')],
      [`&cra=${encodeURIComponent(stamp(middle))}`, (one) => one.created > middle],
      [
        `&lbl=green&crb=${encodeURIComponent(stamp(middle))}`,
        (one) => one.labels.includes('green') && one.created < middle,
      ],
      ['&fo=2&lbl=red&ty=4', (one) => one.labels.includes('red') || one.bytes !== undefined],
      ['&lvl=1', (one) => isChild(from ?? { path: 'onem2m' }, one)],
    ];
    for (const [query, holds] of questions) {
      const answer = await this.cse.send('GET', `/${start}?fu=1${query}`);
      const expected = below.filter(holds).map((one) => one.path);
      assert.deepEqual((answer.json as Record<string, unknown>)['m2m:uril'], expected, query);
    }
  }
}

test('after any operations, indexes, counters and discovery agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { maxLength: 40 }), async (actions) => {
      const both = new SideBySide();
      for (const action of actions) await both.do(action);
      await both.compare();
    }),
    { numRuns: 150 },
  );
});

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list.length === 0 ? undefined : list[at % list.length];
}

const isChild = (parent: { path: string }, one: Held) => one.path.slice(0, one.path.lastIndexOf('/')) === parent.path;

/** Independent of the dialect's writer: by way of Date and text. */
function stamp(microseconds: number): string {
  const text = String(microseconds).padStart(16, '0');
  return `${new Date(Number(text.slice(0, -3))).toISOString().slice(0, -1)}${text.slice(-3)}+00:00`;
}

function moment(text: unknown): number {
  const [, milliseconds = '', rest = ''] = /^(.*\.\d{3})(\d{3})\+00:00$/.exec(String(text)) ?? [];
  return Date.parse(`${milliseconds}Z`) * 1000 + Number(rest);
}

test('of many rescheduled and removed resources, the rest expire each at its time', async () => {
  const cse = sampleCse();
  const { core, clock } = cse;
  const at = (seconds: number) => stamp(exampleMoment + seconds * second);
  const paths = Array.from({ length: 200 }, (_, place) => `onem2m/c${place}`);
  for (const [place, path] of paths.entries()) {
    const content = { 'm2m:cnt': { rn: path.slice(7), et: at(1000 - place) } };
    core.perform({ operation: 'create', to: 'onem2m', content });
  }
  for (const [place, to] of paths.entries()) {
    if (place % 4 > 0) core.perform({ operation: 'delete', to });
    else core.perform({ operation: 'update', to, content: { 'm2m:cnt': { et: at(place + 1) } } });
  }
  for (let left = 50; left > 0; left--) {
    assert.equal(core.tree.base.descendants, left);
    assert.equal(core.tree.nextExpiration, exampleMoment + ((50 - left) * 4 + 1) * second);
    clock.microseconds = exampleMoment + ((50 - left) * 4 + 1) * second;
    core.tree.expire(clock.microseconds);
  }
  assert.deepEqual([core.tree.base.descendants, core.tree.nextExpiration], [0, undefined]);
});

test('where expiration has no effect, only instances older than their container allows are removed', async () => {
  const { core, clock } = sampleCse({ keepExpired: true });
  const make = (to: string, content: object) => core.perform({ operation: 'create', to, content });
  const et = stamp(exampleMoment + 10 * second);
  make('onem2m', { 'm2m:cnt': { rn: 'kept', et } });
  make('onem2m/kept', { 'm2m:cin': { con: '1', et } });
  make('onem2m', { 'm2m:cnt': { rn: 'young', mia: 10 } });
  make('onem2m/young', { 'm2m:cin': { con: '1' } });
  clock.microseconds += 11 * second;
  core.tree.expire(clock.microseconds);
  assert.deepEqual([core.tree.base.children?.get('young')?.descendants, core.tree.size], [0, 4]);
});

test('the CSE base stays, and is the only one', () => {
  const { tree } = sampleCse().core;
  assert.throws(() => tree.remove(tree.base), { message: 'the CSE base stays' });
  assert.throws(() => tree.add(tree.base), { message: 'only the CSE base has no parent' });
});
