/** What the model holds of one resource and no rule can tell, as expectations about an answer that shows it. */
import { isPlainText } from './contents.ts';
import { type Expected, expected, numberOf, textOf, whenPresent } from './expected.ts';
import type { Model } from './model.ts';
import { contentOf, instancesOf, type ModelResource } from './resource.ts';

/** An answer that shows a resource which the model holds. */
export function asHeld(resource: ModelResource, model: Model): Expected[] {
  if (resource.kind === 'container') return counters(resource);
  return resource.kind === 'ae' ? [...cseBase(resource, model), ...childrenListed(resource)] : [];
}

/** All application entities directly below the CSE base name the same parent. */
export function cseBase({ kind }: Pick<ModelResource, 'kind'>, model: Model): Expected[] {
  if (kind !== 'ae') return [];
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
