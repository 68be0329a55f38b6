import fc from 'fast-check';
import { headerLines } from './header-lines.ts';
import { jsonBodies } from './json-bodies.ts';
import { lengths } from './lengths.ts';
import { requestLines } from './request-lines.ts';
import { targets } from './targets.ts';
import type { Place, SortedCase, WireCase, WirePart } from './wire-case.ts';

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

function inPart(part: WirePart, cases: fc.Arbitrary<WireCase>): fc.Arbitrary<SortedCase> {
  return cases.map((wire) => ({ ...wire, part }));
}
