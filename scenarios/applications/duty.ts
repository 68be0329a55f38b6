/** Duties of applications (`rules/application-*.yaml`): the conditions on a message, and what it must then be like. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { defined } from '../engine/basics/defined.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import type { Catalogue, Requirement } from '../engine/files/catalogue.ts';
import { readValid } from '../engine/files/issues.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { Matcher } from '../engine/grammar/grammar-check.ts';
import type { SourceLocation } from '../engine/results/result.ts';
import { type FactName, factNames } from './facts.ts';

const Facts = z.partialRecord(z.enum(factNames), Matcher);

const StatedDuty = z.strictObject({
  says: z.string().describe('The demand of the source, in our own words.'),
  since: z.string().describe('The first release of the standard that states it.').optional(),
  answers: z.array(z.string()).describe('Test purposes of the conformance suite for AEs.').optional(),
  each: z
    .union([z.array(z.string()), z.record(z.string(), z.string())])
    .describe('Words for which it is repeated: ${each} stands for one of them, ${value} for its value here.')
    .optional(),
  of: z.enum(['request', 'answer']).default('request').describe('Messages: requests, or answers to notifications.'),
  when: Facts.default({}),
  // biome-ignore lint/suspicious/noThenProperty: the word of the files; nothing awaits a rule.
  then: Facts,
  after: z.array(z.string()).default([]).describe('Duties whose violation by the same message makes it moot.'),
});

export const DutyFile = z.strictObject({
  specification: z.string(),
  level: z.enum(['documented', 'standard']),
  applications: z.array(
    z.strictObject({
      section: z.string(),
      duties: z
        .record(z.string(), z.record(z.string(), StatedDuty))
        .describe('By source clause, then by id; ids never change.'),
    }),
  ),
});

type Conditions = ReadonlyArray<readonly [FactName, Matcher]>;

/** One statement of the source about applications. */
export interface Duty extends Requirement {
  readonly of: 'request' | 'answer';
  readonly when: Conditions;
  readonly demands: Conditions;
  readonly after: readonly string[];
  readonly place: SourceLocation;
}

const read = new Map<Dialect, readonly Duty[]>();

/** The duties of a dialect, in file order; read once. Throws ScenarioFilesError. */
export function dutiesOf(dialect: Dialect): readonly Duty[] {
  const path = fileURLToPath(new URL(`../rules/application-${dialect}.yaml`, import.meta.url));
  return getOrAdd(read, dialect, () => dutiesFrom(path));
}

export function catalogueOf(duties: readonly Duty[]): Catalogue {
  return { requirements: new Map(duties.map((duty) => [duty.id, duty])) };
}

/** Throws ScenarioFilesError. */
export function dutiesFrom(path: string): readonly Duty[] {
  const { value, source } = readValid(path, DutyFile);
  const { specification, level, applications } = value;
  return applications.flatMap(({ section, duties }, index) =>
    Object.entries(duties).flatMap(([clause, stated]) =>
      Object.entries(stated).flatMap(([id, duty]) =>
        forEach({ id, ...duty }).map(({ when, then, since, answers, ...one }) => ({
          ...{ ...one, ...defined({ since, answers }), specification, level, section, source: clause },
          ...{ when: Object.entries(when) as Conditions, demands: Object.entries(then) as Conditions },
          place: source.place(['applications', index, 'duties', clause, id]),
        })),
      ),
    ),
  );
}

type Identified = z.infer<typeof StatedDuty> & { readonly id: string };

function forEach({ each, ...duty }: Identified): Array<Omit<Identified, 'each'>> {
  if (each === undefined) return [duty];
  const words = Array.isArray(each) ? each.map((word) => [word, word] as const) : Object.entries(each);
  const text = JSON.stringify(duty);
  const filled = (word: string, value: string) => text.replaceAll('${each}', word).replaceAll('${value}', value);
  return words.map((pair) => JSON.parse(filled(...pair)) as typeof duty);
}
