/** @jsxRuntime automatic @jsxImportSource preact */
import type { CheckState, ScenarioState, Verdict } from '../../scenarios/index.ts';
import { marks } from '../wording.ts';

type State = Verdict | CheckState | ScenarioState;

/** The colour family of a verdict or state; the sign and the word say the same without colour. */
export function toneOf(state: State): string {
  const tones: Readonly<Record<string, string>> = {
    '✗': 'bad',
    '!': 'fault',
    '○': 'open',
    '△': 'open',
    '≈': 'open',
    '✓': 'good',
    '·': 'seen',
  };
  return tones[marks[state]] ?? 'quiet';
}

export function Badge({ state }: { state: State }) {
  return (
    <span class={`badge ${toneOf(state)}`}>
      <span aria-hidden="true">{marks[state]}</span> {state}
    </span>
  );
}
