/**
 * What is known to corrupt or kill a deployed CSE: the mark of steps and scenarios, and the selector of such requests.
 * The grammars of scenario files and of target files use both, and so does the table of known risks (`known-risks.ts`).
 */
import { z } from 'zod';
import { resourceTypes } from './vocabulary.ts';

const Reason = z.string().regex(/\S/, 'say which product it was, and what happened');

/** The effect, with the product and what happened there. */
export const RiskMark = z.union([z.strictObject({ corrupts: Reason }), z.strictObject({ kills: Reason })]).meta({
  id: 'Risky',
  description:
    'Known to corrupt or kill a deployed CSE: which one, and what happened. Left out at a live target unless --risky or its target file allows it.',
});
export type RiskMark = z.infer<typeof RiskMark>;

const Texts = z.union([z.string(), z.array(z.string()).min(1)]);

export const RequestSelector = z
  .strictObject({
    method: Texts.describe('As in the request line: get is not GET.').optional(),
    'method other than': Texts.describe('Also matches a request without a method.').optional(),
    type: z.enum(resourceTypes).describe('Resource type of the body, by its only key.').optional(),
    query: z
      .record(z.string(), Texts)
      .describe('Query parameters with the values that count; the value "*" stands for any.')
      .optional(),
    attribute: z.string().describe('Present in the body, and not null.').optional(),
    'without attribute': z
      .string()
      .describe('Absent where it could be: `pv.acr.acop` matches an element of acr without acop.')
      .optional(),
    'without header': z.string().optional(),
    'longer header': z
      .strictObject({ name: z.string(), bytes: z.int().min(1) })
      .describe('A header whose value has more bytes.')
      .optional(),
    'path ends with': Texts.describe('The last segment of the path.').optional(),
    'name ends with': Texts.describe('The resourceName in the body.').optional(),
    body: z.literal('no JSON').describe('A body that is no JSON.').optional(),
    head: z
      .enum(['malformed', 'in pieces'])
      .describe(
        '`malformed`: not a request line with a version and lines that end with CRLF, up to an empty one. `in pieces`: in several TCP segments.',
      )
      .optional(),
    'larger chunk': z.int().min(1).describe('The announced size of a chunk is larger.').optional(),
    'longer head': z.int().min(1).describe('Request line and headers have more bytes.').optional(),
    removed: z.literal(true).describe('Addresses a removed resource of this run by its identifier.').optional(),
  })
  .refine((selector) => Object.keys(selector).length > 0, 'select something')
  .describe('Requests for which all of this holds.');
export type RequestSelector = z.infer<typeof RequestSelector>;

/** A further risk of one target, as its file names it. */
export const TargetRisk = z.union([
  z.strictObject({ when: RequestSelector, corrupts: Reason }),
  z.strictObject({ when: RequestSelector, kills: Reason }),
]);
export type TargetRisk = z.infer<typeof TargetRisk>;

/** Effect and reason of a mark or a row, as shown to users. */
export function effectOf(risk: RiskMark | TargetRisk) {
  return 'kills' in risk ? { effect: 'kills', reason: risk.kills } : { effect: 'corrupts', reason: risk.corrupts };
}

/** The known risks that may be sent to a target, and further risks of that target. */
export interface RiskChoice {
  /** `all`, or the ids of the `knownRisks` to send. None when absent. */
  readonly risky?: 'all' | readonly string[];
  readonly risks?: readonly TargetRisk[];
  /** The product, where the target file or the CSE base names it. */
  readonly product?: string;
  /** The product that it seems to be. */
  readonly looksLike?: string;
}
