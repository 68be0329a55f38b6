import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf } from '../oracle/rules.ts';
import type { RecordedExchange } from './recorded.ts';
import { TrafficJudge } from './traffic-judge.ts';

const names = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
const place = { file: 'traffic.ndjson', line: 1, column: 1 };
const [ct, et] = ['2026-11-22T10:00:00.000000+00:00', '2027-11-22T10:00:00.000000+00:00'];
const times = { ct, lt: ct, et };
const ae = { ...times, ri: 'ae1', rn: 'app', ty: 2, pi: 'cb0', aei: 'ae1', api: 'Na', rr: true, nl: 'node1' };
const container = { ...times, ri: 'cnt1', rn: 'box', ty: 3, pi: 'ae1', cr: 'nobody', cni: 0, cbs: 0, st: '0' };
const instance = { ...times, ty: 4, pi: 'cnt1', cnf: 'text/plain:0', cs: 3, st: '0' };
const type = 'application/vnd.onem2m-res+json';

interface Told {
  readonly status?: number;
  readonly body?: unknown;
  readonly sent?: unknown;
  readonly number?: number;
}

function recorded(
  from: number,
  to: number,
  line: string,
  { status = 200, body, sent, number }: Told = {},
): RecordedExchange {
  const [method = '', path = ''] = line.split(' ');
  const exchange = {
    request: {
      ...{ method, path, headers: sent === undefined ? [] : [['Content-Type', type] as const] },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    },
    ...(status > 0 && { answer: { status, headers: [], body: body === undefined ? '' : JSON.stringify(body) } }),
    ...{ at: from, took: to - from, curl: '' },
  };
  return { exchange, place, from, to, isWhole: true, ...(number !== undefined && { number }) };
}

const box = '/onem2m/app/box';
const made: readonly RecordedExchange[] = [
  recorded(0, 1, 'POST /onem2m', {
    ...{ status: 201, sent: { 'm2m:ae': { rn: 'app', api: 'Na', rr: 'TRUE' } }, body: { 'm2m:ae': ae } },
  }),
  recorded(1, 2, 'POST /onem2m/app', {
    ...{ status: 201, sent: { 'm2m:cnt': { rn: 'box' } }, body: { 'm2m:cnt': container } },
  }),
];
const put = (from: number, to: number, con: string) => {
  const sent = { 'm2m:cin': { rn: con, con, cnf: 'text/plain:0' } };
  const body = { 'm2m:cin': { ...instance, rn: con, ri: `cin${from * 10}`, con, cs: con.length } };
  return recorded(from, to, `POST ${box}`, { status: 201, sent, body });
};
const latest = (from: number, to: number, con: string, ri: string) =>
  recorded(from, to, `GET ${box}/latest`, { body: { 'm2m:cin': { ...instance, rn: con, ri, con } } });
const counted = (from: number, cni: number) =>
  recorded(from, from + 1, `GET ${box}`, { body: { 'm2m:cnt': { ...container, cni, cbs: cni * 3 } } });

type OnFound = (path: string, requirement: string) => void;

function judged(traffic: readonly RecordedExchange[], isAlone = true, onFound: OnFound = () => {}) {
  const broken: string[] = [];
  const kept: string[] = [];
  const judge = new TrafficJudge({
    ...{ rules: rulesOf('documented'), dialect: 'documented', names, levelOf: () => 'documented', isAlone },
    onChecked({ exchange }, checks) {
      for (const { state, requirement } of checks) {
        (state === 'failed' ? broken : kept).push(requirement);
        if (state === 'failed') onFound(exchange.request.path, requirement);
      }
    },
  });
  for (const one of traffic) assert.ok(judge.take(one));
  judge.settle();
  return { broken, kept, counts: judge.counts };
}

const one = put(2, 3, 'one');

test('what came before counts, and what is kept is told once', () => {
  const { broken, kept, counts } = judged([...made, one, put(3, 4, 'two'), latest(5, 6, 'one', 'cin20')]);
  assert.deepEqual(broken, ['latest.newest']);
  assert.equal(kept.filter((id) => id === 'content-instance.con').length, 1);
  assert.deepEqual(counts, { checked: 5, contested: 0, unreadable: 0, isolated: 0, notified: 0 });
});

test('during a write nobody can tell what an answer has to show', () => {
  for (const [from, to] of [
    [4, 6],
    [5.5, 5.6],
    [5.5, 7],
    [3, 7],
  ] as const) {
    const { broken, counts } = judged([...made, one, put(from, to, 'two'), latest(5, 6, 'one', 'cin20')]);
    assert.deepEqual([broken, counts.contested], [[], 1], `${from} to ${to}`);
  }
});

test('creations commute: how many there are is certain, which one is the latest is not', () => {
  const both = [...made, put(2, 4, 'one'), put(3, 5, 'two')];
  assert.deepEqual(judged([...both, counted(6, 1)]).broken.slice(0, 1), ['container.cni.counts']);
  for (const [con, ri] of [
    ['one', 'cin20'],
    ['two', 'cin30'],
  ] as const)
    assert.deepEqual(judged([...both, latest(6, 7, con, ri)]).broken, []);
});

test('of a removal and a creation at the same time nobody can tell which came first', () => {
  const removal = recorded(2, 4, `DELETE ${box}`);
  const gone = recorded(6, 7, `GET ${box}`, { status: 404 });
  assert.deepEqual(judged([...made, removal, put(3, 5, 'one'), gone]).broken, []);
  assert.deepEqual(judged([...made, put(2, 3, 'one'), gone]).broken, ['container.retrieve.status']);
});

test('the order in which exchanges are written down does not matter', () => {
  const traffic = [...made, one, put(3, 4, 'two'), latest(5, 6, 'one', 'cin20'), counted(6, 1)];
  const expected = judged(traffic).broken;
  assert.ok(expected.length > 1);
  assert.deepEqual(judged(traffic.toReversed()).broken, expected);
});

test('in pieces the same is found as at once, and what comes too late is refused', () => {
  const traffic = [...made, one, put(3, 4, 'two'), latest(5, 6, 'one', 'cin20'), counted(6, 1)];
  const broken: string[] = [];
  const judge = new TrafficJudge({
    ...{ rules: rulesOf('documented'), dialect: 'documented', names, levelOf: () => 'documented', isAlone: true },
    onChecked: (_, checks) => broken.push(...checks.flatMap((one) => (one.state === 'failed' ? one.requirement : []))),
  });
  for (const recorded of traffic) {
    assert.ok(judge.take(recorded));
    judge.settle(recorded.from);
  }
  assert.equal(judge.take(latest(2, 3, 'one', 'cin20')), false);
  judge.settle();
  assert.deepEqual(broken, judged(traffic).broken);
});

test('where others may have changed something, or a number is missing, what came before does not count', () => {
  const wrong = [...made, one, put(3, 4, 'two'), latest(5, 6, 'one', 'cin20')];
  assert.deepEqual(judged(wrong, false).broken, []);
  assert.equal(judged(wrong, false).counts.isolated, 5);
  const numbered = wrong.map((one, at) => ({ ...one, number: at + 1 }));
  assert.deepEqual(judged(numbered, false).broken, ['latest.newest']);
  assert.deepEqual(
    judged(
      numbered.map((one, at) => ({ ...one, number: at < 4 ? at : 9 })),
      false,
    ).broken,
    [],
  );
});

test('that a name is taken is no deviation where others may have taken it', () => {
  const refused = recorded(4, 5, 'POST /onem2m', {
    ...{ status: 409, sent: { 'm2m:ae': { rn: 'app', api: 'Na', rr: 'TRUE' } }, body: {} },
  });
  assert.deepEqual(judged([refused], true).broken, ['ae.create.status']);
  assert.deepEqual(judged([...made, refused], false).broken, []);
});

test('what has no answer that can be read is not judged, but leaves open what it has done', () => {
  const lost = { ...recorded(3, 4, `DELETE ${box}`, { status: 0 }) };
  const gone = recorded(6, 7, `GET ${box}`, { status: 404 });
  assert.deepEqual(judged([...made, lost, gone]).broken, []);
  const cut = { ...counted(3, 7), isWhole: false };
  const { broken, counts } = judged([...made, cut]);
  assert.deepEqual([broken, counts.unreadable], [[], 1]);
});

test('of a long recording the latest resources are remembered, and of the others nothing is said', () => {
  const many = Array.from({ length: 2_100 }, (_, at) => put(10 + at, 11 + at, `n${at}`));
  const gone = (name: string) => recorded(9_000, 9_001, `GET ${box}/${name}`, { status: 404 });
  const told: Array<readonly [path: string, requirement: string]> = [];
  const onFound = (path: string, requirement: string) => told.push([path, requirement]);
  judged([...made, ...many, gone('n0'), gone('n2099')], true, onFound);
  assert.deepEqual(told, [[`${box}/n2099`, 'content-instance.retrieve.status']]);
});
