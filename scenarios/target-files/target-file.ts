/**
 * The grammar of target files: how to reach a CSE, what it claims, and what a run must respect. The TypeScript type, the validation
 * and `target.schema.json` all come from here.
 */

import { z } from 'zod';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { dialects, serializations } from '../engine/grammar/dialects.ts';
import { TargetRisk } from '../engine/grammar/grammar-risk.ts';
import { parseUrl } from '../engine/targets/url-choice.ts';
import { type FeatureId, featureIds, featureOf } from '../ics/features.ts';
import { knownRisks } from '../safety/known-risks.ts';

const Text = z.string().regex(/\S/, 'a text that is not empty is needed');
const Url = Text.superRefine((text, context) => {
  try {
    parseUrl(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});
const Duration = z.string().regex(/^[1-9]\d{0,5}(ms|s|m|h)$/, 'write 500ms, 10s, 5m or 1h');
const Lifetime = z.string().regex(/^(none|[1-9]\d{0,5}(ms|s|m|h))$/, 'write 10m, 1h or none');
const Rate = z.string().regex(/^[1-9]\d{0,5}\/(s|m)$/, 'write 50/s or 300/m');
const Size = z.string().regex(/^[1-9]\d{0,8}(B|KiB|MiB)$/, 'write 65536B, 64KiB or 1MiB');
const Secret = z
  .string()
  .regex(/^\$\{env\.[A-Za-z_]\w*\}$/, 'write ${env.NAME}: what is secret does not stand in a file');
/** YAML reads `release: 3` as a number. */
const Release = z.union([z.string().regex(/^[1-9]a?$/, 'write 2a, 3, 4 or 5'), z.int().min(1).max(9)]);

export const claims = ['yes', 'no', 'unknown'] as const;
const Claim = z.union([z.enum(claims), z.strictObject({ no: Text.describe('Why it does without.') })]);
const claimOf = (id: FeatureId) => Claim.describe(featureOf(id).name).optional();
const implementsShape = Object.fromEntries(featureIds.map((id) => [id, claimOf(id)])) as {
  [Id in FeatureId]: z.ZodOptional<typeof Claim>;
};

const names = {
  base: Text.describe('Name of its CSE base.').optional(),
  'cse id': Text.describe('Its CSE identifier; default: what its CSE base says.').optional(),
};

const Tls = z.strictObject({
  cacert: Text.describe('Chain by which its certificate is verified; a path relative to this file.').optional(),
  cert: Text.describe('Client certificate, PEM or PKCS#12; a path relative to this file.').optional(),
  key: Text.describe('Its private key, unless the same file holds it.').optional(),
  passphrase: Secret.describe(
    'Of the key or of the PKCS#12 file: ${env.NAME}, the value of an environment variable.',
  ).optional(),
  certs: Text.describe('Directory of further certificates; a path relative to this file.').optional(),
  insecure: z.boolean().describe('True: its certificate is not verified.').optional(),
  'require cert': z.boolean().describe('Whether it demands a client certificate.').optional(),
});

const Container = z.strictObject({
  image: Text.describe('Name of a public image of it.').optional(),
  port: z.int().min(1).max(65_535).describe('At which it listens in the container.').optional(),
  env: z.record(z.string(), z.string()).describe('Variables of the environment in the container.').optional(),
});

const Originators = z.strictObject({
  admin: Text.describe('May do everything.').optional(),
  'may register': z
    .array(Text)
    .min(1)
    .describe(
      'The only originators with which an application entity may register; absent: any. All requests carry the first, so that scenarios that need others are not applicable.',
    )
    .optional(),
});

const Limits = z.strictObject({
  rate: Rate.describe('Most requests in a time, such as 50/s.').optional(),
  connections: z.int().min(1).describe('Most connections at the same time.').optional(),
  jobs: z.int().min(1).describe('Most scenarios at the same time.').optional(),
  timeout: Duration.describe('For one request.').optional(),
  body: Size.describe(
    'Longest body that it accepts: requests with longer ones are not sent, and their checks are not testable, excused.',
  ).optional(),
});

export const TargetFile = z
  .strictObject({
    extends: z
      .union([Text, z.array(Text).min(1)])
      .describe(
        'A target file, relative to this one, or a package with a target, rules or scenarios; this file overrides it.',
      )
      .optional(),
    product: Text.describe('Name of the product.'),
    version: Text.describe('A baseline may apply to some versions only.').optional(),
    about: z.string().optional(),
    url: Url.describe('Such as https://gateway:8000; --url overrides it.').optional(),
    dialect: z.enum(dialects).describe('By the interface specification, or by oneM2M TS-0009.').optional(),
    release: Release.describe('Release of oneM2M that requests name (onem2m dialect).').optional(),
    serialization: z
      .enum(serializations)
      .describe('Of requests and answers (onem2m dialect); default: json.')
      .optional(),
    ...names,
    'sp id': Text.describe('Its service provider identifier.').optional(),
    originators: Originators.optional(),
    headers: z
      .record(z.string(), Text)
      .describe('Sent with every request. ${env.NAME} is the value of an environment variable, and kept secret.')
      .optional(),
    tls: Tls.optional(),
    'access control': z.boolean().describe('Whether it looks at access control policies.').optional(),
    container: Container.describe('How `cselab check --container` starts it.').optional(),
    implements: z
      .strictObject(implementsShape)
      .describe(
        'Implementation conformance statement. `yes`: lacking it is a deviation. `no`, or `no` with a reason: it is not checked, and counted as such. `unknown`, or not listed: it is checked, and may be refused where the standard permits that.',
      )
      .optional(),
    profile: Text.describe(
      'Features that it must have: the name of a profile of TS-0025, or a file with one, relative to this file.',
    ).optional(),
    limits: Limits.optional(),
    lifetime: Lifetime.describe(
      'Time after which created resources expire, so that nothing outlives a crash for long; default 1h. `none`: they have no expiration time.',
    ).optional(),
    waits: Duration.describe('Total time that a run may wait for time to pass at the target; default 30s.').optional(),
    risky: z
      .union([z.literal('allowed'), z.array(z.enum(knownRisks.map(({ id }) => id)))])
      .describe(
        'Known risks for deployed CSEs that it tolerates: `allowed`, or ids of `cselab list --risks`. Default: none.',
      )
      .optional(),
    risks: z
      .array(TargetRisk)
      .describe('Requests that are known to corrupt or kill it, beyond that list; left out unless --risky is given.')
      .optional(),
    'hands off': z
      .array(Text.regex(/^\//, 'write a path, beginning with a slash'))
      .describe('Paths that are not even read, with everything below them.')
      .optional(),
    notifications: z
      .union([
        z.literal('none').describe('It cannot reach this harness.'),
        z.strictObject({ host: Text.describe('Name by which the target reaches this harness.') }),
      ])
      .optional(),
    backend: z
      .strictObject({ url: Url, ...names })
      .describe('The backend at which the target is registered.')
      .optional(),
  })
  .meta({ title: 'cselab target file' });
export type TargetFile = z.infer<typeof TargetFile>;
