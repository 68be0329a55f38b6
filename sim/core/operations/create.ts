/** What a create does, to be read from top to bottom. */
import { checkRoom } from '../limits.ts';
import type { RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { CseError } from '../status.ts';
import { readAttributes, rootOf } from '../validate.ts';
import { checkResourceType, isOfStandard, kindCalled, wantedKind } from '../wanted-kind.ts';
import type { CseServices } from './cse-services.ts';

/** How rights are looked at: not at all for what the CSE does by itself. */
export interface PriorChecks {
  readonly checked: boolean;
  /** Set when the request has waited already: the draft or the resource about which somebody else was asked. */
  readonly settled?: Resource;
}

/** What a request has done: to which resource, and which of its attributes an update has changed. */
export interface Change {
  readonly resource: Resource;
  readonly changed: readonly string[];
}

const nothing: readonly string[] = [];

/** Stores the resource; or resolves to its draft when somebody else has said what he has to say about it. Throws the CseError that refuses it. */
export function create(
  request: RequestPrimitive,
  parent: Resource,
  services: CseServices,
  trust: PriorChecks,
): Change | Promise<Resource> {
  const { configuration, maker, access, tree } = services;
  const { type, given } = readKind(request, parent, services, trust);
  if (trust.checked) {
    access.check(request, 'create', parent, type);
    if (type.showsParent) access.check(request, 'retrieve', parent);
  }
  if (!parent.type.children.includes(type.ty)) {
    const says = `${type.root} cannot stand below ${parent.type.root}.`;
    throw new CseError(type.misplaced ?? 'INVALID_CHILD_RESOURCE_TYPE', says);
  }
  const attributes = readAttributes(type, 'create', given, configuration.dialect);
  if (attributes.values.acpi !== undefined) access.checkPolicies(attributes.values.acpi, type);
  const draft = maker.draft(type, parent, attributes, trust.settled);
  draft.creator = request.from || undefined;
  if (attributes.creatorAsked && type.attributes.cr !== undefined && draft.creator) draft.values.cr = draft.creator;
  type.assign?.(draft, services, request);
  if (type.ask !== undefined && trust.checked && trust.settled === undefined) {
    const asked = type.ask(draft, undefined, services, request);
    if (asked !== undefined) {
      maker.confirm(draft);
      return asked.then(() => draft);
    }
  }
  checkRoom(tree.base.descendants, 'resources', configuration.limits, 'resources');
  parent.type.admit?.(parent, draft, services);
  if (trust.settled === undefined) maker.confirm(draft);
  tree.add(draft);
  type.stored?.(draft, services, request);
  return { resource: draft, changed: nothing };
}

/**
 * The kind that is wanted, with what is given of it. Who may not create hears of that before anything that is wrong with the kind
 * (TS-0004, clause 7.2.2.2, steps Recv-6.3 and 6.4), but for a number that is none of a kind (clause 7.3.2.1).
 */
function readKind(
  request: RequestPrimitive,
  parent: Resource,
  services: CseServices,
  trust: PriorChecks,
): { readonly type: ResourceType; readonly given: Record<string, unknown> } {
  try {
    const [root, given] = rootOf(request.content);
    const type = kindCalled(root, services.configuration, request.resourceType);
    checkResourceType(request, type);
    return { type, given };
  } catch (refusal) {
    const { access, configuration } = services;
    const isNumbered = request.resourceType === undefined || isOfStandard(request.resourceType);
    if (trust.checked && isNumbered) access.check(request, 'create', parent, wantedKind(request, configuration));
    throw refusal;
  }
}
