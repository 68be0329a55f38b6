import type { Dialect } from '../engine/grammar/dialects.ts';

/** The resource types that rules speak of, by their root key (TS-0004 8.2.4, 6.3.4.2.1; interface specification, "Resources and their fields"). */
const documented = [
  { root: 'm2m:ae', name: 'ae', number: 2 },
  { root: 'm2m:cnt', name: 'container', number: 3 },
  { root: 'm2m:cin', name: 'content-instance', number: 4 },
] as const;
const standard = [
  ...documented,
  { root: 'm2m:acp', name: 'policy', number: 1 },
  { root: 'm2m:grp', name: 'group', number: 9 },
  { root: 'm2m:nod', name: 'node', number: 14 },
  { root: 'm2m:pch', name: 'polling-channel', number: 15 },
  { root: 'm2m:csr', name: 'remote-cse', number: 16 },
  { root: 'm2m:sub', name: 'subscription', number: 23 },
  { root: 'm2m:ts', name: 'time-series', number: 29 },
  { root: 'm2m:tsi', name: 'time-series-instance', number: 30 },
  { root: 'm2m:fwr', name: 'firmware', number: 13 },
  { root: 'm2m:swr', name: 'software', number: 13 },
  { root: 'm2m:mem', name: 'memory', number: 13 },
  { root: 'm2m:ani', name: 'area-network-info', number: 13 },
  { root: 'm2m:andi', name: 'area-network-device-info', number: 13 },
  { root: 'm2m:bat', name: 'battery', number: 13 },
  { root: 'm2m:dvi', name: 'device-info', number: 13 },
  { root: 'm2m:dvc', name: 'device-capability', number: 13 },
  { root: 'm2m:rbo', name: 'reboot', number: 13 },
  { root: 'm2m:evl', name: 'event-log', number: 13 },
  // Each has the root of its definition (TS-0023; TS-0004 7.4.37): see `typeOfRoot`.
  { root: '', name: 'flex-container', number: 28 },
] as const;

export type ResourceType = (typeof standard)[number];
export type TypeName = ResourceType['name'];

export const typeNames = standard.map(({ name }) => name) as [TypeName, ...TypeName[]];
export const typeNamed: ReadonlyMap<string, ResourceType> = new Map(standard.map((one) => [one.name, one]));

const tables = {
  documented: new Map<string, ResourceType>(documented.map((one) => [one.root, one])),
  onem2m: new Map<string, ResourceType>(standard.map((one) => [one.root, one])),
} satisfies Record<Dialect, unknown>;

/** Roots of definitions: those of other specifications, and the two of generic interworking. */
const ofDefinitions = /^(?:(?!m2m:)[a-z][a-z0-9]*:[A-Za-z0-9]+|m2m:gi[os])$/;

/** The type of what a root key is that of; undefined for what a dialect does not know. */
export function typeOfRoot(root: string, dialect: Dialect): ResourceType | undefined {
  const isDefined = dialect === 'onem2m' && ofDefinitions.test(root);
  return isDefined ? typeNamed.get('flex-container') : tables[dialect].get(root);
}
