import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createCse, serveHttp } from '../../sim/index.ts';
import { check, type RunResult } from '../index.ts';
import { normaliserOf } from './normalise.ts';
import { namedChecks } from './observe.ts';
import { signatureOf } from './signature.ts';
import { exchangeOf, failed, runOf, scenario, step } from './testing/result.ts';

/** What differs between two runs of the same scenario. */
const circumstances = fc.record({
  run: fc.stringMatching(/^[0-9a-z]{7}$/),
  number: fc.integer({ min: 1, max: 9999 }),
  port: fc.integer({ min: 1024, max: 65_535 }),
  identifier: fc.oneof(
    fc.integer({ min: 1, max: 10_000_000 }).map((count) => `cnt${count}`),
    fc.stringMatching(/^[A-Za-z]{9}\d[A-Za-z]{5}$/),
    fc.stringMatching(/^\d{1,2}-20\d{6}T\d{6},\d{7}$/),
    fc.uuid(),
  ),
  time: fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
});
type Circumstances = typeof circumstances extends fc.Arbitrary<infer T> ? T : never;

const show = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length <= 160 ? text : `${text.slice(0, 160)}… (${text.length} characters)`;
};

const deviations: Readonly<Record<string, (of: Circumstances) => string>> = {
  status: () => 'status 200, RSC 2001',
  'another status': () => 'status 409, RSC 4105',
  'no attribute': () => 'attribute ri is absent',
  identifier: ({ identifier }) => `attribute ri is ${show(identifier)}`,
  name: ({ run, number }) => `attribute rn is ${show(`CL-${run}-${number}`.toUpperCase())}`,
  time: ({ time }) => `attribute ct is ${show(time.toISOString())}`,
  'time without a zone': ({ time }) => `attribute ct is ${show(time.toISOString().replace('Z', ''))}`,
  'compact time': ({ time }) => `attribute ct is ${show(time.toISOString().replace(/[-:]|\.\d+Z/g, ''))}`,
  date: ({ time }) => `header date is ${show(time.toUTCString())}`,
  host: ({ port }) => `header location is ${show(`http://127.0.0.1:${port}/onem2m/x`)}`,
  refused: ({ port }) => `no answer: the connection was refused (connect ECONNREFUSED 127.0.0.1:${port})`,
  body: ({ identifier, time }) => {
    const text = time.toISOString();
    return `body is ${show({ 'm2m:container': { rn: 'one', ri: identifier, pi: identifier, ct: text, lt: text, et: text } })}`;
  },
  'another body': ({ identifier }) => `body is ${show({ 'm2m:cin': { rn: 'one', ri: identifier } })}`,
  'text of one kind': () => 'attribute con is "one"',
  'text of another': () => 'attribute con is "two"',
};

function signature(of: Circumstances, actual: string, run = of.run): string {
  const path = `/onem2m/cl-${of.run}-${of.number}`;
  const exchange = exchangeOf(path, `127.0.0.1:${of.port}`, { 'm2m:cnt': { ri: of.identifier, rn: 'one' } });
  const one = scenario('documented/ae/create', [step(`retrieve ${path}`, [failed('ae.ri', actual)], exchange)]);
  return signatureOf({ actual }, normaliserOf(runOf([one], { run }), one)).text;
}

describe('a signature', () => {
  for (const [name, actual] of Object.entries(deviations)) {
    test(`of "${name}" is the same in every run`, () => {
      fc.assert(
        fc.property(circumstances, circumstances, (a, b) => {
          assert.equal(signature(a, actual(a)), signature(b, actual(b)));
        }),
      );
    });
  }

  test('is that of its shard in a merged report', () => {
    fc.assert(
      fc.property(circumstances, fc.stringMatching(/^[0-9a-z]{7}$/), (of, other) => {
        const actual = `attribute pi is "cl-${of.run}-${of.number}", run ${of.run}`;
        assert.equal(signature(of, actual, `${other}+${of.run}`), signature(of, actual));
      }),
    );
  });

  test('tells deviations apart', () => {
    const [of] = fc.sample(circumstances, 1);
    assert.ok(of);
    const all = Object.values(deviations).map((actual) => signature(of, actual(of)).slice(0, 10));
    assert.equal(new Set(all).size, all.length);
  });

  test('knows a list of paths in any order, and what other scenarios created', () => {
    const [of] = fc.sample(circumstances, 1);
    assert.ok(of);
    const list = (...numbers: number[]) =>
      `discovery result is ${show(numbers.map((n) => `/onem2m/cl-${of.run}-${n}/a`))}`;
    const { number } = of;
    assert.equal(signature(of, list(number, number + 1)), signature(of, list(number + 7, number)));
    assert.notEqual(signature(of, list(number)), signature(of, list(number, number + 1)));
  });
});

async function failuresAt(deviations: readonly string[]): Promise<string[]> {
  await using server = await serveHttp(createCse({ deviations }).http);
  const ids = ['documented/ae', 'documented/container', 'documented/identifiers'];
  const events = check({ target: { kind: 'url', url: server.url }, ids, again: false });
  let event = await events.next();
  while (!event.done) event = await events.next();
  const result: RunResult = event.value;
  return result.scenarios
    .flatMap((one) => namedChecks(one, result))
    .filter(({ check: { state } }) => state === 'failed')
    .map((one) => {
      const words = one.signature.text;
      return [one.scenario.id, one.check.requirement, one.step, one.nth, words].join(' | ');
    });
}

test('two runs against two CSEs at two ports have the same names and signatures', async () => {
  const deviations = [
    'ae.rn.capitals',
    'container.ty.text',
    'ae.ri.letters',
    'container.pi.cse-base',
    'wire.timestamp.z',
  ];
  const [first, second] = [await failuresAt(deviations), await failuresAt(deviations)];
  assert.ok(first.length > 10, first.join('\n'));
  assert.deepEqual(first, second);
});
