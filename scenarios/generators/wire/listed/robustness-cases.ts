import { UsageError } from '../../../engine/files/diagnostics.ts';
import { addresses, queries } from './addresses.ts';
import { bodies } from './bodies.ts';
import { chunks } from './chunks.ts';
import { connections, tls } from './connections.ts';
import { headerFields } from './header-fields.ts';
import { lengths, sizes } from './lengths.ts';
import { onem2mHeaders } from './onem2m-headers.ts';
import { pipelining } from './pipelining.ts';
import { framing, requestLine } from './request-line.ts';
import type { RobustnessCase, RobustnessSection } from './robustness-case.ts';
import { segments } from './segments.ts';

/** All robustness cases, by section. A number stays with its case for ever; new ones come at the end of a section. */
export const robustnessSections: readonly RobustnessSection[] = [
  ...[framing, requestLine, headerFields, lengths, chunks, pipelining, segments],
  ...[bodies, addresses, queries, onem2mHeaders, sizes, connections, tls],
];

export const robustnessCases: readonly RobustnessCase[] = robustnessSections.flatMap(({ cases }) => cases);

/** The cases of these numbers and sections, such as `R-3` and `R-4.12`; all of them without any. Throws a UsageError for a number that none has. */
export function casesOf(numbers: readonly string[]): readonly RobustnessCase[] {
  const isIn = (number: string) => (wanted: string) => number === wanted || number.startsWith(`${wanted}.`);
  const unknown = numbers.filter((wanted) => !robustnessCases.some(({ number }) => isIn(number)(wanted)));
  if (unknown.length > 0) throw new UsageError(`no robustness case has the number ${unknown.join(', ')}`);
  return numbers.length === 0 ? robustnessCases : robustnessCases.filter(({ number }) => numbers.some(isIn(number)));
}
