/** The grammar of the files in `rules/`: when a rule applies to an exchange, and what it then demands. */

import { z } from 'zod';
import { RequirementFile } from '../engine/grammar/grammar.ts';
import { Check } from '../engine/grammar/grammar-check.ts';
import { wires } from '../engine/results/exchange.ts';
import { standings } from './observation/certificate-standing.ts';
import { typeNames } from './observation/resource-types.ts';

function listOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.union([z.enum(words), z.array(z.enum(words)).min(1)]);
}

const When = z
  .strictObject({
    operation: listOf(['create', 'retrieve', 'update', 'delete', 'discover']).describe('What is asked.'),
    slash: z.literal(true).describe('The path ends in a slash. Without it none does.'),
    virtual: z.enum(['latest', 'oldest']).describe('The virtual resource that is addressed. Without it none is.'),
    type: listOf(typeNames).describe('What is created, or addressed, or shown.'),
    form: listOf(['CSE-relative', 'SP-relative', 'absolute', 'identifier', 'root']).describe(
      'How it is addressed. Without it: as the source shows.',
    ),
    through: z.literal(true).describe('Another CSE of the pair is asked for it. Without it its own CSE is.'),
    accepted: z.literal(true).describe('The answer has a status of success.'),
    addressed: z
      .enum(['there', 'gone'])
      .describe('What is addressed, or is to hold what is created, is certainly there, or was certainly removed.'),
    plain: z
      .union([z.literal(true), z.literal('by anybody')])
      .describe('The request holds what the source shows and nothing else, sent by who created it, or by anybody.'),
    given: z.record(z.string(), z.string()).describe('Attributes that were given, as patterns of their text.'),
    lacks: z.array(z.string()).describe('Attributes that were not given.'),
    parent: listOf([...typeNames, 'base']).describe('What it stands below.'),
    query: z
      .union([z.array(z.string()), z.literal('any')])
      .describe(
        'Names in the query of the request, all of them. Without it there is none, but for a discovery. `any`: whatever lets the answer come at once.',
      ),
    code: z.int().describe('The response status code of the answer.'),
    shows: z.literal(true).describe('The answer shows it: its root is that of the type.'),
    wire: z
      .enum(wires)
      .describe('The binding over which the answer came. A rule with it holds of whatever is addressed.'),
    certificate: listOf(standings).describe(
      'What the client certificate says of the originator, at a CSE that demands one. There a rule with it holds of whatever is addressed.',
    ),
    'created by': z.enum(['nobody']).describe('The creation carried no originator and no certificate.'),
    'created in': z
      .enum(['SP-relative'])
      .describe('How the creation of it, or of what it stands below, was addressed.'),
  })
  .partial();
export type When = z.infer<typeof When>;

const Rule = z.strictObject({
  rule: z.string().describe('A requirement, in which ${type} stands for each of the types, and ${each} for each word.'),
  each: z.array(z.string()).optional().describe('Words for which the rule is repeated, such as names of attributes.'),
  when: When,
  // biome-ignore lint/suspicious/noThenProperty: the word of the files; nothing awaits a rule.
  then: z.union([Check, z.strictObject({ by: z.string().describe('A judgement that no matcher can say.') })]),
  unless: z
    .array(z.string())
    .optional()
    .describe('Requirements that make it moot once an exchange before, or this one, broke them.'),
  after: z.array(z.string()).optional().describe('Rules whose failure on the same exchange makes it moot.'),
});
export type Rule = z.infer<typeof Rule>;

/** Of the project itself, whose requirements stand in files of their own. */
export const RuleFile = z.strictObject({
  types: z.array(z.enum(typeNames)).min(1).describe('For which ${type} stands.'),
  rules: z.array(Rule).min(1),
});

const Example = z.strictObject({
  request: z.strictObject({
    method: z.enum(['POST', 'GET', 'PUT', 'DELETE']),
    path: z.string().startsWith('/'),
    headers: z.record(z.string(), z.string()).optional().describe('Beside those that every client sends.'),
    body: z.unknown().optional().describe('JSON, or a text as it is sent.'),
  }),
  answer: z.strictObject({
    status: z.int(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional().describe('JSON, or a text as it is sent.'),
  }),
});
export type Example = z.infer<typeof Example>;

const Examples = z
  .array(z.union([Example, z.array(Example).min(1).describe('One after the other, at a CSE that holds nothing yet.')]))
  .min(1);

const OwnRule = Rule.extend({
  examples: z
    .strictObject({
      right: Examples.optional().describe('In none of these is it broken.'),
      wrong: Examples.optional().describe('Each of these breaks it.'),
    })
    .optional()
    .describe('Tests of the rule: `cselab lint` judges them.'),
});

const { types } = RuleFile.shape;
/** Of a team: what it demands, and the rules by which that is judged. */
export const OwnRuleFile = RequirementFile.extend({
  extends: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe('Files of rules, relative to this one, or packages that bring some: they are judged as well.'),
  types: types.default([]),
  rules: z.array(OwnRule).default([]),
}).meta({ title: 'cselab own rules' });
