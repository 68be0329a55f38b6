/** What the model holds of one resource, as expectations about an answer that shows it. */
import { isPlainText } from './contents.ts';
import { attribute, type Expected, expected, numberOf, textOf, whenPresent } from './expected.ts';
import type { Model } from './model.ts';
import { expirationOf, kindFacts, representationOf } from './representation.ts';
import { contentOf, instancesOf, type ModelKind, type ModelResource } from './resource.ts';

/** An answer that shows a resource which it has just created: `sent` with its name, if it was given one. */
export function newlyCreated(
  kind: ModelKind,
  { parent, sent }: Pick<ModelResource, 'parent' | 'sent'>,
  model: Model,
): Expected[] {
  const zero = (name: string) => numberOf(`container.${name}.zero-on-creation`, name, 0);
  return [
    ...representationOf[kind],
    ...(sent.et === undefined ? [expirationOf(kind)] : []),
    ...asSent(kind, sent),
    ...(kind === 'container' ? [zero('cni'), zero('cbs'), zero('st')] : []),
    ...parentOf(kind, parent, model),
    ...distinct('common.ri.distinct', 'ri', model),
    ...(kind === 'ae' ? distinct('ae.aei.distinct', 'aei', model) : []),
  ];
}

/** An answer that shows a resource which the model holds. */
export function asHeld(resource: ModelResource, model: Model): Expected[] {
  const { kind, sent, shown, parent } = resource;
  return [
    ...representationOf[kind],
    ...(sent.et === undefined ? [expirationOf(kind)] : []),
    ...asSent(kind, sent),
    ...same('common.ri.stable', 'ri', shown.ri),
    ...same('common.ct.stable', 'ct', shown.ct),
    ...same('ae.aei.stable', 'aei', shown.aei),
    ...(shown.ct === undefined ? [] : notBefore(shown.ct)),
    ...parentOf(kind, parent, model),
    ...(kind === 'container' ? [...counters(resource), ...creator(resource)] : []),
    ...(kind === 'ae' ? [...childrenListed(resource), ...removedNotListed(resource, model)] : []),
  ];
}

/** What the client gave is given back. */
function asSent(kind: ModelKind, sent: Readonly<Record<string, unknown>>): Expected[] {
  const { rn, con, cnf, api } = sent;
  if (kind === 'content instance') return [...nameOfInstance(rn), ...contentSent(con, cnf)];
  return [
    ...(typeof rn === 'string' ? [attribute(`${kindFacts[kind].area}.rn`, 'rn', rn)] : []),
    ...(typeof api === 'string' ? [attribute('ae.api', 'api', api)] : []),
  ];
}

function nameOfInstance(name: unknown): Expected[] {
  return typeof name === 'string' ? [textOf('content-instance.rn.given', 'rn', name)] : [];
}

/** What becomes of a body that is base64 text and nothing else is not shown. */
function contentSent(con: unknown, cnf: unknown): Expected[] {
  if (typeof con !== 'string' || typeof cnf !== 'string') return [];
  return [
    whenPresent(cnf === 'application/json:1' ? 'content.base64-kept' : 'content.text-kept', 'con', con),
    attribute('content-instance.cnf', 'cnf', cnf),
    ...(isPlainText({ con, cnf }) ? [numberOf('content-instance.cs.counts-characters', 'cs', con.length)] : []),
  ];
}

/** Identifiers that other resources have. */
function distinct(requirement: string, name: 'ri' | 'aei', model: Model): Expected[] {
  const known = [...new Set(model.all().flatMap(({ shown }) => shown[name] ?? []))];
  return known.length === 0 ? [] : [whenPresent(requirement, name, { not: { 'one of': known } })];
}

function same(requirement: string, name: string, value: string | undefined): Expected[] {
  return value === undefined ? [] : [whenPresent(requirement, name, { 'same as': value })];
}

function notBefore(created: string): Expected[] {
  return [
    whenPresent('common.lt.not-before-ct', 'lt', { not: { before: created } }),
    whenPresent('common.et.not-before-ct', 'et', { not: { before: created } }),
  ];
}

/** The identifier of the parent counts once a read has shown it: its creation might have answered another one. */
function parentOf(kind: ModelKind, parent: ModelResource | undefined, model: Model): Expected[] {
  if (parent === undefined) return kind === 'ae' ? cseBase(model) : [];
  const { ri } = parent.shown;
  if (!parent.read || ri === undefined) return [];
  return [textOf(`${kindFacts[kind].area}.pi.is-parent`, 'pi', ri)];
}

/** All application entities directly below the CSE base name the same parent. */
function cseBase(model: Model): Expected[] {
  const parent = model.baseIdentifier ?? model.all('ae').find(({ shown }) => shown.pi !== undefined)?.shown.pi;
  return parent === undefined ? [] : [textOf('ae.pi.is-cse-base', 'pi', parent)];
}

/** Only where it is certain which content instances the container holds. */
function counters(container: ModelResource): Expected[] {
  if (!container.known) return [];
  const instances = instancesOf(container);
  const count = numberOf('container.cni.counts', 'cni', instances.length);
  if (!instances.every(({ sent }) => isPlainText(sent))) return [count];
  const bytes = instances.reduce((sum, one) => sum + contentOf(one).length, 0);
  return [count, numberOf('container.cbs.counts', 'cbs', bytes)];
}

function creator({ originator, creatorOpen }: ModelResource): Expected[] {
  return originator === 'nobody' && creatorOpen !== true ? [textOf('container.cr.nobody', 'cr', 'nobody')] : [];
}

/** `ch` of an application entity that has children. */
function childrenListed({ children, known }: ModelResource): Expected[] {
  if (!known || children.length === 0) return [];
  const listed = (fields: readonly { nm?: string; val?: string }[]) => ({
    'one of': [{ length: 0 }, { 'all of': fields.map((one) => ({ contains: { fields: { ...one } } })) }],
  });
  const identifiers = children.flatMap(({ read, shown }) => (read && shown.ri !== undefined ? [shown.ri] : []));
  return [
    expected('ae.ch', { attributes: { ch: { contains: { is: 'object' } } } }),
    whenPresent('ae.ch.typ', 'ch', { every: { fields: { typ: 3 } } }),
    whenPresent('ae.ch.nm', 'ch', listed(children.map(({ name }) => ({ nm: name })))),
    ...(identifiers.length === 0 ? [] : [whenPresent('ae.ch.val', 'ch', listed(identifiers.map((val) => ({ val }))))]),
  ];
}

/** An entry of `ch` is a child, which what was removed is no more. */
function removedNotListed(resource: ModelResource, model: Model): Expected[] {
  const names = model.removedBelow(resource);
  if (names.length === 0) return [];
  const listed = { contains: { fields: { nm: { 'one of': names } } } };
  return [whenPresent('lifecycle.removed-is-gone', 'ch', { not: listed })];
}
