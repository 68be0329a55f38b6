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
    operation: listOf(['create', 'retrieve', 'update', 'delete', 'discover']).describe('Operation of the request.'),
    'trailing slash': z.literal(true).describe('The path ends in a slash; without this it must not.'),
    virtual: z.enum(['latest', 'oldest']).describe('The addressed virtual resource; without this there is none.'),
    type: listOf(typeNames).describe('Resource type that is created or addressed.'),
    form: listOf(['CSE-relative', 'SP-relative', 'absolute', 'identifier', 'root']).describe(
      'Form of the address; default: the forms in the source.',
    ),
    forwarded: z.literal(true).describe('Forwarded by the other CSE of the pair; without this, sent directly.'),
    success: z.literal(true).describe('The response reports success.'),
    target: z
      .enum(['exists', 'deleted'])
      .describe('The addressed resource, or the parent of a creation, certainly exists, or was certainly deleted.'),
    'as specified': z
      .union([z.literal(true), z.literal('by anyone')])
      .describe('The request is exactly as specified, sent by the creator of the resource, or by anyone.'),
    requested: z
      .record(z.string(), z.string())
      .describe('Requested attributes, with regular expressions for their values.'),
    without: z.array(z.string()).describe('Attributes that were not requested.'),
    parent: listOf([...typeNames, 'base']).describe('Resource type of the parent.'),
    query: z
      .union([z.array(z.string()), z.literal('any')])
      .describe(
        'All names in the query; without this it is empty, except for a discovery. `any`: any query with an immediate response.',
      ),
    rsc: z.int().describe('The response status code.'),
    representation: z.literal(true).describe('The response has a representation of the resource type.'),
    wire: z.enum(wires).describe('The binding of the response. Such a rule applies to any target.'),
    certificate: listOf(standings).describe(
      'Kind of client certificate, at a CSE that demands one. Such a rule applies to any target.',
    ),
    'created by': z.enum(['nobody']).describe('The creation carried no originator and no certificate.'),
    'creation form': z.enum(['SP-relative']).describe('Form of the address when it, or an ancestor, was created.'),
  })
  .partial();
export type When = z.infer<typeof When>;

const Rule = z.strictObject({
  rule: z.string().describe('A requirement, with ${type} for each of the types, and ${each} for each word.'),
  each: z.array(z.string()).optional().describe('Words for which the rule is repeated, such as names of attributes.'),
  when: When,
  // biome-ignore lint/suspicious/noThenProperty: the word of the files; nothing awaits a rule.
  then: z.union([
    Check,
    z.strictObject({ predicate: z.string().describe('A built-in predicate, for what no matcher can express.') }),
  ]),
  unless: z
    .array(z.string())
    .optional()
    .describe('Requirements: once one is violated, the rule is not checked from that exchange on.'),
  after: z.array(z.string()).optional().describe('Rules: if one fails on an exchange, this one is not checked on it.'),
});
export type Rule = z.infer<typeof Rule>;

/** Rule files of the project, whose requirements are in separate files. */
export const RuleFile = z.strictObject({
  types: z.array(z.enum(typeNames)).min(1).describe('Resource types for ${type}.'),
  rules: z.array(Rule).min(1),
});

const Example = z.strictObject({
  request: z.strictObject({
    method: z.enum(['POST', 'GET', 'PUT', 'DELETE']),
    path: z.string().startsWith('/'),
    headers: z.record(z.string(), z.string()).optional().describe('Besides those that every client sends.'),
    body: z.unknown().optional().describe('JSON, or a text as it is sent.'),
  }),
  response: z.strictObject({
    status: z.int(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional().describe('JSON, or a text as it is sent.'),
  }),
});
export type Example = z.infer<typeof Example>;

const Examples = z.array(z.union([Example, z.array(Example).min(1).describe('In sequence, at an empty CSE.')])).min(1);

const OwnRule = Rule.extend({
  examples: z
    .strictObject({
      valid: Examples.optional().describe('Exchanges that satisfy it.'),
      invalid: Examples.optional().describe('Exchanges that violate it.'),
    })
    .optional()
    .describe('Tests of the rule: `cselab lint` runs them.'),
});

const { types } = RuleFile.shape;
/** Rule files of a team: requirements, and rules that check them. */
export const OwnRuleFile = RequirementFile.extend({
  extends: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe('Rule files, relative to this one, or packages with rules, which apply as well.'),
  types: types.default([]),
  rules: z.array(OwnRule).default([]),
}).meta({ title: 'cselab own rules' });
