import type { CheckState, ScenarioState, Verdict } from '../../scenarios/index.ts';
import type { Tone } from '../document/model.ts';
import { marks } from '../wording.ts';

type State = Verdict | CheckState | ScenarioState;

const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries<Tone>({
    '✗': 'bad',
    '!': 'fault',
    '†': 'fault',
    '○': 'open',
    '?': 'open',
    '⊘': 'open',
    '△': 'open',
    '≈': 'open',
    '✓': 'good',
    '·': 'seen',
  }),
);

/** The colour family of a verdict or state; the sign and the word say the same without colour. */
export function toneOf(state: State): Tone {
  return tones.get(marks[state]) ?? 'quiet';
}
