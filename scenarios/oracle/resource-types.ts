import type { Dialect } from '../engine/grammar/dialects.ts';

/** The resource types that rules speak of, by their root key (TS-0004 8.2.4, 6.3.4.2.1; interface specification, "Resources and their fields"). */
const documented = [
  { root: 'm2m:ae', name: 'ae', number: 2 },
  { root: 'm2m:cnt', name: 'container', number: 3 },
  { root: 'm2m:cin', name: 'content-instance', number: 4 },
] as const;
/** Flexible containers are left out: each has the root of its definition. */
const standard = [
  ...documented,
  { root: 'm2m:acp', name: 'policy', number: 1 },
  { root: 'm2m:grp', name: 'group', number: 9 },
  { root: 'm2m:pch', name: 'polling-channel', number: 15 },
  { root: 'm2m:sub', name: 'subscription', number: 23 },
] as const;

export type ResourceType = (typeof standard)[number];
export type TypeName = ResourceType['name'];

export const typeNames = standard.map(({ name }) => name) as [TypeName, ...TypeName[]];
export const typeNamed: ReadonlyMap<string, ResourceType> = new Map(standard.map((one) => [one.name, one]));

const tables = {
  documented: new Map<string, ResourceType>(documented.map((one) => [one.root, one])),
  onem2m: new Map<string, ResourceType>(standard.map((one) => [one.root, one])),
} satisfies Record<Dialect, unknown>;

/** By root key, those that a dialect knows. */
export function resourceTypesOf(dialect: Dialect): ReadonlyMap<string, ResourceType> {
  return tables[dialect];
}
