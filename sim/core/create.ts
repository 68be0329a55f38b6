/** What a create does, to be read from top to bottom. */
import type { RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { CreationContext, ResourceType } from './resource-type.ts';
import type { Services } from './services.ts';
import { BAD_REQUEST, CseError, INVALID_CHILD_RESOURCE_TYPE, OPERATION_NOT_ALLOWED } from './status.ts';
import { readAttributes, rootOf } from './validate.ts';

const flexContainerType = 28;
const flexContainerInstanceType = 58;

/** A new resource that waits for what somebody else has to say about it. */
export interface PendingCreation {
  readonly draft: Resource;
  readonly asked: Promise<void>;
}

/** How rights are looked at: not at all for what the CSE does by itself. */
export interface Trust {
  readonly checked: boolean;
  /** Set when somebody else was asked already: the draft about which. */
  readonly settled?: Resource;
}

/** Stores the resource, or says who has to be asked first. Throws the CseError that refuses it. */
export function create(
  request: RequestPrimitive,
  parent: Resource,
  services: Services,
  trust: Trust,
): Resource | PendingCreation {
  const { configuration, tree, maker, access } = services;
  const [root, given] = rootOf(request.content);
  const type = services.kindOf(root, request.resourceType);
  checkResourceType(request, type);
  if (trust.checked && access.required) access.check(request, 'create', parent, type);
  if (!parent.type.children.includes(type.ty)) {
    throw new CseError(
      type.misplaced?.[configuration.dialect.name] ?? INVALID_CHILD_RESOURCE_TYPE,
      `${root} cannot stand below ${parent.type.root}.`,
    );
  }
  const attributes = readAttributes(type, 'create', given, configuration.dialect);
  if (attributes.values.acpi !== undefined) access.checkPolicies(attributes.values.acpi, type);
  const draft = maker.draft(type, parent, attributes, trust.settled);
  const { creatorAsked } = attributes;
  draft.creator = request.from === '' ? undefined : request.from;
  if (creatorAsked && type.attributes.cr !== undefined && draft.creator !== undefined) draft.values.cr = draft.creator;
  const { nextNumber } = maker;
  const context: CreationContext = {
    services,
    tree,
    configuration,
    request,
    originator: request.from,
    nextNumber,
    creatorAsked,
  };
  type.assign?.(draft, context);
  if (type.ask !== undefined && trust.checked && trust.settled === undefined) {
    const asked = type.ask(draft, undefined, context);
    if (asked !== undefined) {
      maker.confirm(draft);
      return { draft, asked };
    }
  }
  parent.type.admit?.(parent, draft, context);
  if (trust.settled === undefined) maker.confirm(draft);
  tree.add(draft);
  type.stored?.(draft, context);
  return draft;
}

export function isPending(created: Resource | PendingCreation): created is PendingCreation {
  return 'draft' in created;
}

export function checkResourceType({ resourceType }: RequestPrimitive, type: ResourceType): void {
  if (resourceType === undefined || resourceType === type.ty) return;
  if (resourceType === flexContainerInstanceType && type.ty === flexContainerType) {
    throw new CseError(OPERATION_NOT_ALLOWED, 'The instances of a flexible container are made by the CSE alone.');
  }
  throw new CseError(
    BAD_REQUEST,
    `ty=${resourceType} in the Content-Type contradicts the root key ${type.root} (${type.ty}).`,
  );
}
