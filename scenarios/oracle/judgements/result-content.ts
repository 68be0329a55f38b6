/** What a retrieve returns, by its result content (TS-0001 8.1.2; TS-0004 7.5.2, 7.3.3.6). */
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { isGone, isThere, type KnownResource, nameOf } from '../observation/known-resource.ts';
import { typeFacts } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';
import { isOwn, mayDiscover } from './lists.ts';

/** A retrieve with just this query, by an originator with all rights; `children`: those that certainly exist. */
interface Read {
  readonly resource: KnownResource;
  readonly children: readonly KnownResource[];
  /** Whether there are no others. */
  readonly isAll: boolean;
  readonly at: number;
}

function readWith(seen: SeenExchange, query: Readonly<Record<string, string | undefined>>): Read | undefined {
  const { request, resource, exchange } = seen;
  const expected = Object.entries(query);
  const isRequested = ([name, value]: readonly [string, string | undefined]) =>
    request.query.has(name) && (value === undefined || request.query.get(name) === value);
  const isMeant = request.query.size === expected.length && expected.every(isRequested);
  if (!isMeant || resource === undefined || !isThere(resource, exchange.at) || !mayDiscover(seen)) return undefined;
  const own = resource.children.filter((one) => isThere(one, exchange.at) && isOwn(one, resource));
  // A truncated answer says so.
  const isPartial = viewOf(exchange).headers.has('x-m2m-cts');
  const children = isPartial ? [] : own.filter(({ type }) => type !== 'flex-container');
  const isAll = !isPartial && resource.children.every((one) => isGone(one) || children.includes(one));
  return { resource, children, isAll, at: exchange.at };
}

const reading =
  (rcn: string, say: (read: Read) => Check | undefined): Judgement =>
  (seen) => {
    const read = readWith(seen, { rcn });
    return read === undefined ? undefined : say(read);
  };

const deleting: Judgement = (seen) => {
  const read = readWith(seen, { rcn: '1' });
  return read === undefined ? undefined : { ...itself(read), rsc: 2002 };
};

const factsOf = ({ type }: KnownResource) => typeFacts[type];

function itself({ resource }: Read): Check {
  const { root } = factsOf(resource);
  return { rsc: 2000, ...(root !== '' && { root, attributes: { rn: nameOf(resource) } }) };
}

/** Each child is in the list of its root, and nothing else is. */
function nested({ children, isAll }: Read): Check | undefined {
  const roots = new Set(children.map((one) => factsOf(one).root));
  const lists = [...roots].map((root) => {
    const own = children.filter((one) => factsOf(one).root === root);
    const each: Matcher[] = own.map((one) => ({ contains: { fields: { rn: nameOf(one) } } }));
    return [root, { 'all of': isAll ? [{ length: own.length }, ...each] : each }] as const;
  });
  return lists.length === 0 ? undefined : { attributes: Object.fromEntries(lists) };
}

/** A filter on ty selects children. Whether it applies further down is not specified. */
const ofOneType: Judgement = (seen) => {
  const read = readWith(seen, { rcn: '4', ty: '4' });
  if (read === undefined || !read.isAll || read.resource.type !== 'container') return undefined;
  if (read.children.some(({ type }) => type === 'container')) return undefined;
  const instances = read.children.filter(({ type }) => type === 'content-instance');
  const picked = nested({ ...read, children: instances })?.attributes;
  return { attributes: { ...picked, 'm2m:sub': { is: 'absent' } } };
};

/** A grandchild is nested in its parent. */
function deeper({ children, resource, at }: Read): Check | undefined {
  const grandchildren = children.flatMap((child) =>
    child.children.filter((one) => isThere(one, at) && one.type === 'content-instance' && isOwn(one, resource)),
  );
  const [one] = grandchildren;
  if (one?.parent === undefined) return undefined;
  const inner = { [factsOf(one).root]: { contains: { fields: { rn: nameOf(one) } } } };
  return { attributes: { [factsOf(one.parent).root]: { contains: { fields: { rn: nameOf(one.parent), ...inner } } } } };
}

function referred({ children }: Read): Matcher | undefined {
  const each = children.map((one) => ({ contains: { fields: { nm: nameOf(one), typ: factsOf(one).number } } }));
  return each.length === 0 ? undefined : { 'all of': each };
}

function withReferences(read: Read): Check | undefined {
  const ch = referred(read);
  return ch === undefined ? undefined : { attributes: { ch } };
}

/** The default, unless drt is 2. */
function byPaths({ children: [first] }: Read): Check | undefined {
  if (first === undefined) return undefined;
  const path = first.names.join('/');
  return { attributes: { ch: { contains: { fields: { val: { 'ends with': `/${path}` } } } } } };
}

/** In one of the three forms of the releases. */
function referencesOnly(read: Read): Check | undefined {
  const each = referred(read);
  if (each === undefined) return undefined;
  return {
    'one of': [
      { attributes: { rrf: each }, source: 'TS-0004 R3-R4, 6.3.5, m2m:listOfChildResourceRef' },
      { body: { fields: { 'm2m:rrl': each } }, source: 'TS-0004 R2, 7.5.2: a list of references' },
      { attributes: { ch: each }, source: 'TS-0004 R1, 7.5.2: the resource with references only' },
    ],
  };
}

/** Attributes that every resource has, with known values. */
const listed: Judgement = (seen) => {
  const { resource } = readWith(seen, { atrl: undefined }) ?? {};
  const names = namesIn(seen);
  if (resource === undefined || names.length === 0 || factsOf(resource).root === '') return undefined;
  const known = { ty: factsOf(resource).number, rn: nameOf(resource) };
  const requested = Object.entries(known).filter(([name]) => names.includes(name));
  return requested.length < names.length ? undefined : { rsc: 2000, attributes: Object.fromEntries(requested) };
};

const several =
  (isSeveral: boolean): Judgement =>
  (seen, ...more) =>
    namesIn(seen).length > 1 === isSeveral ? listed(seen, ...more) : undefined;

const nothingElse: Judgement = (seen) => {
  const names = namesIn(seen);
  const rest = ['ri', 'rn', 'ct'].filter((name) => !names.includes(name));
  if (readWith(seen, { atrl: undefined }) === undefined || names.length === 0) return undefined;
  return { attributes: Object.fromEntries(rest.map((name) => [name, absent])) };
};

const absent = { is: 'absent' } as const;

/** Separated by plus signs. */
function namesIn({ request }: SeenExchange): string[] {
  const names = request.query.getAll('atrl').flatMap((some) => some.split(' '));
  return names.filter((name) => name !== '');
}

export const ofResultContent: Readonly<Record<string, Judgement>> = {
  ...Object.fromEntries(['1', '4', '5'].map((rcn) => [`rcn ${rcn}: the resource is returned`, reading(rcn, itself)])),
  'rcn 6: the resource is returned': reading('6', () => ({ rsc: 2000 })),
  'rcn 8: the resource is returned': reading('8', () => ({ rsc: 2000 })),
  'rcn 1: the deleted resource is returned': deleting,
  'rcn 4: each child is returned': reading('4', nested),
  'rcn 4: descendants are returned': reading('4', deeper),
  'rcn 5: each child is returned': reading('5', withReferences),
  'rcn 5: references are paths': reading('5', byPaths),
  'rcn 4: children of the requested type are returned': ofOneType,
  'rcn 6: each child is returned': reading('6', referencesOnly),
  'rcn 8: each child is returned': reading('8', nested),
  'rcn 1: nothing else is returned': reading('1', () => ({ attributes: { ch: absent } })),
  'rcn 8: nothing else is returned': reading('8', () => ({ attributes: { ri: absent, ct: absent } })),
  'the listed attribute is returned': several(false),
  'the listed attributes are returned': several(true),
  'no other attributes are returned': nothingElse,
};
