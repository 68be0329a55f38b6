import type { Dialect } from '../../engine/grammar/dialects.ts';
import { factsOf, type ResourceTypeName, resourceTypes } from '../../engine/grammar/vocabulary.ts';

type Dashed<Words extends string> = Words extends `${infer First} ${infer Rest}` ? `${First}-${Dashed<Rest>}` : Words;
/** A resource type as in the ids of requirements, and in rules. */
export type TypeName = Exclude<Dashed<ResourceTypeName>, 'access-control-policy'> | 'policy';

/** A resource type that rules speak of. */
interface ResourceType {
  readonly name: TypeName;
  /** Empty if each specialization has its own (TS-0023; TS-0004 7.4.37): see `typeOfRoot`. */
  readonly root: string;
  readonly number: number;
}

function typeOf(type: ResourceTypeName): ResourceType {
  const { root = '', ty: number } = factsOf(type);
  const name = type === 'access control policy' ? 'policy' : (type.replaceAll(' ', '-') as TypeName);
  return { name, root, number };
}

/** Those with one root first. */
const standard = resourceTypes.map(typeOf).sort((a, b) => Number(a.root === '') - Number(b.root === ''));

export const typeNames = standard.map(({ name }) => name) as [TypeName, ...TypeName[]];
export const typeFacts = Object.fromEntries(standard.map((one) => [one.name, one])) as Readonly<
  Record<TypeName, ResourceType>
>;

/** By root (TS-0004 8.2.4; interface specification, "Resources and their fields"). */
const byRoot = new Map(standard.map((one) => [one.root, one]));
const documented: ReadonlySet<string> = new Set(['m2m:ae', 'm2m:cnt', 'm2m:cin']);

/** Roots of specializations: those of other specifications, and the two of generic interworking. */
const ofDefinitions = /^(?:(?!m2m:)[a-z][a-z0-9]*:[A-Za-z0-9]+|m2m:gi[os])$/;

/** The resource type of a root; undefined if the dialect (default: the standard) does not know it. */
export function typeOfRoot(root: string | undefined, dialect?: Dialect): ResourceType | undefined {
  if (root === undefined || (dialect === 'documented' && !documented.has(root))) return undefined;
  return ofDefinitions.test(root) ? typeFacts['flex-container'] : byRoot.get(root);
}
