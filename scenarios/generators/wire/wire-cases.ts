/** Malformed and odd HTTP of every sort, as exact bytes: the cases of the list, and more generated from rows. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { defined } from '../../engine/basics/defined.ts';
import { lazy } from '../../engine/basics/memoize.ts';
import { type RequestRow, sentOf } from './listed/requests.ts';
import { isAmong, type RobustnessCase } from './listed/robustness-case.ts';
import { robustnessSections } from './listed/robustness-cases.ts';
import {
  bytesCase,
  bytesOf,
  type CaseParts,
  type ClassifiedCase,
  creating,
  inChunks,
  type Nature,
  reading,
  soundBody,
  type WireCase,
  type WireCaseFacts,
  type WirePart,
  type WireTarget,
  wireCase,
  withLength,
  withLine,
} from './listed/wire-case.ts';

/** Unusual parts, with their sections of the list; generated rows have the same names. */
const sources = [
  ['request line', [1, 2]],
  ['header lines', [3, 6]],
  ['length', [4, 5]],
  ['path and query', [9]],
  ['body', [8]],
] as const satisfies readonly (readonly [WirePart, readonly number[]])[];

type GeneratedRow = WireCaseFacts & RequestRow;
type GeneratedRows = Readonly<Record<(typeof sources)[number][0], readonly GeneratedRow[]>>;

export function wireCases(paths: WireTarget): fc.Arbitrary<ClassifiedCase> {
  const rows = parse(readFileSync(new URL('listed/generated.yaml', import.meta.url), 'utf8')) as GeneratedRows;
  const parts = sources.map(([part, sections]) => {
    const made = fc.oneof(...rows[part].map((row) => madeFrom(row, paths)));
    const either = fc.oneof({ arbitrary: listedIn(sections, paths), weight: 3 }, { arbitrary: made, weight: 1 });
    return either.map((wire) => ({ ...wire, part }));
  });
  return fc.oneof(...parts);
}

const choices = /<([^<>]+)>/g;

/** The row with a value in place of each choice. */
function madeFrom(row: GeneratedRow, paths: WireTarget): fc.Arbitrary<WireCase> {
  const written = JSON.stringify(row);
  const inRow = (write: (words: string) => string) =>
    JSON.parse(written, (_, value) =>
      typeof value === 'string' ? value.replace(choices, (_, words) => write(words)) : value,
    ) as GeneratedRow;
  const all = new Map<string, fc.Arbitrary<string>>();
  inRow((words) => {
    all.set(words, chosenFrom(words));
    return '';
  });
  return fc.tuple(...all.values()).map((values) => {
    const chosen = new Map([...all.keys()].map((words, at) => [words, values[at] ?? '']));
    const { what, nature, requirement, ...request } = inRow((words) => chosen.get(words) ?? '');
    const [parts = ''] = sentOf(request).map((sent) => sent(paths));
    return caseOf(parts, { what, nature, ...defined({ requirement }) });
  });
}

function chosenFrom(words: string): fc.Arbitrary<string> {
  const [, min, max] = /^(\d+)\.\.(\d+)$/.exec(words) ?? [];
  if (min !== undefined) return fc.integer({ min: Number(min), max: Number(max) }).map(String);
  return makers.get(words)?.() ?? fc.constantFrom(...words.split('|'));
}

const word = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_!#$%&'*+.^`|~";
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];
const attributes = ['con', 'cnf', 'rn', 'lbl', 'et', 'ty', 'ri', 'x'];

/**
 * Literal characters of a query (RFC 3986, 3.4), except the percent sign, and percent-encoded ones. Created lazily: fast-check lists
 * every character there is for it.
 */
const inQuery = lazy(() =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...`${letters.replace(/[#%^`|]/g, '')}(),;=:@/?`), weight: 9 },
    { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map(encodeURIComponent), weight: 1 },
  ),
);
const makers: ReadonlyMap<string, () => fc.Arbitrary<string>> = new Map([
  ['breakers', () => word('@(){}[]"/\\:;,<>?=\x00\x7f\xff', 4)],
  ['any method', () => word(letters, 20).filter((method) => !methods.includes(method))],
  ['any header', () => fc.constantFrom('X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'Accept', 'Content-Type', 'X')],
  ['any text', () => fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ''))],
  ['any bytes', () => fc.uint8Array({ min: 32, maxLength: 30 }).map(latin1)],
  [
    'any parameter',
    () => fc.constantFrom(...'fu=1&lbl fu=1&cra fu=1&lim fu=1&ofst rcn fu ty lvl atr __proto__ x'.split(' ')),
  ],
  ['any query', () => fc.string({ unit: inQuery() })],
  ['any beginning', () => fc.integer({ min: 1, max: soundBody.length - 1 }).map((end) => soundBody.slice(0, end))],
  [
    'any instance',
    () =>
      fc.tuple(fc.constantFrom(...attributes), fc.jsonValue({ maxDepth: 3 })).map(([name, value]) => {
        const instance = { con: 'a', cnf: 'text/plain:0', [name]: value };
        return Buffer.from(JSON.stringify({ 'm2m:cin': instance }), 'utf8').toString('latin1');
      }),
  ],
  // With the end of a request; otherwise the target would wait for it.
  [
    'noise',
    () =>
      fc
        .uint8Array({ minLength: 1, maxLength: 60 })
        .map(latin1)
        .filter((text) => !/^\s*([A-Z]+ \S+ HTTP|$)/.test(text)),
  ],
]);

/** Rows cover longer ones at any length, so that they can shrink. */
const longest = 1000;
/** The answer to HEAD has no body, and that to HTTP/0.9 no head. */
const leftOut: ReadonlySet<string> = new Set(['R-2.10', 'R-2.17']);
const operations = ['GET', 'DELETE', 'POST'] as const;

/** The cases of these sections with one request; a GET also stands for other operations. */
function listedIn(numbers: readonly number[], paths: WireTarget): fc.Arbitrary<WireCase> {
  const sections = robustnessSections.filter(({ number }) => numbers.includes(number));
  const cases = sections.flatMap((section) => section.cases.flatMap((one) => operationCase(one, paths) ?? []));
  const chosen = fc.tuple(fc.nat({ max: cases.length - 1 }), fc.constantFrom(...operations));
  return chosen.map(([at, operation]) => (cases[at] as CaseByOperation)(operation));
}

type Operation = (typeof operations)[number];
type CaseByOperation = (operation: Operation) => WireCase;

/** Undefined for long ones, and for those not sent in one go. */
function operationCase(one: RobustnessCase, paths: WireTarget): CaseByOperation | undefined {
  const { sending, number, title, requirement } = one;
  const [sent, next] = sending.kind === 'request' || sending.kind === 'unfinished' ? sending.sent : [];
  if (sent === undefined || next !== undefined || leftOut.has(number)) return undefined;
  const facts = { what: `${title} (${number})`, nature: natureOf(one), ...defined({ requirement }) };
  const usual = sent(paths);
  if (typeof usual === 'string') return () => bytesCase(usual, facts, one.creates);
  if (bytesOf(usual).length > longest) return undefined;
  return (operation) => caseOf(byOperation(operation, usual, facts.nature, paths), facts);
}

/** A requirement demands what is right; without one, what is tolerable is in order, too. */
function natureOf({ right, tolerable = [], requirement }: RobustnessCase): Nature {
  const inOrder = requirement === undefined ? [...right, ...tolerable] : right;
  if (inOrder.some((outcome) => outcome === '2xx' || isAmong(outcome, ['2xx']))) return 'odd';
  return right.includes('silence') ? 'unfinished' : 'malformed';
}

/** Each operation has its own requirement for unknown paths. */
function caseOf(sent: CaseParts | string, facts: WireCaseFacts): WireCase {
  if (typeof sent === 'string') return bytesCase(sent, facts);
  if (facts.requirement !== 'errors.unknown-path') return wireCase(sent, facts);
  const operation = sent.method === 'DELETE' ? 'delete' : 'retrieve';
  return wireCase(sent, { ...facts, requirement: `${facts.requirement}.${operation}` });
}

/** By another operation where possible: malformed bytes may delete the container, or a path below it, and nothing else. */
function byOperation(operation: Operation, parts: CaseParts, nature: Nature, paths: WireTarget): CaseParts {
  const { method, target } = parts;
  if (operation === 'GET' || method !== 'GET' || parts.body !== '') return parts;
  if (operation === 'DELETE')
    return nature === 'malformed' && target.startsWith(paths.container) ? { ...parts, method: 'DELETE' } : parts;
  if (target !== paths.container) return parts;
  const { body } = creating(paths);
  return withLength(withLine({ ...parts, method: 'POST', body }, `Content-Type: ${paths.contentType}`));
}

/** Sound requests that are to be cut at every byte. */
export function splitCases(paths: WireTarget): ClassifiedCase[] {
  const sound: readonly (readonly [what: string, parts: CaseParts])[] = [
    ['a GET that is cut at every byte', reading(paths)],
    ['a POST that is cut at every byte', withLength(creating(paths))],
    ['a POST in chunks that is cut at every byte', inChunks(creating(paths), 16)],
  ];
  return sound.map(([what, split]) => ({ ...wireCase(split, { what, nature: 'odd' }), part: 'segments', split }));
}
