/** Creates a resource; read `create` from top to bottom. */
import { checkCapacity } from '../limits.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { checkResourceType, isOfStandard, requestedType, typeByRoot } from '../requested-type.ts';
import type { Resource } from '../resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { CseError } from '../status.ts';
import { readAttributes, rootOf } from '../validate.ts';
import type { CseServices } from './cse-services.ts';

/** Which checks are still to be done: none for an action of the CSE itself. */
export interface PriorChecks {
  readonly checked: boolean;
  /** Set when the request has waited for an approval already: the draft or resource in question. */
  readonly settled?: Resource;
}

/** The created or updated resource, and which attributes an update has changed. */
export interface Change {
  readonly resource: Resource;
  readonly changed: readonly string[];
}

const nothing: readonly string[] = [];

/** Stores the resource, or resolves to its draft once another entity has approved it. Throws a CseError to refuse it. */
export function create(
  request: RequestPrimitive,
  parent: Resource,
  services: CseServices,
  trust: PriorChecks,
): Change | Promise<Resource> {
  const { configuration, maker, access, tree } = services;
  const { type, body } = readType(request, parent, services, trust);
  if (trust.checked) {
    access.check(request, 'create', parent, type);
    if (type.showsParent) access.check(request, 'retrieve', parent);
  }
  if (!parent.type.children.includes(type.ty)) {
    const message = `${type.root} cannot be a child of ${parent.type.root}.`;
    throw new CseError(type.misplacedStatus ?? 'INVALID_CHILD_RESOURCE_TYPE', message);
  }
  const attributes = readAttributes(type, 'create', body, configuration.dialect);
  if (attributes.values.acpi !== undefined) access.checkPolicies(attributes.values.acpi, type);
  const draft = maker.draft(type, parent, attributes, trust.settled);
  draft.creator = request.from || undefined;
  if (attributes.creatorRequested && type.attributes.cr !== undefined && draft.creator) draft.values.cr = draft.creator;
  type.assign?.(draft, services, request);
  if (type.ask !== undefined && trust.checked && trust.settled === undefined) {
    const pending = type.ask(draft, undefined, services, request);
    if (pending !== undefined) {
      maker.confirm(draft);
      return pending.then(() => draft);
    }
  }
  checkCapacity(tree.base.descendants, 'resources', configuration.limits, 'resources');
  parent.type.admit?.(parent, draft, services);
  if (trust.settled === undefined) maker.confirm(draft);
  tree.add(draft);
  type.stored?.(draft, services, request);
  return { resource: draft, changed: nothing };
}

/**
 * The requested type and the object below its root key. A lack of rights is reported before an error of the type
 * (TS-0004, clause 7.2.2.2, steps Recv-6.3 and 6.4), except for a number that is no resource type (clause 7.3.2.1).
 */
function readType(
  request: RequestPrimitive,
  parent: Resource,
  services: CseServices,
  trust: PriorChecks,
): { readonly type: ResourceType; readonly body: Record<string, unknown> } {
  try {
    const [root, body] = rootOf(request.content);
    const type = typeByRoot(root, services.configuration, request.resourceType);
    checkResourceType(request, type);
    return { type, body };
  } catch (refusal) {
    const { access, configuration } = services;
    const isNumbered = request.resourceType === undefined || isOfStandard(request.resourceType);
    if (trust.checked && isNumbered) access.check(request, 'create', parent, requestedType(request, configuration));
    throw refusal;
  }
}
