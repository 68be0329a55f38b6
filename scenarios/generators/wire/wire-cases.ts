import fc from 'fast-check';
import { headerLines } from './header-lines.ts';
import { jsonBodies } from './json-bodies.ts';
import { lengths } from './lengths.ts';
import { requestLines } from './request-lines.ts';
import { targets } from './targets.ts';
import {
  creating,
  inChunks,
  type Parts,
  type Place,
  reading,
  type SortedCase,
  type SplitCase,
  type WireCase,
  type WirePart,
  wireCase,
  withLength,
} from './wire-case.ts';

/** Malformed and odd HTTP of every sort, as exact bytes. */
export function wireCases(place: Place): fc.Arbitrary<SortedCase> {
  return fc.oneof(
    inPart('request line', requestLines(place)),
    inPart('header lines', headerLines(place)),
    inPart('length', lengths(place)),
    inPart('path and query', targets(place)),
    inPart('body', jsonBodies(place)),
  );
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

function inPart(part: WirePart, cases: fc.Arbitrary<WireCase>): fc.Arbitrary<SortedCase> {
  return cases.map((wire) => ({ ...wire, part }));
}
