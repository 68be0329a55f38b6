import fc from 'fast-check';
import { shrinking } from '../search/shrinking.ts';
import { action, type Program, type ProgramTurn } from './action.ts';

/** Requests that are under way together at the most: beyond that, orders are too many to try. */
const mostAtOnce = 14;
const longestTurns = 4;
const longestBefore = 4;
const longestPause = 8;

const pause = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(longestPause));
const turn: fc.Arbitrary<ProgramTurn> = fc.record({ pause, action });

function generated(originators: number): fc.Arbitrary<Program> {
  const maxLength = Math.max(1, Math.min(longestTurns, Math.floor(mostAtOnce / originators)));
  const turns = fc.array(turn, { minLength: 1, maxLength, size: 'max' });
  return fc.record({
    before: fc.array(action, { maxLength: longestBefore, size: 'max' }),
    originators: fc.array(turns, { minLength: originators, maxLength: originators }),
  });
}

/** Smaller programs, those first that leave out most: originators, requests, overlap, and then what is left of each request. */
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

/** What an originator does first is done before, alone. */
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
    for (const [place, one] of turns.entries()) {
      const other = (simpler: ProgramTurn) => ({
        before,
        originators: originators.with(at, turns.with(place, simpler)),
      });
      if (one.pause > 0) yield other({ ...one, pause: 0 });
      for (const simpler of action.shrink(one.action, undefined)) yield other({ ...one, action: simpler.value });
    }
  }
}

export function programsOf(originators: number): fc.Arbitrary<Program> {
  return shrinking(generated(originators), smaller);
}
