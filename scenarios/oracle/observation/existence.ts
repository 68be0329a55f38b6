/** Resources that begin or end by a request. */
import { viewOf } from '../../engine/judging/answer.ts';
import {
  countChange,
  doubt,
  doubtInstances,
  forgetReferences,
  type NewResource,
  noteFull,
  resourceFrom,
  unsettle,
} from './changes.ts';
import { isDeletion } from './effects.ts';
import { isGone, isThere, leaveOpen, mayBeOver } from './known-resource.ts';
import type { Observation } from './observation.ts';
import { typeOfRoot } from './resource-types.ts';
import type { SeenExchange } from './seen-exchange.ts';

type KnownState = Pick<Observation, 'index' | 'dialect' | 'accepted'>;

/** The created resource if certain: after a second creation, the old one, the new one or both may exist. */
export function creationIn(seen: SeenExchange, { index, dialect }: KnownState): NewResource | undefined {
  const { before, isUnclear } = seen;
  const isFree = !isUnclear && (before === undefined || isGone(before));
  return isFree || isNew(seen, index) ? answered(seen, dialect) : undefined;
}

/** Whether the answer has a new identifier, and no former resource certainly exists there. */
function isNew({ before, exchange }: SeenExchange, index: KnownState['index']): boolean {
  const ri = viewOf(exchange).attributes?.ri;
  const mayBeGone = before === undefined || !isThere(before, exchange.at);
  return typeof ri === 'string' && mayBeGone && index.identifiedAll('ri', ri).length === 0;
}

/** Undefined if the type or name of the created resource is unknown. */
function answered(
  { request, exchange, resource }: SeenExchange,
  dialect: KnownState['dialect'],
): NewResource | undefined {
  if (dialect === 'onem2m' && request.type === undefined) return undefined;
  const { status, attributes, root } = viewOf(exchange);
  if ((status !== 201 && status !== 200) || request.virtual !== undefined) return undefined;
  const [requestedName, returnedName] = [request.attributes?.rn, attributes?.rn];
  // Either of the two names may be its address.
  if (requestedName !== undefined && returnedName !== undefined && requestedName !== returnedName) return undefined;
  const name = requestedName ?? returnedName;
  const type = request.type ?? typeOfRoot(root, dialect)?.name;
  const isKnown = typeof name === 'string' && type !== undefined;
  return isKnown ? { name, type, ...(resource && { parent: resource }) } : undefined;
}

export function noteCreated(seen: SeenExchange, known: KnownState): void {
  const { resource, atBase, before, isUnclear } = seen;
  if (resource === undefined && !atBase) return;
  const creation = creationIn(seen, known);
  if (creation !== undefined) {
    add(seen, creation, known);
    return;
  }
  if (resource !== undefined) leaveOpen(resource);
  if (isUnclear) return;
  if (known.dialect === 'onem2m') known.index.forgetGoneBelow(resource);
  if (before === undefined) return;
  doubt(before);
  known.index.forget(before.names);
}

function add(seen: SeenExchange, creation: NewResource, { index, dialect, accepted }: KnownState): void {
  const { parent } = creation;
  if (seen.before !== undefined) seen.before.state = 'gone';
  const resource = resourceFrom(seen, creation, dialect);
  index.add(resource);
  if (parent !== undefined && mayBeOver(parent)) unsettle(resource);
  noteFull(resource, seen);
  countChange(parent, resource.type.endsWith('-instance'));
  accepted.note(seen, resource);
}

export function noteDeleted(seen: SeenExchange, { index, dialect }: KnownState): void {
  const { request, resource } = seen;
  forgetReferences(index.all, request.virtual === undefined ? resource : undefined);
  if (resource === undefined) return;
  countChange(resource.parent, false);
  if (request.virtual !== undefined) {
    doubtInstances(resource);
    if (!isDeletion(seen, dialect)) resource.isComplete = false;
  } else if (isDeletion(seen, dialect)) {
    resource.state = 'gone';
    resource.goneAt = seen.exchange.at + seen.exchange.took;
  } else doubt(resource);
}
