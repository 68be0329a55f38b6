import { type Confirmed, confirm, type Place } from '../counterexample/confirm.ts';
import { type CounterexampleScenario, scenarioOf } from '../counterexample/scenario.ts';
import type { Expected } from '../model/expected.ts';
import type { SideName } from './difference.ts';
import { checkOf } from './open-check.ts';
import type { Shown } from './paired-run.ts';
import type { Competitor } from './side.ts';

export interface StepsOptions {
  readonly A: Competitor;
  readonly B: Competitor;
  readonly signal: AbortSignal;
  /** One that no other sequence has. */
  readonly number: () => number;
}

/** Fails at the side that is wrong, with as few reads as it can do with. */
export async function decidedSteps(expected: Expected, shown: Shown, options: StepsOptions): Promise<Confirmed> {
  const wrong = shown.parted.right === 'A' ? 'B' : 'A';
  const confirmed = await failingAt(wrong, { expected, shown }, options);
  if (shown.parted.right === 'neither' || confirmed.failed === undefined) return confirmed;
  const other = await once(confirmed.scenario, { expected, side: wrong === 'A' ? 'B' : 'A' }, options);
  return other.failed === undefined ? confirmed : { scenario: confirmed.scenario };
}

/** With the answer of A as what is asked of B: as few reads as do, so that B still differs and A does not. */
export async function openSteps(shown: Shown, options: StepsOptions): Promise<Confirmed> {
  const { part, requirement = 'gap' } = shown.parted;
  const check = checkOf(part, shown.pair);
  const drawn = { scenario: drawnAt('A', { requirement, check: check ?? {} }, shown, options) };
  if (check === undefined) return drawn;
  const expected = { requirement, check };
  const { scenario, failed } = await failingAt('B', { expected, shown }, options);
  if (failed === undefined) return drawn;
  const atA = await once(scenario, { expected, side: 'A' }, options);
  return atA.failed === undefined ? { scenario } : drawn;
}

function drawnAt(
  side: SideName,
  expected: Expected,
  { performed, labels }: Shown,
  options: StepsOptions,
): CounterexampleScenario {
  const { description } = options[side].arena;
  return scenarioOf(performed[side], expected, { dialect: 'documented', description, label: labels[side] });
}

function failingAt(
  side: SideName,
  { expected, shown }: { readonly expected: Expected; readonly shown: Shown },
  options: StepsOptions,
): Promise<Confirmed> {
  const enough = () => options.signal.aborted;
  return confirm(drawnAt(side, expected, shown, options), expected.requirement, placeAt(side, options, enough));
}

function once(
  scenario: CounterexampleScenario,
  { expected, side }: { readonly expected: Expected; readonly side: SideName },
  options: StepsOptions,
): Promise<Confirmed> {
  return confirm(
    { ...scenario },
    expected.requirement,
    placeAt(side, options, () => true),
  );
}

function placeAt(
  side: SideName,
  { [side]: { arena, run }, signal, number }: StepsOptions,
  enough: () => boolean,
): Place {
  return {
    run,
    signal: signal.aborted ? new AbortController().signal : signal,
    use: async () => ({ installation: await arena.installation(), number: number() }),
    enough,
  };
}
