import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { RequestSelector } from '../engine/grammar/grammar-risk.ts';

/** `known-risks.yaml` begins with what its words mean. */
const Risk = z.strictObject({
  product: z.string(),
  version: z.string(),
  effect: z.enum(['corrupts', 'kills']),
  happened: z.string(),
  only: z.literal(true).optional(),
});
const Request = z.strictObject({ request: z.string(), when: RequestSelector });
const Table = z.array(Risk.extend({ requests: z.record(z.string(), Request) }));

/** A request known to damage a deployed CSE; `id`: for target files that allow it. */
export type KnownRisk = { readonly id: string } & z.infer<typeof Risk> & z.infer<typeof Request>;

const text = readFileSync(new URL('known-risks.yaml', import.meta.url), 'utf8');
export const knownRisks: readonly KnownRisk[] = Table.parse(parse(text)).flatMap(({ requests, ...risk }) =>
  Object.entries(requests).map(([id, row]) => ({ ...risk, id, ...row })),
);
