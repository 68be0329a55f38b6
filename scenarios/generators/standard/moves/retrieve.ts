import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { attribute, type Expected, expected } from '../../model/expected.ts';
import { isDoubtful } from '../../model/tree.ts';
import { pick } from '../../moves/move.ts';
import { addressOf, pathOf, writtenAddress } from '../model/address.ts';
import { answered } from '../model/answers.ts';
import { asHeld } from '../model/held.ts';
import { kindFacts } from '../model/kinds.ts';
import type { StandardModel } from '../model/model.ts';
import type { StandardResource } from '../model/resource.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { read, readExpectations, takeShown } from './read.ts';

export function* retrieve(operation: StandardDoing<'retrieve'>, ground: StandardGround): StandardMove {
  const { model } = ground;
  const resource = pick(model.all(), operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const address = addressOf(resource, operation.form, model);
  const form = address === undefined ? 'structured' : operation.form;
  const query = queryOf(operation.content);
  const came = yield {
    step: { retrieve: address ?? pathOf(resource, model), ...(query && { query }) },
    by: resource.owner,
    expect: 'success',
    expectations: expectedOf(operation.content, resource, form, ground),
    about: { operation: nameOf(operation.content), kind: resource.kind, form },
  };
  if (operation.content === 'default' || operation.content === 1) takeShown(resource, came);
  else yield* read(resource, ground, 'read again');
}

type Content = StandardDoing<'retrieve'>['content'];

function nameOf(content: Content): string {
  return typeof content === 'number' ? `retrieve with rcn ${content}` : `retrieve: ${content}`;
}

function queryOf(content: Content): Record<string, string | number> | undefined {
  if (content === 'default') return undefined;
  if (content === 'one attribute') return { atrl: 'ty' };
  if (content === 'several attributes') return { atrl: 'ty rn' };
  return content === 'one kind' ? { rcn: 4, ty: 4 } : { rcn: content };
}

function expectedOf(
  content: Content,
  resource: StandardResource,
  form: StandardDoing<'retrieve'>['form'],
  ground: StandardGround,
): Expected[] {
  const { model } = ground;
  const { root, ty } = kindFacts[resource.kind];
  switch (content) {
    case 'default':
      return readExpectations(resource, form, ground);
    case 1:
      return [
        ...answered('std.retrieve.rcn.1', 2000, { root, attributes: { rn: resource.name } }),
        attribute('std.retrieve.rcn.1.nothing-else', 'ch', { is: 'absent' }),
        ...asHeld(resource, model),
      ];
    case 'one attribute':
      return [
        ...answered('std.partial.one', 2000, { root, attributes: { ty } }),
        expected('std.partial.nothing-else', { attributes: { ri: { is: 'absent' }, rn: { is: 'absent' } } }),
      ];
    case 'several attributes':
      return [
        ...answered('std.partial.several', 2000, { root, attributes: { ty, rn: resource.name } }),
        expected('std.partial.nothing-else', { attributes: { ri: { is: 'absent' } } }),
      ];
    default:
      return childrenExpected(content, resource, model);
  }
}

/** What is asked for with a value of rcn that speaks of children. */
function childrenExpected(content: Content, resource: StandardResource, model: StandardModel): Expected[] {
  switch (content) {
    case 4:
      return [
        ...answered('std.retrieve.rcn.4', 2000, {
          root: kindFacts[resource.kind].root,
          attributes: { rn: resource.name },
        }),
        ...childrenIn('std.retrieve.rcn.4', resource),
        ...descendants(resource),
      ];
    case 8:
      return [
        ...answered('std.retrieve.rcn.8', 2000),
        ...(resource.children.length === 0 ? [] : childrenIn('std.retrieve.rcn.8', resource)),
        expected('std.retrieve.rcn.8.nothing-else', { attributes: { ri: { is: 'absent' }, ct: { is: 'absent' } } }),
      ];
    case 'one kind':
      return oneKind(resource);
    case 5:
      return [
        ...answered('std.retrieve.rcn.5', 2000, {
          root: kindFacts[resource.kind].root,
          attributes: { rn: resource.name },
        }),
        ...references('ch', resource, model),
      ];
    default:
      return [
        ...answered('std.retrieve.rcn.6', 2000),
        ...(resource.children.length === 0 ? [] : referencesOnly(resource)),
      ];
  }
}

function byRoot(resource: StandardResource): Map<string, StandardResource[]> {
  const roots = new Map<string, StandardResource[]>();
  for (const child of resource.children) {
    const { root } = kindFacts[child.kind];
    roots.set(root, [...(roots.get(root) ?? []), child]);
  }
  return roots;
}

function named(children: readonly StandardResource[]): Matcher {
  return { 'all of': children.map(({ name }) => ({ contains: { fields: { rn: name } } })) };
}

/** Each child, and as many as there are. */
function childrenIn(requirement: string, resource: StandardResource): Expected[] {
  if (!resource.known) return [];
  return [...byRoot(resource)].flatMap(([root, children]) => [
    attribute(`${requirement}.children`, root, named(children)),
    attribute(requirement, root, { length: children.length }),
  ]);
}

/** One of the grandchildren, nested in its parent. */
function descendants({ children, known }: StandardResource): Expected[] {
  const child = children.find((one) => one.known && one.children.length > 0);
  const grandchild = child?.children[0];
  if (!known || child === undefined || grandchild === undefined) return [];
  const inner = { [kindFacts[grandchild.kind].root]: { contains: { fields: { rn: grandchild.name } } } };
  const fields = { rn: child.name, ...inner };
  return [attribute('std.retrieve.rcn.4.descendants', kindFacts[child.kind].root, { contains: { fields } })];
}

/** A filter on ty picks the children: content instances. Whether it reaches further down is not said: where some could come from there, they may. */
function oneKind(resource: StandardResource): Expected[] {
  const requirement = 'std.retrieve.filter.children';
  if (!resource.known || resource.kind !== 'container') return answered('std.retrieve.rcn.4', 2000);
  const instances = resource.children.filter(({ kind }) => kind === 'content instance');
  const others = { 'm2m:sub': { is: 'absent' }, 'cod:color': { is: 'absent' } } as const;
  const isFlat = resource.children.every(({ kind }) => kind !== 'container');
  const picked = isFlat ? { length: instances.length } : named(instances);
  const held = instances.length === 0 ? {} : { 'm2m:cin': picked };
  return answered(requirement, 2000, { attributes: isFlat ? { ...held, ...others } : held });
}

function reference({ name, kind }: StandardResource): Matcher {
  return { contains: { fields: { nm: name, typ: kindFacts[kind].ty } } };
}

function references(attributeName: string, resource: StandardResource, model: StandardModel): Expected[] {
  const [first] = resource.children;
  if (!resource.known || first === undefined) return [];
  const val = { matching: writtenAddress(first, model) };
  return [
    attribute('std.retrieve.rcn.5.children', attributeName, { 'all of': resource.children.map(reference) }),
    attribute('std.retrieve.references.structured', attributeName, { contains: { fields: { val } } }),
  ];
}

/** In one of the three shapes that the releases have. */
function referencesOnly(resource: StandardResource): Expected[] {
  if (!resource.known) return [];
  const each = { 'all of': resource.children.map(reference) };
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
