/**
 * The grammar of scenario and requirement files, including steps, checks and matchers: the one source of truth.
 * The TypeScript types, the validation of files and `scenario.schema.json` derive from it.
 */
import { z } from 'zod';
import { tables } from '../basics/corpus.ts';
import { dialects } from './dialects.ts';
import { Json, Scalar, Template } from './grammar-check.ts';
import { RiskMark } from './grammar-risk.ts';
import { Certificate, Step } from './grammar-step.ts';
import { needs } from './vocabulary.ts';

/** More steps of one scenario are a slip. */
const longestRange = 10_000;
const Range = z
  .strictObject({ from: z.int(), to: z.int() })
  .refine(({ from, to }) => to >= from && to - from < longestRange, {
    error: `\`to\` is \`from\` or more, and the numbers are ${longestRange} at most`,
  })
  .describe('Whole numbers, both ends included.');
const Values = z
  .union([z.enum(tables), Range, z.array(Scalar).min(1)])
  .describe('A table of the corpus, whole numbers, or a list of values.');

export const Repeated = z
  .strictObject({
    each: z
      .record(z.string().regex(/^[a-z][a-z0-9]*$/), Values)
      .refine((each) => Object.keys(each).length === 1, { error: 'steps are repeated for the values of one name' })
      .describe(
        '`text: contents` makes ${text}, ${text.at} (its position from 1) and ${text.encoded} (as a part of a path) known.',
      ),
    steps: z.array(Step).min(1),
  })
  .meta({ id: 'Repeated', description: 'Steps that are repeated for each value.' });
export type Repeated = z.infer<typeof Repeated>;

const Needs = z.array(z.enum(needs)).describe('What a target must have; otherwise this is not applicable.');

const name = z.string().regex(/^[a-z][a-z0-9]*$/);

const Actor = z
  .strictObject({
    registered: z
      .boolean()
      .describe('Default true: registered as an AE before the steps of each scenario that mentions it, removed after.')
      .optional(),
    or: name
      .describe('Its substitute where all requests carry one originator, with which one AE can register.')
      .optional(),
    originator: Template.describe(
      'Sent as X-M2M-Origin by steps with `as`. When absent: the first URI of its certificate, or none.',
    ).optional(),
    certificate: Certificate.optional(),
    attributes: z.record(z.string(), Json).describe('Further attributes of the registration.').optional(),
  })
  .meta({ id: 'Actor', description: 'An application entity. ${name} of the actor is its resource name.' });
export type Actor = z.infer<typeof Actor>;

/** The harness's answer to a notification. */
const InboxBlock = z
  .strictObject({
    answers: z
      .union([
        z.enum(['nothing', 'closed']).describe('`nothing`: requests are not answered; `closed`: nobody listens.'),
        z
          .strictObject({ status: z.int().min(200).max(599), rsc: z.int().describe('X-M2M-RSC of the answer.') })
          .partial(),
      ])
      .describe('Default: status 200, rsc 2000.')
      .optional(),
  })
  .meta({
    id: 'Inbox',
    description:
      'A listener of the harness, new for each scenario. ${name.url} is its URL, ${name.nu} its form as a notification target.',
  });
export type InboxBlock = z.infer<typeof InboxBlock>;

const key = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const Dialects = z.array(z.enum(dialects)).min(1);
const table = {
  rows: z
    .record(z.string().regex(key), z.record(z.string(), Json))
    .describe('Rows for which scenarios with `${row.NAME}` are repeated: values by name.')
    .optional(),
  usual: z.record(z.string(), Json).describe('Default values of a row.').optional(),
};
const Scenario = z.strictObject({
  title: z.string(),
  ...table,
  tags: z.array(z.string()).optional(),
  dialects: Dialects.describe('The dialects in which it runs, if not all of those of the file.').optional(),
  needs: Needs.optional(),
  risky: RiskMark.optional(),
  steps: z.array(z.union([Step, Repeated])).min(1),
});

export const ScenarioFile = z
  .strictObject({
    feature: z.string().describe('Subject of this file, in a few words.'),
    about: z.string().optional(),
    tags: z.array(z.string()).optional(),
    dialects: Dialects.describe(
      'The dialects in which the file runs. Default: onem2m below standard/, documented elsewhere.',
    ).optional(),
    needs: Needs.describe('Needs of every scenario of this file.').optional(),
    inboxes: z.record(name, InboxBlock).describe('Receivers of notifications.').optional(),
    actors: z.record(name, Actor).optional(),
    ...table,
    given: z.array(Step).describe('Steps before each scenario of this file; they carry no checks.').optional(),
    scenarios: z.record(z.string().regex(key), Scenario),
  })
  .meta({ id: 'ScenarioFile', title: 'cselab scenario file' });
export type ScenarioFile = z.infer<typeof ScenarioFile>;

/**
 * The origin of a requirement. `documented`: the interface specification states it. `gap`: it does not, and the reference
 * CSE shows one way. `standard`: the oneM2M standard states it.
 */
export const levels = ['documented', 'gap', 'standard'] as const;
export type Level = (typeof levels)[number];

const Requirement = z.union([
  z.string().describe('The statement, in our own words.'),
  z.strictObject({
    says: z.string().describe('The statement, in our own words.'),
    since: z
      .enum(['3'])
      .describe('The first release of the standard that states it: it does not apply to targets of earlier ones.')
      .optional(),
    answers: z.array(z.string()).min(1).describe('Test purposes that it answers, such as SUB/CRE/005.').optional(),
    untestable: z.string().describe('Why it cannot be tested from outside.').optional(),
  }),
]);
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/);
const BySource = z
  .record(z.string(), z.record(id, Requirement))
  .describe('By the sentence, row or note of the section, or the clause of the standard, that states them.');
export const RequirementFile = z.strictObject({
  specification: z.string(),
  level: z.enum(levels).describe('Of all but the gaps.'),
  sections: z.array(
    z.strictObject({ section: z.string(), requirements: BySource.optional(), gaps: BySource.optional() }),
  ),
});
export type RequirementFile = z.infer<typeof RequirementFile>;
