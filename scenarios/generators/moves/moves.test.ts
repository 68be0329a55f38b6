import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerView, nothingSeen } from '../../engine/judging/answer.ts';
import { moveOf } from '../documented/moves.ts';
import { words } from '../documented/words.ts';
import { Events } from '../model/events.ts';
import { Model } from '../model/model.ts';
import type { Doing, Operation } from '../operations/documented.ts';
import { look } from './look.ts';
import { letTimePass } from './looks.ts';
import type { Attempt, Came, Move } from './move.ts';
import type { Ground } from './wording.ts';

const names = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org', label: 'x' };
const plain: Doing<'create'> = {
  does: 'create',
  kind: 'content instance',
  below: 0,
  name: 0,
  form: 'structured',
  labels: [],
  content: 0,
  limit: {},
  by: 'nobody',
  base64: false,
  times: 1,
};

type Timeless = Exclude<Operation, { does: 'advance time' }>;
type Attributes = Readonly<Record<string, unknown>>;
const roots: Readonly<Record<string, string>> = { ae: 'm2m:ae', container: 'm2m:cnt', 'content instance': 'm2m:cin' };

const view = (status: number, root?: string, attributes?: Attributes): AnswerView =>
  ({ ...nothingSeen, status, ...(root && { root, attributes }) }) as AnswerView;
const shows = (root: string, attributes: Attributes): Came => ({
  outcome: 'success',
  view: view(200, root, attributes),
});
const missing: Came = { outcome: 'refused', view: view(404) };

/** Creates whatever is asked for; the rest is answered by `others`. */
class Table {
  readonly ground: Ground;
  readonly asked: Attempt[] = [];
  readonly #others: (attempt: Attempt) => Came;

  constructor(others: (attempt: Attempt) => Came = () => missing) {
    this.#others = others;
    const model = new Model(names);
    const about = { anyOriginator: true, plain: true, standing: true, guards: true, release: '3', atBase: () => ({}) };
    this.ground = { model, events: new Events(model), words, ...about };
  }

  /** The attempts of one move. */
  make(move: Move): Attempt[] {
    const from = this.asked.length;
    for (let next = move.next(); !next.done; ) {
      this.asked.push(next.value);
      next = move.next(this.#answer(next.value));
    }
    return this.asked.slice(from);
  }

  do(operation: Timeless): Attempt[] {
    return this.make(moveOf(operation, this.ground));
  }

  #answer(attempt: Attempt): Came {
    const { step } = attempt;
    if (!('create' in step)) return this.#others(attempt);
    const at = this.asked.length;
    const [ct, et] = ['2017-03-02T16:00:00.000000+00:00', '2017-03-02T16:33:20.000000+00:00'];
    return shows(roots[step.create] ?? '', { ri: `r${at}`, ct, et, ...step.attributes });
  }
}

const addresses = (attempts: readonly Attempt[]) =>
  attempts.map(({ step }) => ('retrieve' in step ? step.retrieve : Object.keys(step)[0]));
const requirements = (attempt: Attempt | undefined) => attempt?.expectations.map(({ requirement }) => requirement);
const created = (attempts: readonly Attempt[]) =>
  attempts.flatMap(({ step }) => ('create' in step ? `${step.in} ${step.attributes?.rn}` : []));
const gone = { status: { not: { between: [200, 299] } } };

test('what can hold a content instance is created before it, and as many of them as are wished for', () => {
  const table = new Table();
  assert.deepEqual(created(table.do({ ...plain, limit: { mni: 3 }, times: 3 })), [
    '/onem2m x-a',
    '/onem2m/x-a a',
    '/onem2m/x-a/a a',
    '/onem2m/x-a/a aa',
    '/onem2m/x-a/a b',
  ]);
  assert.deepEqual(
    table.ground.model.all('container').map(({ held }) => held),
    [{ rn: 'a', mni: 3 }],
  );
});

test('content instances have no reason to go before there are more than the container may hold', () => {
  const table = new Table(() => missing);
  table.do({ ...plain, limit: { mni: 2 }, times: 2 });
  assert.deepEqual(
    addresses(table.asked).filter((one) => one !== 'create'),
    [],
  );
  const third = table.do(plain);
  assert.deepEqual(addresses(third), ['create', '/onem2m/x-a/a/a', '/onem2m/x-a/a/aa', '/onem2m/x-a/a/b']);
  assert.deepEqual(third.slice(1).flatMap(requirements), [
    'retention.mni.oldest-goes',
    'retention.mni.others-stay',
    'retention.mni.others-stay',
  ]);
});

test('that a name can be used again is a gap, at the path / as well', () => {
  for (const form of ['structured', 'structured with a slash at the end'] as const) {
    const table = new Table(() => missing);
    table.do({ ...plain, kind: 'ae' });
    table.do({ ...plain, kind: 'container', below: 1, form });
    const [container] = table.ground.model.all('container');
    assert.ok(container);
    table.ground.model.bury(container);
    const [again] = table.do({ ...plain, kind: 'container', below: 1, form });
    const status = again?.expectations.filter(({ check }) => 'status' in check);
    assert.deepEqual(
      status?.map(({ requirement }) => requirement),
      ['lifecycle.name-free-again'],
    );
  }
});

test('what is read where something had a parent of the same name before belongs to the new one', () => {
  const table = new Table(() => shows('m2m:cnt', { ri: 'r4' }));
  table.do(plain);
  const [container] = table.ground.model.all('container');
  assert.ok(container);
  table.ground.model.bury(container);
  const attempts = table.do({ ...plain, kind: 'container' });
  assert.deepEqual(addresses(attempts), ['create', '/onem2m/x-a/a', '/onem2m/x-a/a/a']);
  const [pi] = attempts[2]?.expectations ?? [];
  assert.equal(pi?.requirement, 'content-instance.pi.is-parent');
});

test('a removed resource is looked for by every address by which it was read', () => {
  let deleted = false;
  const table = new Table(({ step }) => {
    deleted ||= 'delete' in step;
    return deleted && 'retrieve' in step ? missing : shows('m2m:cnt', { ri: 'r2' });
  });
  table.do({ ...plain, kind: 'container' });
  const attempts = table.do({ does: 'delete', what: 0, form: 'structured', seen: 'identifier' });
  assert.deepEqual(addresses(attempts), ['/r2', 'delete', '/onem2m/x-a/a', '/r2']);
  assert.deepEqual(attempts[0]?.expectations, []);
  assert.deepEqual(attempts.at(-1)?.expectations, [{ requirement: 'lifecycle.removed-is-gone', check: gone }]);
  assert.deepEqual(
    table.ground.model.all().map(({ name }) => name),
    ['x-a'],
  );
});

test('where an address is answered by something else, nothing is said of it after a removal', () => {
  const table = new Table(() => shows('m2m:cnt', { ri: 'another' }));
  table.do({ ...plain, kind: 'container' });
  const attempts = table.do({ does: 'delete', what: 0, form: 'structured', seen: 'identifier' });
  assert.deepEqual(addresses(attempts), ['/r2', 'delete', '/onem2m/x-a/a']);
});

test('after a content instance was removed, latest is not that one', () => {
  const table = new Table(({ step }) => ('delete' in step ? shows('m2m:cin', {}) : missing));
  table.do({ ...plain, times: 2 });
  const attempts = table.do({ does: 'delete', what: 0, form: 'structured', seen: 'structured' });
  assert.deepEqual(addresses(attempts), ['delete', '/onem2m/x-a/a/aa', '/onem2m/x-a/a/latest']);
  assert.deepEqual(attempts[2]?.expectations[0], {
    requirement: 'lifecycle.removed-is-gone',
    check: { attributes: { rn: { 'when present': { not: 'aa' } } } },
  });
  assert.ok(requirements(attempts[2])?.includes('latest.status'));
});

test('where nobody knows what a container holds, nothing is asked of its ends', () => {
  const table = new Table();
  table.do({ ...plain, times: 2 });
  const [container] = table.ground.model.all('container');
  assert.ok(container);
  const reading = { what: 0, word: 'latest', form: 'structured', by: 'nobody', times: 1 } as const;
  for (const does of ['retrieve newest or oldest', 'delete newest or oldest'] as const) {
    container.known = true;
    assert.ok(table.do({ does, ...reading }).length > 0);
    container.known = false;
    assert.deepEqual(table.do({ does, ...reading }), []);
  }
});

test('what has expired is gone or is not: a look decides, and its parent has to agree with that', () => {
  for (const isGone of [true, false]) {
    const table = new Table(() => (isGone ? missing : shows('m2m:cin', {})));
    table.do({ ...plain, limit: { mia: 300 } });
    const { model } = table.ground;
    assert.deepEqual(table.make(letTimePass(200_000, table.ground)), []);
    const [attempt] = table.make(letTimePass(160_000, table.ground));
    assert.deepEqual(requirements(attempt), ['retention.mia.old-ones-go']);
    assert.equal(model.all('content instance').length, isGone ? 0 : 1);
    assert.equal(model.all('container')[0]?.known, true);
  }
});

test('what may but need not have expired is looked at, and nothing is expected of it', () => {
  const table = new Table();
  table.do({ ...plain, limit: { mia: 300 } });
  const attempts = table.make(letTimePass(250_000, table.ground));
  assert.deepEqual(addresses(attempts), ['/onem2m/x-a/a/a']);
  assert.deepEqual(attempts[0]?.expectations, []);
});

test('base64 text as the body creates a content instance of which only that it is there is held', () => {
  const table = new Table(() => shows('m2m:cin', { ri: 'r9', rn: 'contentInstance-1', con: 'eyJhIjoxfQ==' }));
  const [, , attempt] = table.do({ ...plain, base64: true });
  assert.ok(attempt !== undefined && 'raw' in attempt.step);
  assert.equal(requirements(attempt)?.[0], 'content-instance.base64-body.creates');
  const [instance] = table.ground.model.all('content instance');
  assert.equal(instance?.name, 'contentInstance-1');
  assert.deepEqual(instance?.held, {});
});

test('base64 text is sent as an ordinary content instance where bytes are limited', () => {
  const attempts = new Table().do({ ...plain, base64: true, limit: { mbs: 3 } });
  assert.ok(attempts.every(({ step }) => 'create' in step));
});

test('latest is read so many times, and what another originator reads is the newest if it is anything', () => {
  const table = new Table();
  table.do({ ...plain, times: 2 });
  const reading = { what: 0, word: 'latest', form: 'structured', times: 3 } as const;
  const attempts = table.do({ does: 'retrieve newest or oldest', ...reading, by: 'guest' });
  assert.deepEqual(
    attempts.map(({ by, expect }) => `${by} ${expect}`),
    Array.from({ length: 3 }, () => 'guest either'),
  );
  assert.ok(!requirements(attempts[0])?.includes('latest.status'));
  assert.ok(requirements(attempts[0])?.includes('latest.newest'));
});

test('a look reads the newest as those as well whose own are others, and again by the path that names the CSE', () => {
  const table = new Table(({ step }) => {
    const path = 'retrieve' in step ? step.retrieve : '';
    return shows('m2m:cnt', { ri: path.endsWith('/a/a') ? 'r1' : '' });
  });
  table.do({ ...plain, by: 'visitor' });
  table.do(plain);
  table.do({ does: 'retrieve', what: 2, form: 'SP-relative', by: 'nobody' });
  const attempts = table.make(look(table.ground));
  const latest = attempts.filter(({ step }) => 'retrieve' in step && step.retrieve.endsWith('/latest'));
  assert.deepEqual(
    latest.map(({ by }) => by),
    ['nobody', 'visitor'],
  );
  const [again] = attempts.filter(({ step }) => 'retrieve' in step && step.retrieve.startsWith('/~/'));
  assert.equal(again?.expect, 'success');
});
