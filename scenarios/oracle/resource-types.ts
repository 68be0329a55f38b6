/** The resource types that rules speak of, by their root key (TS-0004 8.2.4; interface specification, "Resources and their fields"). */
const table = [
  { root: 'm2m:ae', name: 'ae', number: 2 },
  { root: 'm2m:cnt', name: 'container', number: 3 },
  { root: 'm2m:cin', name: 'content-instance', number: 4 },
] as const;

export type ResourceType = (typeof table)[number];
export type TypeName = ResourceType['name'];

export const typeNames: readonly TypeName[] = table.map(({ name }) => name);
export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(table.map((one) => [one.root, one]));
export const typeNamed: ReadonlyMap<string, ResourceType> = new Map(table.map((one) => [one.name, one]));
