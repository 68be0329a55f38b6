import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerView, emptyView } from '../../engine/judging/answer.ts';
import { CreatedResources } from '../created/created.ts';
import { moveOf, traits } from '../documented/moves.ts';
import type { DocumentedOperation, Doing } from '../operations/documented.ts';
import { look } from './look.ts';
import type { Attempt, AttemptResponse, Move } from './move.ts';
import type { MoveContext } from './move-context.ts';

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

type Attributes = Readonly<Record<string, unknown>>;
const roots: Readonly<Record<string, string>> = { ae: 'm2m:ae', container: 'm2m:cnt', 'content instance': 'm2m:cin' };

const view = (status: number, root?: string, attributes?: Attributes): AnswerView =>
  ({ ...emptyView, status, ...(root && { root, attributes }) }) as AnswerView;
const shows = (root: string, attributes: Attributes): AttemptResponse => ({
  outcome: 'success',
  view: view(200, root, attributes),
});
const missing: AttemptResponse = { outcome: 'refused', view: view(404) };

/** Creates whatever is asked for; the rest is answered by `others`. */
class Table {
  readonly context: MoveContext;
  readonly asked: Attempt[] = [];
  readonly #others: (attempt: Attempt) => AttemptResponse;

  constructor(others: (attempt: Attempt) => AttemptResponse = () => missing) {
    this.#others = others;
    const about = { anyOriginator: true, virtualTime: true, checksPolicies: true, release: '3', atBase: () => ({}) };
    this.context = { created: new CreatedResources(names), traits, ...about };
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

  do(operation: DocumentedOperation): Attempt[] {
    return this.make(moveOf(operation, this.context));
  }

  #answer(attempt: Attempt): AttemptResponse {
    const { step } = attempt;
    if (!('create' in step)) return this.#others(attempt);
    const at = this.asked.length;
    const [ct, et] = ['2017-03-02T16:00:00.000000+00:00', '2017-03-02T16:33:20.000000+00:00'];
    return shows(roots[step.create] ?? '', { ri: `r${at}`, ct, et, ...step.attributes });
  }
}

const addresses = (attempts: readonly Attempt[]) =>
  attempts.map(({ step }) => ('retrieve' in step ? step.retrieve : Object.keys(step)[0]));
const created = (attempts: readonly Attempt[]) =>
  attempts.flatMap(({ step }) => ('create' in step ? `${step.in} ${step.attributes?.rn}` : []));

test('what can hold a content instance is created before it, and as many of them as are wished for', () => {
  const table = new Table(() => shows('m2m:cin', {}));
  assert.deepEqual(created(table.do({ ...plain, limit: { mni: 3 }, times: 3 })), [
    '/onem2m x-a',
    '/onem2m/x-a a',
    '/onem2m/x-a/a a',
    '/onem2m/x-a/a aa',
    '/onem2m/x-a/a b',
  ]);
  assert.deepEqual(
    table.context.created.all('container').map(({ attributes: held }) => held),
    [{ rn: 'a', mni: 3 }],
  );
});

test('where a limit may have cost instances, each is looked at, and what is gone is spoken of no more', () => {
  let creations = 0;
  const table = new Table(({ step }) => {
    const isFirst = 'retrieve' in step && step.retrieve.endsWith('/a/a');
    return isFirst && creations > 0 ? missing : shows('m2m:cin', {});
  });
  table.do({ ...plain, limit: { mni: 1 } });
  creations += 1;
  const second = table.do(plain);
  assert.deepEqual(addresses(second), ['create', '/onem2m/x-a/a/a', '/onem2m/x-a/a/aa']);
  assert.deepEqual(
    table.context.created.all('content instance').map(({ name }) => name),
    ['aa'],
  );
});

test('what stood below something is looked for where its place is taken again', () => {
  const table = new Table(() => shows('m2m:cnt', { ri: 'r4' }));
  table.do(plain);
  const [container] = table.context.created.all('container');
  assert.ok(container);
  table.context.created.remove(container);
  const attempts = table.do({ ...plain, kind: 'container' });
  assert.deepEqual(addresses(attempts), ['create', '/onem2m/x-a/a', '/onem2m/x-a/a/a']);
});

test('a removed resource is looked for by every address by which it was read', () => {
  const table = new Table(({ step }) => ('delete' in step ? shows('m2m:cnt', {}) : missing));
  table.do({ ...plain, kind: 'container' });
  const attempts = table.do({ does: 'delete', what: 0, form: 'structured', seen: 'identifier' });
  assert.deepEqual(addresses(attempts), ['/r2', 'delete', '/onem2m/x-a/a', '/r2']);
  assert.deepEqual(
    table.context.created.all().map(({ name }) => name),
    ['x-a'],
  );
});

test('after a content instance was removed, latest is read', () => {
  const table = new Table(({ step }) => ('delete' in step ? shows('m2m:cin', {}) : missing));
  table.do({ ...plain, times: 2 });
  const attempts = table.do({ does: 'delete', what: 0, form: 'structured', seen: 'structured' });
  assert.deepEqual(addresses(attempts), ['delete', '/onem2m/x-a/a/aa', '/onem2m/x-a/a/latest']);
});

test('after time has passed a look decides what is still spoken of', () => {
  for (const isGone of [true, false]) {
    const table = new Table(() => (isGone ? missing : shows('m2m:cin', {})));
    table.do({ ...plain, limit: { mia: 300 } });
    const attempts = table.do({ does: 'advance time', time: '10m' });
    assert.equal(attempts.length, isGone ? 1 : 3);
    assert.equal(table.context.created.all('content instance').length, isGone ? 0 : 1);
  }
});

test('what may have been created where a creation was refused is looked for', () => {
  const table = new Table();
  table.do({ ...plain, kind: 'container' });
  const wrong = { does: 'wrong', mistake: 'unknown attribute', kind: 'container', what: 0, content: 0 } as const;
  assert.deepEqual(addresses(table.do(wrong)), ['create', '/onem2m/x-a/a/x']);
});

test('base64 text as the body creates a content instance by the name in the answer', () => {
  const table = new Table(() => shows('m2m:cin', { ri: 'r9', rn: 'contentInstance-1', con: 'eyJhIjoxfQ==' }));
  const [, , attempt] = table.do({ ...plain, base64: true });
  assert.ok(attempt !== undefined && 'raw' in attempt.step);
  const [instance] = table.context.created.all('content instance');
  assert.equal(instance?.name, 'contentInstance-1');
  assert.deepEqual(instance?.attributes, {});
});

test('base64 text is sent as an ordinary content instance where bytes are limited', () => {
  const attempts = new Table().do({ ...plain, base64: true, limit: { mbs: 3 } });
  assert.ok(attempts.every(({ step }) => !('raw' in step)));
});

test('latest is read so many times, as the requested originator', () => {
  const table = new Table();
  table.do({ ...plain, times: 2 });
  const reading = { what: 0, word: 'latest', form: 'structured', times: 3 } as const;
  const attempts = table.do({ does: 'retrieve newest or oldest', ...reading, by: 'guest' });
  assert.deepEqual(
    attempts.map(({ by }) => by),
    ['guest', 'guest', 'guest'],
  );
});

test('a look reads the newest as those as well whose own are others, and again by the path that names the CSE', () => {
  const table = new Table(() => shows('m2m:cnt', {}));
  table.do({ ...plain, by: 'visitor' });
  table.do(plain);
  table.do({ does: 'retrieve', what: 2, form: 'SP-relative', by: 'nobody' });
  const attempts = table.make(look(table.context));
  const latest = attempts.filter(({ step }) => 'retrieve' in step && step.retrieve.endsWith('/latest'));
  assert.deepEqual(
    latest.map(({ by }) => by),
    ['nobody', 'visitor'],
  );
  assert.equal(attempts.filter(({ step }) => 'retrieve' in step && step.retrieve.startsWith('/~/')).length, 1);
});
