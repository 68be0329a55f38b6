/** Actions of concurrent originators, as plain data: each names its resource, whether or not that exists by then. */
import fc from 'fast-check';
import type { Generated } from '../moves/arbitraries.ts';
import { Shrinking } from '../search/seeded.ts';

/** Containers below the application entity of a program; the service names a third one. */
export const containerNames = ['c', 'd'] as const;
export const instanceNames = ['x', 'y'] as const;
/** What content instances hold. */
export const contents = ['a', 'bb', 'ccc'] as const;
export const labelNames = ['red', 'blue'] as const;

// Indexes into the names above; null: the service chooses a name.
const container = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat(containerNames.length - 1) },
);
const nameOf = (names: readonly string[]) => fc.option(fc.nat(names.length - 1), { freq: 3 });
const label = fc.nat(labelNames.length - 1);
const labels = (minLength: number) => fc.uniqueArray(label, { minLength, maxLength: labelNames.length });
const instance = fc.nat(instanceNames.length - 1);
/** The application entity, one of its containers, or a content instance in one of them. */
const resource = fc.oneof(
  { weight: 4, arbitrary: fc.record({ container, instance: fc.constant(null) }) },
  { weight: 3, arbitrary: fc.record({ container, instance }) },
  { weight: 1, arbitrary: fc.constant({ container: null, instance: null }) },
);

const createContainer = fc.record({
  does: fc.constant('create container' as const),
  name: nameOf(containerNames),
  labels: labels(0),
  // Most content instances.
  mni: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.constantFrom(1, 2)),
});
const createInstance = fc.record({
  does: fc.constant('create content instance' as const),
  container,
  name: fc.option(instance, { freq: 2 }),
  content: fc.nat(contents.length - 1),
});
const onResource = <D extends 'retrieve' | 'delete'>(does: D) => fc.record({ does: fc.constant(does), what: resource });
const update = fc.record({ does: fc.constant('update' as const), container, labels: labels(1) });
const retrieveEnd = fc.record({
  does: fc.constantFrom('retrieve newest' as const, 'retrieve newest' as const, 'retrieve oldest' as const),
  container,
});
const discover = fc.record({ does: fc.constant('discover' as const), label });

const generated = fc.oneof(
  { weight: 10, arbitrary: createInstance },
  { weight: 2, arbitrary: createContainer },
  { weight: 4, arbitrary: onResource('retrieve') },
  { weight: 3, arbitrary: onResource('delete') },
  { weight: 3, arbitrary: update },
  { weight: 3, arbitrary: retrieveEnd },
  { weight: 2, arbitrary: discover },
);

/** Programs begin with the application entity, so none is generated. */
export type Action = Generated<typeof generated> | { readonly does: 'create application entity' };

export const action: fc.Arbitrary<Action> = generated;

export interface ProgramTurn {
  /** Wait before it: event-loop turns in process, milliseconds elsewhere. */
  readonly pause: number;
  readonly action: Action;
}

/** Actions in sequence, then a list for each originator, run concurrently. */
export interface Program {
  readonly before: readonly Action[];
  readonly originators: ReadonlyArray<readonly ProgramTurn[]>;
}

export function actionsIn({ before, originators }: Program): number {
  return before.length + originators.reduce((sum, turns) => sum + turns.length, 0);
}

/** Most concurrent requests: beyond that, there are too many orders to try. */
const mostAtOnce = 14;
const longestTurns = 4;
const longestBefore = 4;
const longestPause = 8;

const pause = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(longestPause));
const turn: fc.Arbitrary<ProgramTurn> = fc.record({ pause, action });

function programArbitrary(originators: number): fc.Arbitrary<Program> {
  const maxLength = Math.max(1, Math.min(longestTurns, Math.floor(mostAtOnce / originators)));
  const turns = fc.array(turn, { minLength: 1, maxLength, size: 'max' });
  return fc.record({
    before: fc.array(action, { maxLength: longestBefore, size: 'max' }),
    originators: fc.array(turns, { minLength: originators, maxLength: originators }),
  });
}

/** Smaller programs, largest omissions first: originators, requests, overlap, then parts of a request. */
function* smaller({ before, originators }: Program): Generator<Program, void> {
  for (const at of originators.keys()) yield { before, originators: originators.toSpliced(at, 1) };
  if (before.length > 1) yield { before: [], originators };
  for (const at of before.keys()) yield { before: before.toSpliced(at, 1), originators };
  for (const [at, turns] of originators.entries()) {
    if (turns.length < 2) continue;
    for (const turn of turns.keys()) yield { before, originators: originators.with(at, turns.toSpliced(turn, 1)) };
  }
  yield* withLessOverlap({ before, originators });
  yield* withSimplerParts({ before, originators });
}

/** An originator acts first before the others, alone. */
function* withLessOverlap({ before, originators }: Program): Generator<Program, void> {
  for (const [at, [first, ...others]] of originators.entries()) {
    if (first === undefined) continue;
    const left = others.length === 0 ? originators.toSpliced(at, 1) : originators.with(at, others);
    yield { before: [...before, first.action], originators: left };
  }
}

function* withSimplerParts({ before, originators }: Program): Generator<Program, void> {
  for (const [at, one] of before.entries()) {
    for (const simpler of action.shrink(one, undefined)) yield { before: before.with(at, simpler.value), originators };
  }
  for (const [at, turns] of originators.entries()) {
    for (const [index, one] of turns.entries()) {
      const other = (simpler: ProgramTurn): Program => {
        return { before, originators: originators.with(at, turns.with(index, simpler)) };
      };
      if (one.pause > 0) yield other({ ...one, pause: 0 });
      for (const simpler of action.shrink(one.action, undefined)) yield other({ ...one, action: simpler.value });
    }
  }
}

export function programsOf(originators: number): fc.Arbitrary<Program> {
  return new Shrinking(programArbitrary(originators), smaller);
}
