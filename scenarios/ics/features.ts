import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { memoized } from '../engine/basics/memoize.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, type ResourceTypeName } from '../engine/grammar/vocabulary.ts';

export const FeatureId = z.templateLiteral(['PICS_', z.string()]);
/** Id of a row of `features.yaml`. */
export type FeatureId = z.infer<typeof FeatureId>;

const Ids = z.string().transform((text) => text.split(/\s+/));

/** The beginning of the file explains the keys. */
const Feature = z.strictObject({
  name: z.string(),
  ty: z.int().optional(),
  'part ty': z.int().optional(),
  documented: z.literal(true).optional(),
  core: z.literal(true).optional(),
  within: FeatureId.optional(),
  'not probed': z.string().optional(),
  'by definition': z.literal(true).optional(),
  parameter: z.strictObject({ of: Ids, variants: z.array(z.string()) }).optional(),
  items: Ids.optional(),
  'shown by': Ids.optional(),
  about: Ids,
});
type Feature = z.infer<typeof Feature>;

const table = readFileSync(new URL('features.yaml', import.meta.url), 'utf8');
const features = new Map(Object.entries(z.record(FeatureId, Feature).parse(parse(table)))) as Map<FeatureId, Feature>;

export const featureIds = [...features.keys()];

export function featureOf(id: FeatureId): Feature {
  const feature = features.get(id);
  if (feature === undefined) throw new TypeError(`features.yaml has no ${id}`);
  return feature;
}

/**
 * Whether a CSE may lack the feature: a documented feature of its dialect is checked, unless a target file denies it.
 */
export function isOptional(id: FeatureId, dialect: Dialect): boolean {
  return dialect !== 'documented' || featureOf(id).documented === undefined;
}

/** The features of a requirement, in ICS order. */
export const featuresOf = memoized(
  (requirement: string): readonly FeatureId[] =>
    featureIds.filter((id) => featureOf(id).about.some((one) => isBelow(requirement, one))),
  { most: 4_000 },
);

/** Whether this resource type needs the feature. */
export function isOfFeature(type: ResourceTypeName, id: FeatureId): boolean {
  const { ty, 'part ty': part } = featureOf(id);
  return [ty, part].includes(factsOf(type).ty);
}

export function featureOfType(type: ResourceTypeName): FeatureId | undefined {
  return featureIds.find((id) => isOfFeature(type, id));
}

/** Whether a requirement has this id, or one that continues it. */
export function isBelow(requirement: string, id: string): boolean {
  return requirement === id || requirement.startsWith(`${id}.`);
}
