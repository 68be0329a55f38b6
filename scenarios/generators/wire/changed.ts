import fc from 'fast-check';
import { bytesCase, type Parts, type WireCase, type WireFacts, wireCase } from './wire-case.ts';

/** What is unusual, and what it makes of the parts of a sound request, or of all its bytes. */
export type WireChange = readonly [what: string, change: (parts: Parts) => Parts | string];

/** Sound requests, each with a change: one of a list, or one that is made. */
export function changed(
  base: Parts | fc.Arbitrary<Parts>,
  changes: readonly WireChange[] | fc.Arbitrary<WireChange>,
  facts: Omit<WireFacts, 'what'>,
): fc.Arbitrary<WireCase> {
  const sound = base instanceof fc.Arbitrary ? base : fc.constant(base);
  const all = changes instanceof fc.Arbitrary ? changes : fc.constantFrom(...changes);
  return fc.tuple(sound, all).map(([parts, [what, change]]) => {
    const after = change(parts);
    return typeof after === 'string' ? bytesCase(after, { what, ...facts }) : wireCase(after, { what, ...facts });
  });
}
