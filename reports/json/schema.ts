/**
 * The JSON report as a schema: what `report.schema.json` is made from. A result as the engine has it, and what it
 * comes to by cause. It is a published format: its test fails when that file is not written anew.
 */
import { z } from 'zod';
import { Cause, runShape } from '../../scenarios/index.ts';

export const schemaVersion = 3;
/** Names the format; `report.schema.json` beside the reporters carries it as its `$id`. */
export const schemaId = 'urn:cselab:report:3';

export const Report = z
  .object({
    $schema: z.literal(schemaId),
    schemaVersion: z.literal(schemaVersion),
    ...runShape,
    causes: z
      .array(Cause)
      .readonly()
      .describe('Each requirement that is not kept stands in exactly one; absent in older reports.')
      .exactOptional(),
  })
  .readonly()
  .meta({ title: 'cselab report' });
export type Report = z.infer<typeof Report>;

/** A schema as the text of its file. Objects stay open: a later version may say more, never less. */
export function schemaTextOf(type: z.ZodType, $id: string): string {
  const schema = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    // `readonly` is about our types; in a schema it would speak of who may change a value.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify({ $id, ...schema }, undefined, 2)}\n`;
}
