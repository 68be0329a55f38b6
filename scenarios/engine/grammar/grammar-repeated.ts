/** The part of the grammar that repeats steps for each value of a table. */
import { z } from 'zod';
import { tables } from '../corpus.ts';
import { Scalar } from './grammar-matcher.ts';
import { Step } from './grammar-step.ts';

const Range = z.strictObject({ from: z.int(), to: z.int() }).describe('Whole numbers, both ends included.');
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
