import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { defined } from '../../../engine/basics/defined.ts';
import { UsageError } from '../../../engine/basics/diagnostics.ts';
import { getOrAdd } from '../../../engine/basics/memoize.ts';
import { methodsOf, type SendingRow, sendingOf } from './requests.ts';
import {
  anywhere,
  outcomeOf,
  type RobustnessCase,
  type RobustnessSection,
  type WireOutcome,
} from './robustness-case.ts';

/** The right outcomes before a bar, the tolerable ones behind it, as in `404 | 4xx closed`; the requirement that says so. */
type Expected = string | readonly [outcomes: string, requirement: string];

export interface CaseRow extends SendingRow, Pick<Partial<RobustnessCase>, 'closes' | 'mayStoreUnanswered' | 'over'> {
  readonly case: string;
  readonly clause: string;
  readonly expect: Expected;
}

/** Names that rows use in place of clauses or expectations. */
interface Names {
  readonly clauses?: Readonly<Record<string, string>>;
  readonly outcomes?: Readonly<Record<string, Expected>>;
}

/** Rows without a clause or an expectation have that of their file. */
interface SectionFile extends Names, Partial<Pick<CaseRow, 'clause' | 'expect'>> {
  readonly cases: ReadonlyArray<Omit<CaseRow, 'clause' | 'expect'> & Partial<CaseRow>>;
}

const read = (name: string): unknown => parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8'));

const titles = [
  ...['Framing', 'Request line', 'Header fields', 'Length of the body', 'Transfer coding'],
  ...['Several requests on a connection', 'Requests in segments', 'Content: JSON and UTF-8', 'Addresses', 'Queries'],
  ...['Headers of oneM2M', 'Sizes', 'Connections', 'TLS'],
];

const known = new Map<number, readonly RobustnessCase[]>();

/** All robustness cases, by section. A number stays with its case for ever; new ones come at the end of a section. */
export const robustnessSections: readonly RobustnessSection[] = titles.map((title, at) => ({
  number: at + 1,
  title,
  get cases() {
    return getOrAdd(known, this.number, () => casesIn(this.number));
  },
}));

function casesIn(section: number): RobustnessCase[] {
  const { cases, clause = '', expect = '', ...names } = read(`R-${section}`) as SectionFile;
  const common = (read('outcomes') as Names).outcomes;
  const all = { clauses: names.clauses ?? {}, outcomes: { ...common, ...names.outcomes } };
  return cases.map((row, at) => caseOf(`${section}.${at + 1}`, { clause, expect, ...row }, all));
}

/** A number is the place of a row: new rows come at the end. */
export function caseOf(number: string, row: CaseRow, { clauses = {}, outcomes = {} }: Names = {}): RobustnessCase {
  const { case: title, clause, expect, closes, mayStoreUnanswered, over } = row;
  const [named = '', own] = [expect].flat();
  const [words = '', requirement = own] = [new Map(Object.entries(outcomes)).get(named) ?? named].flat();
  const [right = [], tolerable] = words.split(' | ').map(outcomesIn);
  const sending = sendingOf(row, right.includes('silence'));
  const methods = sending.kind === 'crowd' ? ['GET'] : methodsOf(sending.sent, anywhere);
  return {
    number: `R-${number}`,
    title,
    clause: new Map(Object.entries(clauses)).get(clause) ?? clause,
    right,
    ...defined({ tolerable, requirement }),
    sending,
    methods,
    creates: methods.includes('POST'),
    ...defined({ closes, mayStoreUnanswered, over }),
  };
}

function outcomesIn(text: string): WireOutcome[] {
  return text.match(/no HTTP|\S+/g)?.map(outcomeOf) ?? [];
}

/** The cases of these numbers and sections, such as `R-3` and `R-4.12`; all of them without any. Throws a UsageError for a number that none has. */
export function casesOf(numbers: readonly string[] = []): readonly RobustnessCase[] {
  const all = robustnessSections.flatMap(({ cases }) => cases);
  const isIn = (number: string) => (requested: string) => number === requested || number.startsWith(`${requested}.`);
  const unknown = numbers.filter((requested) => !all.some(({ number }) => isIn(number)(requested)));
  if (unknown.length > 0) throw new UsageError(`no robustness case has the number ${unknown.join(', ')}`);
  return numbers.length === 0 ? all : all.filter(({ number }) => numbers.some(isIn(number)));
}
