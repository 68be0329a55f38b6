/** Requests that are wrong in one way, of which a requirement says how they are refused. */
import { originatorOf } from '../model/address.ts';
import { instancesOf, type ModelResource } from '../model/resource.ts';
import type { AttemptStep, Attributes, Ground } from '../moves/move.ts';

export interface Wrong {
  /** What the mistake can be made with. */
  readonly among: (resource: ModelResource) => boolean;
  readonly requirement: string;
  /** The response status code; each with its source, where there are several. */
  readonly codes: number | Readonly<Record<number, string>>;
  /** `path`: of the resource. */
  readonly step: (path: string, resource: ModelResource, ground: Ground) => AttemptStep;
}

type Among = Wrong['among'];
type Given<T> = T | ((resource: ModelResource, ground: Ground) => T);

function wrong(requirement: string, codes: number, step: Wrong['step'], among: Among = () => true): Wrong {
  return { among, requirement, codes, step };
}

const isA =
  (...kinds: readonly string[]): Among =>
  ({ kind }) =>
    kinds.includes(kind);
const isAe = isA('ae');
const isContainer = isA('container');
const isInstance = isA('content instance');
const isHolder = isA('container', 'ae');

/** A creation below what it is made with. */
function create(
  requirement: string,
  codes: Wrong['codes'],
  given: Given<Attributes>,
  { among = isHolder, kind = 'container', end = '', ...how }: Partial<Creation> = {},
): Wrong {
  const attributes: Exclude<typeof given, Attributes> = typeof given === 'function' ? given : () => given;
  const step: Wrong['step'] = (path, ...at) => ({
    create: kind,
    in: path + end,
    attributes: attributes(...at),
    ...how,
  });
  return { among, requirement, codes, step };
}

interface Creation {
  readonly among: Among;
  readonly kind: 'container' | 'content instance';
  /** Of the path. */
  readonly end: string;
  readonly root: string;
  readonly query: Readonly<Record<string, number>>;
}

/** Content that is none, or too much of it, as exact bytes of a body. */
function body(requirement: string, text: string): Wrong {
  const headers = { 'Content-Type': 'application/json;ty=3' };
  const step = (path: string) => ({ raw: { method: 'POST', path, headers, body: text }, creates: `${path}/x` });
  return { among: isHolder, requirement, codes: 4000, step };
}

function update(
  requirement: string,
  codes: Wrong['codes'],
  attributes: Attributes,
  { among, end = '', kind, ...how }: { among: Among; end?: string; kind?: ModelResource['kind']; root?: string },
): Wrong {
  const step: Wrong['step'] = (path, { kind: own }) => ({ update: path + end, kind: kind ?? own, attributes, ...how });
  return { among, requirement, codes, step };
}

const updatable = isA('container', 'ae', 'group');
const labels = { lbl: ['x'] };

const query = { rcn: 2 };
const kind = 'content instance';
const content = { rn: 'x', con: 'a' };

/** Bytes: a container that takes more is not filled. */
const largest = 100_000;

export const mistakes = {
  'name taken': create('std.create.name-taken', 4105, ({ children }) => ({ rn: children.at(-1)?.name ?? '' }), {
    among: (parent) => isHolder(parent) && parent.children.length > 0,
  }),
  'name with a slash': create('std.create.name-shape', 4000, { rn: 'a/b' }),
  'unknown attribute': create('std.create.unknown-attribute', 4000, { rn: 'x', nosuch: 1 }),
  'attribute of the CSE': create('std.create.read-only', 4000, { rn: 'x', ct: '20200101T000000' }),
  'attribute of another type': create('std.create.wrong-type', 4000, { rn: 'x', lbl: 'x' }),
  'limit below zero': create('std.container.invalid-limit', 4000, { rn: 'x', mni: -1 }),
  'creator given': create('std.create.cr.given', 4000, ({ owner }, { model }) => ({
    ...{ rn: 'x', cr: originatorOf(owner, model) },
  })),
  'expiration passed': create('std.create.et-passed', 4000, { rn: 'x', et: '20010101T000000' }),
  'below what cannot hold it': create('std.create.wrong-child', 4108, content, { among: isAe, kind }),
  'below what is not there': create('std.create.not-found', 4004, { rn: 'x' }, { end: '/nowhere' }),
  'below a content instance': create('std.content-instance.no-children', 4108, content, { among: isInstance, kind }),
  'another root': create('std.create.wrong-root', 4000, { rn: 'x' }, { root: 'm2m:grp' }),
  'two roots': body('std.content.two-roots', '{"m2m:cnt":{"rn":"x"},"m2m:grp":{}}'),
  'no content': body('std.content.empty', ''),
  'rcn that it has not': create('std.create.rcn.refused', 4000, { rn: 'x' }, { query: { rcn: 4 } }),
  'larger than the container': create(
    'std.retention.mbs.too-large',
    5207,
    ({ shown: { mbs = 0 } }) => ({ rn: 'x', con: 'x'.repeat(mbs + 1) }),
    { among: (one) => isContainer(one) && (one.shown.mbs ?? largest) < largest, kind },
  ),
  'virtual name': create(
    'std.latest.reserved',
    {
      4005: 'TS-0004 R1-R2, 7.4.6.2.1: the operation is not allowed',
      4105: 'TS-0004 R3-R4, 7.3.3.5: the name is that of the virtual child',
      4000: 'TS-0004 7.3.3.3: the value of resourceName is not acceptable',
    },
    { rn: 'la' },
    { among: isContainer },
  ),
  'read what is not there': wrong('std.retrieve.not-found', 4004, (path) => ({ retrieve: `${path}/nowhere` })),
  'read with an rcn that it has not': wrong('std.retrieve.rcn.refused', 4000, (retrieve) => ({ retrieve, query })),
  'read in other letters': {
    among: ({ parent, name }) => parent !== undefined && /^[a-z]+$/.test(name),
    ...{ requirement: 'std.address.case', codes: 4004 },
    step: (path, { name }) => ({ retrieve: path.slice(0, -name.length) + name.toUpperCase() }),
  },
  'update what is not there': update('std.update.not-found', 4004, labels, {
    ...{ among: isHolder, end: '/nowhere', kind: 'container' },
  }),
  'update an attribute of the CSE': update(
    'std.update.read-only',
    4000,
    { ct: '20200101T000000' },
    { among: updatable },
  ),
  'update an attribute that the kind has not': update('std.update.foreign', 4000, { exc: 5 }, { among: updatable }),
  'update with another root': update(
    'std.update.wrong-root',
    {
      4000: 'TS-0004 7.3.3.4: the content is not valid for the kind',
      4102: 'TS-0004 6.6.3.5, CONTENTS_UNACCEPTABLE',
    },
    labels,
    { among: isContainer, root: 'm2m:grp' },
  ),
  'update a content instance': update('std.content-instance.update', 4005, labels, { among: isInstance }),
  'update what is virtual': update('std.latest.update', 4005, labels, {
    among: (resource) => isContainer(resource) && instancesOf(resource).length > 0,
    ...{ end: '/la', kind: 'content instance' },
  }),
  'delete what is not there': wrong('std.delete.not-found', 4004, (path) => ({ delete: `${path}/nowhere` }), isHolder),
  'delete with an rcn that it has not': wrong('std.delete.rcn.refused', 4000, (path) => ({ delete: path, query })),
  'discover below what is not there': wrong('std.discovery.not-found', 4004, (path) => ({
    ...{ discover: `${path}/nowhere`, where: {} },
  })),
  'discover by a value that it cannot have': {
    ...{ among: isHolder, requirement: 'std.discovery.invalid-value' },
    codes: {
      4102: 'TS-0004 R1-R2, 7.3.3.14: contents unacceptable',
      4000: 'TS-0004 R3-R4, 6.3.5.8, m2m:filterCriteria: the value is none of its type',
    },
    step: (discover) => ({ discover, where: { cra: 'yesterday' } }),
  },
} satisfies Readonly<Record<string, Wrong>>;

export type StandardMistake = keyof typeof mistakes;
export const standardMistakes = Object.keys(mistakes) as StandardMistake[];
