/** The resource types that sequences create, and what is known of one resource. */
import type { ResourceTypeName } from '../../engine/grammar/vocabulary.ts';

/**
 * By their names in the scenario grammar, all of the onem2m dialect, with the possible parents of each (TS-0001 9.6, tables of child
 * resources); without any, directly below the CSE base.
 */
export const parentTypes = {
  ae: [],
  container: ['ae', 'container'],
  'content instance': ['container'],
  subscription: ['ae', 'container', 'group'],
  group: ['ae'],
  'access control policy': ['ae'],
  'flex container': ['ae', 'container'],
} as const satisfies Partial<Record<ResourceTypeName, readonly ResourceTypeName[]>>;
export type GeneratedType = keyof typeof parentTypes;
export const generatedTypes = Object.keys(parentTypes) as readonly GeneratedType[];

/** Those that the interface specification describes. */
export const documentedTypes = ['ae', 'container', 'content instance'] as const;

/** The flexible containers that sequences create: a colour. */
export const color = { root: 'cod:color', definition: 'org.onem2m.common.moduleclass.colour' };

/** Attributes that the CSE assigns, as its answers showed them; undefined until shown. */
interface AssignedAttributes {
  ri?: string | undefined;
  ct?: string | undefined;
  mbs?: number | undefined;
}

/** A resource that a sequence has created. */
export interface GeneratedResource {
  readonly type: GeneratedType;
  /** Path segment. */
  readonly name: string;
  /** Undefined directly below the CSE base. */
  readonly parent: GeneratedResource | undefined;
  /** From below the CSE base on. */
  readonly names: readonly string[];
  /** The same as a path, without a leading slash. */
  readonly path: string;
  /** In order of creation. */
  readonly children: GeneratedResource[];
  /** Its creator, or the entity it stands for, as the dialect says. */
  readonly owner: string;
  /** Attributes as created and updated. */
  readonly attributes: Record<string, unknown>;
  readonly assigned: AssignedAttributes;
  /** Whether it was read by a path that names the CSE, so that such reads can be compared. */
  readBySpRelative?: true;
}

/** Whether content instances are evicted. */
export function isLimited({ attributes }: GeneratedResource): boolean {
  return ['mni', 'mbs'].some((name) => typeof attributes[name] === 'number');
}

export function instancesOf({ children }: GeneratedResource): GeneratedResource[] {
  return children.filter(({ type }) => type === 'content instance');
}

/** The newest or oldest content instance of a container, by virtual name. */
export function endOf(container: GeneratedResource, word: string): GeneratedResource | undefined {
  return instancesOf(container).at(word.startsWith('la') ? -1 : 0);
}

/** All descendants, in no certain order. */
export function descendantsOf({ children }: GeneratedResource): GeneratedResource[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Contents, simplest first, since shrinking goes that way. */
type Content = Readonly<Record<'con' | 'cnf', string>>;

const plain = 'text/plain:0';
const contents = [
  { con: 'a', cnf: plain },
  { con: 'bb', cnf: plain },
  { con: 'ccc', cnf: plain },
  { con: ' d ', cnf: plain },
  { con: 'eyJhIjoxfQ==', cnf: 'application/json:1' },
  { con: '{"a":1}', cnf: plain },
  { con: 'é温', cnf: plain },
  { con: 'one\ntwo', cnf: plain },
] as const satisfies readonly Content[];

export function contentAt(index: number): Content {
  return contents[index % contents.length] ?? contents[0];
}
