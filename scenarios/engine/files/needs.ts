import type { Need } from '../grammar/grammar.ts';

const implied: Partial<Readonly<Record<Need, Need>>> = {
  'certificate optional': 'https',
  'certificate required': 'https',
};

/** Without repetition, and with what goes without saying. */
export function allNeeds(needs: Iterable<Need>): Set<Need> {
  return new Set([...needs].flatMap((need) => [need, implied[need] ?? need]));
}

/** Without those that another one of them includes. */
export function withoutImplied(needs: readonly Need[]): Need[] {
  const included = new Set(needs.map((need) => implied[need]));
  return needs.filter((need) => !included.has(need));
}

const contradictions: ReadonlyArray<readonly [Need, Need]> = [
  ['plain HTTP', 'https'],
  ['certificate optional', 'certificate required'],
  ['certificate required', 'any originator'],
];

/** Two of the needs that no installation can have together. */
export function contradictionIn(needs: ReadonlySet<Need>): readonly [Need, Need] | undefined {
  return contradictions.find((pair) => pair.every((need) => needs.has(need)));
}
