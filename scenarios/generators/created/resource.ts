/** The resource types that sequences create, and what is known of one resource. */
import type { ResourceTypeName } from '../../engine/grammar/vocabulary.ts';

/**
 * In the words of the scenario grammar, all of the onem2m dialect, with those below which each may stand (TS-0001 9.6, tables of child
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

/** What of a resource is left to the CSE, as its answers showed it. What never was shown is undefined. */
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
  /** The same as a path below the CSE base, without a slash at its beginning. */
  readonly path: string;
  /** In order of creation. */
  readonly children: GeneratedResource[];
  /** Who created it, or for whom it stands, in the words of the dialect. */
  readonly owner: string;
  /** Attributes as they were given, and as updates left them. */
  readonly attributes: Record<string, unknown>;
  readonly assigned: AssignedAttributes;
  /** Whether it was read by a path that names the CSE, so that such reads can be compared. */
  readBySpRelative?: true;
}

/** Whether content instances make room for others. */
export function isLimited({ attributes }: GeneratedResource): boolean {
  return ['mni', 'mbs'].some((name) => typeof attributes[name] === 'number');
}

export function instancesOf({ children }: GeneratedResource): GeneratedResource[] {
  return children.filter(({ type }) => type === 'content instance');
}

/** What stands at the newest or the oldest end of a container, by its virtual name. */
export function endOf(container: GeneratedResource, word: string): GeneratedResource | undefined {
  return instancesOf(container).at(word.startsWith('la') ? -1 : 0);
}

/** Everything below it, in no certain order. */
export function descendantsOf({ children }: GeneratedResource): GeneratedResource[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** What content instances hold: the simplest first, since shrinking goes that way. */
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
