import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import { placeOf, writtenAddress } from '../model/address.ts';
import { attribute, type Expected, expected } from '../model/expected.ts';
import { childrenOf, instancesOf, isDoubtful, kindFacts, kinds, type ModelResource } from '../model/resource.ts';
import { takeShown } from '../moves/looks.ts';
import { ask, type Move, pick } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { StandardDoing } from '../operations/onem2m.ts';
import { answered, asHeld, inForm, read, readExpectations } from './read.ts';

export function* retrieve(operation: StandardDoing<'retrieve'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const { path, form } = placeOf(resource, operation.form, ground.model);
  const { kind, owner: by } = resource;
  const { content } = operation;
  const isWhole = content === 'default' || content === 1;
  const query = queries[content];
  const came = yield ask(
    { retrieve: path, ...(query && { query }) },
    typeof content === 'number' ? `retrieve with rcn ${content}` : `retrieve: ${content}`,
    content === 'default'
      ? readExpectations(resource, form, ground)
      : [...inForm(form), ...shown[content](resource, ground)],
    { by, expect: 'success', kind, form },
  );
  if (isWhole) takeShown(resource, came);
  else yield* read(resource, ground, 'read again');
}

type Content = StandardDoing<'retrieve'>['content'];

const queries: Readonly<Record<Content, Record<string, string | number> | undefined>> = {
  default: undefined,
  1: { rcn: 1 },
  4: { rcn: 4 },
  5: { rcn: 5 },
  6: { rcn: 6 },
  8: { rcn: 8 },
  'one attribute': { atrl: 'ty' },
  'several attributes': { atrl: 'ty rn' },
  'one kind': { rcn: 4, ty: 4 },
};

/** What is asked for with a value of rcn, a list of attributes, or a filter. */
const shown: Readonly<Record<Exclude<Content, 'default'>, (resource: ModelResource, ground: Ground) => Expected[]>> = {
  1: (resource, { model }) => [
    ...itself('std.retrieve.rcn.1', resource),
    attribute('std.retrieve.rcn.1.nothing-else', 'ch', { is: 'absent' }),
    ...asHeld(resource, model),
  ],
  4: (resource) => [
    ...itself('std.retrieve.rcn.4', resource),
    ...childrenIn('std.retrieve.rcn.4', resource),
    ...descendants(resource),
  ],
  5: (resource, ground) => [...itself('std.retrieve.rcn.5', resource), ...references(resource, ground)],
  6: (resource) => [...answered('std.retrieve.rcn.6', 2000), ...referencesOnly(resource)],
  8: (resource) => [
    ...answered('std.retrieve.rcn.8', 2000),
    ...childrenIn('std.retrieve.rcn.8', resource),
    without('std.retrieve.rcn.8.nothing-else', ['ri', 'ct']),
  ],
  'one attribute': ({ kind }) => {
    const { root, ty } = kindFacts[kind];
    const one = answered('std.partial.one', 2000, { root, attributes: { ty } });
    return [...one, without('std.partial.nothing-else', ['ri', 'rn'])];
  },
  'several attributes': ({ kind, name }) => {
    const { root, ty } = kindFacts[kind];
    const several = answered('std.partial.several', 2000, { root, attributes: { ty, rn: name } });
    return [...several, without('std.partial.nothing-else', ['ri'])];
  },
  'one kind': oneKind,
};

function itself(requirement: string, { kind, name }: ModelResource): Expected[] {
  return answered(requirement, 2000, { root: kindFacts[kind].root, attributes: { rn: name } });
}

function without(requirement: string, names: readonly string[]): Expected {
  return expected(requirement, { attributes: Object.fromEntries(names.map((name) => [name, { is: 'absent' }])) });
}

function named(children: readonly ModelResource[]): Matcher {
  return { 'all of': children.map(({ name }) => ({ contains: { fields: { rn: name } } })) };
}

/** Each child, and as many as there are. */
function childrenIn(requirement: string, resource: ModelResource): Expected[] {
  if (!resource.known) return [];
  return kinds.flatMap((kind) => {
    const children = childrenOf(resource, kind);
    if (children.length === 0) return [];
    const { root } = kindFacts[kind];
    return [
      attribute(`${requirement}.children`, root, named(children)),
      attribute(requirement, root, { length: children.length }),
    ];
  });
}

/** One of the grandchildren, nested in its parent. */
function descendants({ children, known }: ModelResource): Expected[] {
  const child = children.find((one) => one.known && one.children.length > 0);
  const grandchild = child?.children[0];
  if (!known || child === undefined || grandchild === undefined) return [];
  const inner = { [kindFacts[grandchild.kind].root]: { contains: { fields: { rn: grandchild.name } } } };
  const fields = { rn: child.name, ...inner };
  return [attribute('std.retrieve.rcn.4.descendants', kindFacts[child.kind].root, { contains: { fields } })];
}

/** A filter on ty picks the children: content instances. Whether it reaches further down is not said: where some could come from there, they may. */
function oneKind(resource: ModelResource): Expected[] {
  if (!resource.known || resource.kind !== 'container') return answered('std.retrieve.rcn.4', 2000);
  const instances = instancesOf(resource);
  const others = { 'm2m:sub': { is: 'absent' }, 'cod:color': { is: 'absent' } } as const;
  const isFlat = childrenOf(resource, 'container').length === 0;
  const picked = isFlat ? { length: instances.length } : named(instances);
  const attributes = { ...(instances.length > 0 && { 'm2m:cin': picked }), ...(isFlat && others) };
  return answered('std.retrieve.filter.children', 2000, { attributes });
}

function eachReferred({ children }: ModelResource): Matcher {
  const referred = children.map(({ name, kind }) => ({
    contains: { fields: { nm: name, typ: kindFacts[kind].ty } },
  }));
  return { 'all of': referred };
}

function references(resource: ModelResource, { model }: Ground): Expected[] {
  const [first] = resource.children;
  if (!resource.known || first === undefined) return [];
  const val = { matching: writtenAddress(first, model) };
  return [
    attribute('std.retrieve.rcn.5.children', 'ch', eachReferred(resource)),
    attribute('std.retrieve.references.structured', 'ch', { contains: { fields: { val } } }),
  ];
}

/** In one of the three shapes that the releases have. */
function referencesOnly(resource: ModelResource): Expected[] {
  if (!resource.known || resource.children.length === 0) return [];
  const each = eachReferred(resource);
  return [
    expected('std.retrieve.rcn.6.children', {
      'one of': [
        { attributes: { rrf: each }, source: 'TS-0004 R3-R4, 6.3.5, m2m:listOfChildResourceRef' },
        { body: { fields: { 'm2m:rrl': each } }, source: 'TS-0004 R2, 7.5.2: a list of references' },
        {
          attributes: { ch: each, rn: { is: 'absent' } },
          source: 'TS-0004 R1, 7.5.2: the resource with references only',
        },
      ],
    }),
  ];
}
