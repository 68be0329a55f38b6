/**
 * The JSON report as a schema, from which `report.schema.json` is made: a result of the engine, and its failures by
 * cause. It is a published format: its test fails when that file is not written anew.
 */
import { z } from 'zod';
import { Cause, causesOf } from '../../scenarios/results.ts';
import { type RunResult, runShape } from '../../scenarios/words.ts';

/** A long-lived format with a name; the schema carries the name as its `$id`. */
export function defineFormat<Name extends string, Version extends number, Shape extends z.core.$ZodLooseShape>(
  $schema: Name,
  schemaVersion: Version,
  shape: Shape,
  meta: { readonly title: string; readonly description?: string },
) {
  const header = { $schema: z.literal($schema), schemaVersion: z.literal(schemaVersion) };
  const type = z
    .object({ ...header, ...shape })
    .readonly()
    .meta(meta);
  return { format: { $schema, schemaVersion }, type };
}

const causes = z
  .array(Cause)
  .readonly()
  .describe('Each requirement that is not kept stands in exactly one; absent in older reports.')
  .exactOptional();

export const runReport = defineFormat('urn:cselab:report:3', 3, { ...runShape, causes }, { title: 'cselab report' });
export const { type: Report } = runReport;
export type Report = z.infer<typeof Report>;

/** A schema as the text of its file. Objects stay open: a later version may say more, never less. */
export function schemaTextOf({ type, format }: { type: z.ZodType; format: { $schema: string } }): string {
  const schema = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    // `readonly` is about our types; in a schema it would mean who may change a value.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify({ $id: format.$schema, ...schema }, undefined, 2)}\n`;
}

/** Control characters that JSON lets stand as they are (DEL and the C1 set), and changes of the writing direction. */
const invisible = /[\p{Cc}\p{Bidi_Control}]/gu;

/** The report in the format of `report.schema.json`, with a final line break. Safe to print in a terminal. */
export function renderJson(result: RunResult): string {
  const report: Report = { ...runReport.format, ...result, causes: causesOf(result) };
  return `${visibleJson(report, 2)}\n`;
}

/** JSON that is safe to print in a terminal. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(invisible, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
