import fc from 'fast-check';
import { headerLines } from './header-lines.ts';
import { jsonBodies } from './json-bodies.ts';
import { lengths } from './lengths.ts';
import { requestLines } from './request-lines.ts';
import { targets } from './targets.ts';
import type { Place, WireCase } from './wire-case.ts';

/** Malformed and odd HTTP of every sort, as exact bytes. */
export function wireCases(place: Place): fc.Arbitrary<WireCase> {
  return fc.oneof(requestLines(place), headerLines(place), lengths(place), targets(place), jsonBodies(place));
}
