import fc from 'fast-check';
import { defined } from '../../engine/defined.ts';
import { isAmong, type RobustnessCase } from './listed/robustness-case.ts';
import { robustnessSections } from './listed/robustness-cases.ts';
import {
  bytesCase,
  bytesOf,
  creating,
  type Nature,
  type Parts,
  type Place,
  type WireCase,
  wireCase,
  withLength,
  withLine,
} from './wire-case.ts';

/** Of what is longer there are generated cases of any length, which can be made small. */
const longest = 1000;
/** The answer to HEAD has no body, and that to HTTP/0.9 no head. */
const leftOut: ReadonlySet<string> = new Set(['R-2.10', 'R-2.17']);
const operations = ['GET', 'DELETE', 'POST'] as const;

/** The cases of these sections that are one request; what is unusual about a GET is so with other operations too. */
export function listedIn(numbers: readonly number[], place: Place): fc.Arbitrary<WireCase> {
  const sections = robustnessSections.filter(({ number }) => numbers.includes(number));
  const cases = sections.flatMap((section) => section.cases.flatMap((one) => generatedFrom(one, place) ?? []));
  return fc
    .tuple(fc.nat({ max: cases.length - 1 }), fc.constantFrom(...operations))
    .map(([at, operation]) => (cases[at] as Generated)(operation));
}

type Operation = (typeof operations)[number];
type Generated = (operation: Operation) => WireCase;

/** Undefined for what is sent otherwise than in one go, and for what is long. */
function generatedFrom(one: RobustnessCase, place: Place): Generated | undefined {
  const { sending, number, title } = one;
  const [sent, next] = 'sent' in sending ? sending.sent : [];
  if (sent === undefined || next !== undefined || leftOut.has(number)) return undefined;
  const said = { what: `${title} (${number})`, nature: natureOf(one) };
  const usual = sent(place);
  if (typeof usual === 'string')
    return () => bytesCase(usual, { ...said, ...defined({ requirement: one.requirement }) }, one.creates);
  if (bytesOf(usual).length > longest) return undefined;
  return (operation) => {
    const parts = askedBy(operation, usual, said.nature, place);
    return wireCase(parts, { ...said, ...defined({ requirement: citedFor(one, parts) }) });
  };
}

/** A requirement demands what is right; where there is none, what is tolerable is in order too. */
function natureOf({ right, tolerable = [], requirement }: RobustnessCase): Nature {
  const inOrder = requirement === undefined ? [...right, ...tolerable] : right;
  if (inOrder.some((outcome) => outcome === '2xx' || isAmong(outcome, ['2xx']))) return 'odd';
  return right.includes('silence') ? 'unfinished' : 'malformed';
}

function citedFor({ requirement }: RobustnessCase, { method }: Parts): string | undefined {
  if (requirement !== 'errors.unknown-path') return requirement;
  return method === 'DELETE' ? 'errors.unknown-path.delete' : 'errors.unknown-path.retrieve';
}

/** By another operation where that goes: what is malformed may delete the container, or what is called as if below it, and nothing else. */
function askedBy(operation: Operation, parts: Parts, nature: Nature, place: Place): Parts {
  const { method, target } = parts;
  if (operation === 'GET' || method !== 'GET' || parts.body !== '') return parts;
  if (operation === 'DELETE')
    return nature === 'malformed' && target.startsWith(place.container) ? { ...parts, method: 'DELETE' } : parts;
  if (target !== place.container) return parts;
  const { body } = creating(place);
  return withLength(withLine({ ...parts, method: 'POST', body }, `Content-Type: ${place.contentType}`));
}
