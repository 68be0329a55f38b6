/** The three tables of `cselab mutants` as published formats, from which the `*.schema.json` here are made. */
import { z } from 'zod';
import { drawnShape, generatedShape, killShape } from '../../scenarios/index.ts';

/** Each names its format; the schema carries it as its `$id`. */
export const killFormat = { $schema: 'urn:cselab:mutants:1', schemaVersion: 1 } as const;
export const generatedFormat = { $schema: 'urn:cselab:mutants-generated:1', schemaVersion: 1 } as const;
export const drawnFormat = { $schema: 'urn:cselab:mutants-drawn:1', schemaVersion: 1 } as const;

const formatOf = <Id extends string>({
  $schema,
  schemaVersion,
}: {
  readonly $schema: Id;
  readonly schemaVersion: 1;
}) => ({
  $schema: z.literal($schema),
  schemaVersion: z.literal(schemaVersion),
});

export const Mutants = z
  .object({ ...formatOf(killFormat), ...killShape })
  .readonly()
  .meta({ title: 'Kill table of cselab', description: 'What the harness makes of each fault of the simulator.' });
export type Mutants = z.infer<typeof Mutants>;

export const Generated = z
  .object({ ...formatOf(generatedFormat), ...generatedShape })
  .readonly()
  .meta({
    title: 'What the generators of cselab find alone',
    description:
      'Whether generated sequences find each fault of the simulator, in how many requests, and how short they become.',
  });

export const DrawnReport = z
  .object({ ...formatOf(drawnFormat), ...drawnShape })
  .readonly()
  .meta({
    title: 'What cselab sees of what a seed draws',
    description:
      'Deviations that a seed drew, each with a witness, and whether scenarios and generated sequences see them.',
  });
