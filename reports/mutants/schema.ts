/** The three tables of `cselab mutants` as published formats, from which the `*.schema.json` here are made. */
import { z } from 'zod';
import { drawnShape, generatedShape, killShape } from '../../scenarios/index.ts';

/** A table in a format that it names; the schema carries the name as its `$id`. */
function published<Name extends string, Shape extends z.core.$ZodLooseShape>(
  name: Name,
  shape: Shape,
  meta: { readonly title: string; readonly description: string },
) {
  const format = { $schema: name, schemaVersion: 1 } as const;
  const named = { $schema: z.literal(format.$schema), schemaVersion: z.literal(format.schemaVersion) };
  return {
    format,
    type: z
      .object({ ...named, ...shape })
      .readonly()
      .meta(meta),
  };
}

export const killReport = published('urn:cselab:mutants:1', killShape, {
  title: 'Kill table of cselab',
  description: 'What the harness makes of each fault of the simulator.',
});

export const generatedReport = published('urn:cselab:mutants-generated:1', generatedShape, {
  title: 'What the generators of cselab find alone',
  description:
    'Whether generated sequences find each fault of the simulator, in how many requests, and how short they become.',
});

export const drawnReport = published('urn:cselab:mutants-drawn:1', drawnShape, {
  title: 'What cselab sees of what a seed draws',
  description:
    'Deviations that a seed drew, each with a witness, and whether scenarios and generated sequences see them.',
});
