/**
 * The grammar of target files: how a CSE that somebody runs is reached, what it claims, and what a run has to respect. The
 * TypeScript type, the validation and `target.schema.json` all come from here.
 */
import { z } from 'zod';
import { dialects } from '../engine/grammar.ts';
import { featureIds, featureOf } from './features.ts';

const Duration = z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, 'write 500ms, 10s, 5m or 1h');
const Rate = z.string().regex(/^[1-9]\d{0,6}\/(s|m)$/, 'write 50/s or 300/m');
const Size = z.string().regex(/^\d+(\.\d+)?(B|KiB|MiB)$/, 'write 65536B, 64KiB or 1MiB');

export const claims = ['yes', 'no', 'unknown'] as const;
const Claim = z.enum(claims);
const statement = Object.fromEntries(featureIds.map((id) => [id, Claim.describe(featureOf(id).name).optional()])) as {
  [Id in (typeof featureIds)[number]]: z.ZodOptional<typeof Claim>;
};

const names = {
  base: z.string().describe('Name of its CSE base.').optional(),
  'cse id': z.string().describe('Its CSE identifier; default: what its CSE base says.').optional(),
};

const Tls = z.strictObject({
  cacert: z.string().describe('Chain by which its certificate is verified; a path relative to this file.').optional(),
  cert: z.string().describe('Client certificate, PEM or PKCS#12.').optional(),
  key: z.string().describe('Its private key, unless the same file holds it.').optional(),
  certs: z.string().describe('Directory of further certificates.').optional(),
  insecure: z.boolean().describe('True: its certificate is not verified.').optional(),
  'require cert': z.boolean().describe('Whether it demands a client certificate.').optional(),
});

const Originators = z.strictObject({
  admin: z.string().describe('May do everything.').optional(),
  'may register': z
    .array(z.string())
    .min(1)
    .describe('The only originators with which an application entity may register; absent: any.')
    .optional(),
});

const Limits = z.strictObject({
  rate: Rate.describe('Most requests in a time, such as 50/s.').optional(),
  connections: z.int().min(1).describe('Most connections at the same time.').optional(),
  jobs: z.int().min(1).describe('Most scenarios at the same time.').optional(),
  timeout: Duration.describe('For one request.').optional(),
  body: Size.describe('Longest body that it takes; scenarios with a longer one are not run.').optional(),
});

export const TargetFile = z
  .strictObject({
    product: z.string().describe('What it is called.'),
    version: z.string().describe('A baseline can be meant for some versions only.').optional(),
    about: z.string().optional(),
    url: z.string().optional(),
    dialect: z.enum(dialects).describe('By the interface specification, or by oneM2M TS-0009.').optional(),
    release: z.string().describe('Release of oneM2M that requests name (onem2m dialect).').optional(),
    ...names,
    'sp id': z.string().describe('Its service provider identifier.').optional(),
    originators: Originators.optional(),
    headers: z
      .record(z.string(), z.string())
      .describe('Sent with every request. ${env.NAME} is the value of an environment variable, and kept secret.')
      .optional(),
    tls: Tls.optional(),
    'access control': z.boolean().describe('Whether it looks at access control policies.').optional(),
    implements: z
      .strictObject(statement)
      .describe(
        'Implementation conformance statement. What is not listed is claimed; `no` and `unknown` are not judged, and counted.',
      )
      .optional(),
    limits: Limits.optional(),
    lifetime: z
      .union([z.literal('none'), Duration])
      .describe('Expiration time of what a run creates, so that nothing outlives a crash; default 1h.')
      .optional(),
    waits: Duration.describe('What a run may wait for time to pass at the target; default 30s.').optional(),
    'hands off': z.array(z.string()).describe('Paths that are not even read, with everything below them.').optional(),
    notifications: z
      .union([
        z.literal('none'),
        z.strictObject({ host: z.string().describe('Name by which the target reaches this harness.') }),
      ])
      .optional(),
    backend: z
      .strictObject({ url: z.string(), ...names })
      .describe('The backend at which the target is registered.')
      .optional(),
  })
  .meta({ id: 'TargetFile', title: 'cselab target file' });
export type TargetFile = z.infer<typeof TargetFile>;
