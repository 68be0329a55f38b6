import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import type { Action } from './action.ts';
import type { RequirementFilter } from './changes.ts';
import { explain, shrinkHistory, unexplained } from './explain.ts';
import type { Call, History } from './history.ts';
import { pathOf, requestOf } from './program-run.ts';
import { rowsOf } from './rows.ts';

const { requirements } = loadRequirements();
const levelOf = (id: string) => {
  const requirement = requirements.get(id);
  assert.ok(requirement !== undefined, `${id} is not in the catalogue`);
  return requirement.level;
};
const documented: RequirementFilter = (id) => levelOf(id) === 'documented';
const withGaps: RequirementFilter = (id) => ['documented', 'gap'].includes(levelOf(id));

const context = { label: 'l', base: 'onem2m', cseId: 'mn-cse-1', atBase: {} };

interface Answered {
  readonly status?: number;
  readonly attributes?: Record<string, unknown>;
  readonly found?: readonly string[];
}

/** A request from one instant to another, and its answer; without a status none came. */
function call(action: Action, [from, to]: readonly [number, number], answered: Answered): Call {
  const { does, step } = requestOf(action, context);
  const { status, attributes, found } = answered;
  const outcome = status === undefined ? 'unknown' : status < 300 ? 'success' : 'refused';
  const path = pathOf(step, attributes?.rn);
  const view = { status, attributes, found };
  const end = outcome === 'unknown' ? Number.POSITIVE_INFINITY : to;
  return { originator: undefined, does, step, path, from, to: end, outcome, view };
}

const ae = call({ does: 'create application entity' }, [1, 2], { status: 201, attributes: { ri: 'ae0' } });
const box = call({ does: 'create container', name: 0, labels: [], mni: null }, [3, 4], {
  status: 201,
  attributes: { ri: 'cnt0' },
});
const history = (...calls: Call[]): History => ({ label: 'l', calls: [ae, box, ...calls] });

const instance = (name: number | null): Action => ({ does: 'create content instance', container: 0, name, content: 0 });
const x = instance(0);
const y = instance(1);
const inBox = { container: 0, instance: null };
const readBox: Action = { does: 'retrieve', what: inBox };
const readX: Action = { does: 'retrieve', what: { container: 0, instance: 0 } };
const removeX: Action = { does: 'delete', what: { container: 0, instance: 0 } };
const removeBox: Action = { does: 'delete', what: inBox };
const newest: Action = { does: 'retrieve newest', container: 0 };
const created = (ri: string, rn?: string) => ({ status: 201, attributes: { ri, ...(rn !== undefined && { rn }) } });
const counting = (cni: number, cbs = cni) => ({ status: 200, attributes: { ri: 'cnt0', cni, cbs } });
const named = (rn: string) => ({ status: 200, attributes: { rn } });
const ok = { status: 200 };
const missing = { status: 404 };

/** What is not explained of a history, by what the specification says or with what fills its gaps. */
function verdictOn(calls: readonly Call[], judges: RequirementFilter = documented): string {
  const verdict = explain(history(...calls), judges);
  return verdict.kind === 'unexplained' ? verdict.requirement : verdict.kind;
}

describe('some order explains', () => {
  const explained: Readonly<Record<string, readonly Call[]>> = {
    'one request after the other': [call(x, [5, 6], created('cin0')), call(readBox, [7, 8], counting(1))],
    'a read that misses a creation which is under way': [
      call(x, [5, 9], created('cin0')),
      call(readBox, [6, 7], counting(0)),
    ],
    'a read that sees a creation which is not answered yet': [
      call(x, [5, 9], created('cin0')),
      call(readBox, [6, 7], counting(1)),
      call(newest, [7.5, 8], named('x')),
    ],
    'an answer that shows two things as of two moments': [
      call(x, [5, 9], created('cin0')),
      call(readBox, [6, 7], counting(1, 0)),
    ],
    'either order of two creations': [
      call(x, [5, 8], created('cin0')),
      call(y, [6, 7], created('cin1')),
      call(newest, [9, 10], named('x')),
    ],
    'one of two creations of a name that is refused': [
      call(x, [5, 8], created('cin0')),
      call(x, [6, 7], { status: 409 }),
      call(readBox, [9, 10], counting(1)),
    ],
    'a creation that is not answered, and done': [call(x, [5, 6], {}), call(readBox, [7, 8], counting(1))],
    'a creation that is not answered, and not done': [call(x, [5, 6], {}), call(readBox, [7, 8], counting(0))],
    'a creation that is not answered, and done late': [
      call(x, [5, 6], {}),
      call(readBox, [7, 8], counting(0)),
      call(readBox, [9, 10], counting(1)),
    ],
    'a removal while it is read': [
      call(x, [5, 6], created('cin0')),
      call(removeX, [7, 10], ok),
      call(readX, [8, 9], { status: 200, attributes: { ri: 'cin0' } }),
    ],
  };
  for (const [title, calls] of Object.entries(explained)) {
    test(title, () => assert.equal(verdictOn(calls, withGaps), 'explained'));
  }
});

describe('no order explains', () => {
  const broken: ReadonlyArray<readonly [title: string, requirement: string, calls: readonly Call[]]> = [
    [
      'a counter that has lost an update',
      'container.cni.counts',
      [call(x, [5, 8], created('cin0')), call(y, [6, 7], created('cin1')), call(readBox, [9, 10], counting(1, 2))],
    ],
    [
      'a counter that goes back',
      'container.cni.counts',
      [call(x, [5, 20], created('cin0')), call(readBox, [6, 7], counting(1)), call(readBox, [8, 9], counting(0, 1))],
    ],
    [
      'one identifier for two',
      'common.ri.distinct',
      [call(instance(null), [5, 8], created('cin0', 'n')), call(instance(null), [6, 7], created('cin0', 'm'))],
    ],
    [
      'a newest that goes back',
      'latest.newest',
      [
        call(x, [5, 8], created('cin0')),
        call(y, [6, 7], created('cin1')),
        call(newest, [9, 10], named('x')),
        call(newest, [11, 12], named('y')),
      ],
    ],
    [
      'what was removed and is read',
      'lifecycle.removed-is-gone',
      [
        call(x, [5, 6], created('cin0')),
        call(removeX, [7, 10], ok),
        call(y, [8, 9], created('cin1')),
        call(readX, [11, 12], { status: 200, attributes: { ri: 'cin0' } }),
      ],
    ],
    [
      'what was created and is not read',
      'content-instance.retrieve.status',
      [call(x, [5, 7], created('cin0')), call(y, [6, 8], created('cin1')), call(readX, [9, 10], missing)],
    ],
    [
      'a label that an update gave and that is not found',
      'discovery.label.finds',
      [
        call({ does: 'update', container: 0, labels: [0] }, [5, 8], { status: 200, attributes: { lbl: ['l-red'] } }),
        call(x, [6, 7], created('cin0')),
        call({ does: 'discover', label: 0 }, [9, 10], { status: 200, found: [] }),
      ],
    ],
  ];
  for (const [title, requirement, calls] of broken) test(title, () => assert.equal(verdictOn(calls), requirement));
});

test('what the specification leaves open is demanded only on request', () => {
  const twice = [call(x, [5, 8], created('cin0')), call(x, [6, 7], created('cin1'))];
  assert.deepEqual([verdictOn(twice), verdictOn(twice, withGaps)], ['explained', 'content-instance.create.name-clash']);
  const outliving = [
    call(x, [5, 8], created('cin0')),
    call(removeBox, [6, 7], ok),
    call(readX, [9, 10], { status: 200, attributes: { ri: 'cin0' } }),
  ];
  assert.deepEqual([verdictOn(outliving), verdictOn(outliving, withGaps)], ['explained', 'container.delete.subtree']);
});

test('a history with too many orders is undecided, and no deviation; that only the newest counts saves most of them', () => {
  const many = Array.from({ length: 9 }, (_, number) =>
    call(instance(null), [5, 20], created(`cin${number}`, `n${number}`)),
  );
  const calls = history(...many, call(newest, [21, 22], named('n0')), call(readBox, [23, 24], counting(3)));
  assert.equal(explain(calls, documented, 500).kind, 'undecided');
  assert.equal(explain(history(...many, call(newest, [21, 22], named('n0'))), documented).kind, 'explained');
});

test('unrelated reads are left out of the report, and time spans say what was concurrent', () => {
  const found = unexplained(
    history(
      call(newest, [4.5, 4.8], missing),
      call(x, [5, 8], created('cin0')),
      call(y, [6, 7], created('cin1')),
      call(readX, [9, 10], { status: 200, attributes: { ri: 'cin0' } }),
      call(readBox, [11, 12], counting(1, 2)),
    ),
    documented,
  );
  assert.ok(found !== undefined);
  const { history: less, verdict } = shrinkHistory(found, documented);
  assert.equal(verdict.call, 4);
  assert.deepEqual(
    rowsOf(less).map(({ request, from, to }) => [request, from, to]),
    [
      ['create ae in /onem2m: rn a', 0, 0],
      ['create container in /onem2m/a: rn c', 1, 1],
      ['create content instance in /onem2m/a/c: rn x, con a', 2, 2],
      ['create content instance in /onem2m/a/c: rn y, con a', 2, 2],
      ['retrieve /onem2m/a/c', 3, 3],
    ],
  );
});
