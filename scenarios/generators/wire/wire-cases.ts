import fc from 'fast-check';
import { headerLines, lengths } from './header-lines.ts';
import { jsonBodies } from './json-bodies.ts';
import { listedIn } from './listed.ts';
import { requestLines, targets } from './request-lines.ts';
import {
  creating,
  inChunks,
  type Parts,
  type Place,
  reading,
  type SortedCase,
  type SplitCase,
  wireCase,
  withLength,
} from './wire-case.ts';

/** Where the unusual is: in the cases of these sections of the list, and in more that are made. */
const sources = [
  ['request line', [1, 2], requestLines],
  ['header lines', [3, 6], headerLines],
  ['length', [4, 5], lengths],
  ['path and query', [9], targets],
  ['body', [8], jsonBodies],
] as const;

/** Malformed and odd HTTP of every sort, as exact bytes. */
export function wireCases(place: Place): fc.Arbitrary<SortedCase> {
  const parts = sources.map(([part, sections, made]) =>
    fc
      .oneof({ arbitrary: listedIn(sections, place), weight: 3 }, { arbitrary: made(place), weight: 1 })
      .map((wire) => ({ ...wire, part })),
  );
  return fc.oneof(...parts);
}

/** Sound requests that are to be cut at every byte. */
export function splitCases(place: Place): SplitCase[] {
  const sound: readonly (readonly [what: string, parts: Parts])[] = [
    ['a GET that is cut at every byte', reading(place)],
    ['a POST that is cut at every byte', withLength(creating(place))],
    ['a POST in chunks that is cut at every byte', inChunks(creating(place), 16)],
  ];
  return sound.map(([what, split]) => ({ ...wireCase(split, { what, nature: 'odd' }), part: 'segments', split }));
}
