/** Updates a resource; read `update` from top to bottom. */

import { askBeforeUpdate } from '../notifications/notification-blocking.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { checkResourceType } from '../requested-type.ts';
import type { Resource } from '../resource.ts';
import { attributeNamed } from '../resource-type.ts';
import { CseError } from '../status.ts';
import { type RequestedAttributes, readAttributes, rootOf, updated } from '../validate.ts';
import type { Change, PriorChecks } from './create.ts';
import type { CseServices } from './cse-services.ts';

/** Changes the resource, or resolves to it once other entities have agreed. Throws a CseError to refuse it. */
export function update(
  request: RequestPrimitive,
  resource: Resource,
  services: CseServices,
  trust: PriorChecks,
): Change | Promise<Resource> {
  const { configuration, maker } = services;
  const { type } = resource;
  const [root, attributes] = readBody(request, resource, services, trust);
  if (trust.checked) checkRights(request, resource, attributes, services);
  if (root !== type.root) {
    throw new CseError('BAD_REQUEST', `The root key must be ${type.root}, the type of the resource.`);
  }
  checkResourceType(request, type);
  const requested = readAttributes(type, 'update', attributes, configuration.dialect);
  if (trust.checked && requested.values.acpi !== undefined) services.access.checkPolicies(requested.values.acpi, type);
  if (requested.expires !== undefined) {
    maker.expirationOf(requested.expires, services.ports.clock.now());
    // In the documented dialect an earlier time shortens them too.
    if (configuration.dialect.name === 'onem2m') checkChildren(resource, requested.expires);
  }
  type.updating?.(resource, requested, services, request);
  if (trust.checked && trust.settled === undefined) {
    const pending = approvalFor(request, resource, requested, services);
    if (pending !== undefined) return pending.then(() => resource);
  }
  const before = resource.values;
  const changed = apply(requested, resource, services);
  type.updated?.(resource, changed, services, request, before);
  return { resource, changed };
}

/** A lack of rights is reported before a malformed body; otherwise the body says which right it needs. */
function readBody(
  request: RequestPrimitive,
  resource: Resource,
  { access }: CseServices,
  trust: PriorChecks,
): readonly [string, Record<string, unknown>] {
  try {
    return rootOf(request.content);
  } catch (refusal) {
    if (trust.checked) access.check(request, 'update', resource);
    throw refusal;
  }
}

/**
 * Before the attributes are checked (TS-0004, clause 7.2.2.2, steps Recv-6.3 and 6.4). `acpi` is changed alone, and takes
 * the self-privileges of the present policies (TS-0001, clause 9.6.1.3.2).
 */
function checkRights(
  request: RequestPrimitive,
  resource: Resource,
  attributes: Record<string, unknown>,
  { access, configuration }: CseServices,
): void {
  if (!access.required) return;
  const { absentInUpdate, isAbsent } = configuration.dialect;
  const keys = Object.keys(attributes).filter((key) => absentInUpdate === 'removal' || !isAbsent(attributes[key]));
  if (!keys.some((key) => attributeNamed(resource.type, key) === 'acpi')) {
    access.check(request, 'update', resource);
    return;
  }
  access.checkPolicyChange(request, resource);
  if (keys.length > 1) throw new CseError('BAD_REQUEST', 'acpi is changed by an update of its own.');
}

/** TS-0004, clause 7.3.3.4: no child outlives its parent, and an update of the parent shortens none. */
function checkChildren(resource: Resource, expires: number): void {
  for (const child of resource.children?.values() ?? []) {
    if (child.expires > expires)
      throw new CseError('BAD_REQUEST', `et is earlier than that of its child ${child.name}.`);
  }
}

function approvalFor(
  request: RequestPrimitive,
  resource: Resource,
  requested: RequestedAttributes,
  services: CseServices,
): Promise<void> | undefined {
  const askSubscriptions = () => askBeforeUpdate(resource, requested, request, services);
  const byType = resource.type.ask?.(resource, requested, services, request);
  return byType === undefined ? askSubscriptions() : byType.then(askSubscriptions);
}

function apply(change: RequestedAttributes, target: Resource, { tree, maker, ports }: CseServices): readonly string[] {
  const { values, removed, labels, expires } = change;
  target.values = updated(change, target.values);
  if (labels !== undefined || removed.includes('lbl')) tree.relabel(target, labels);
  const expirationRemoved = removed.includes('et');
  if (expires !== undefined || expirationRemoved) {
    const expiration = maker.expirationOf(expires, ports.clock.now());
    tree.reschedule(target, Math.min(expiration, target.parent?.expires ?? Number.POSITIVE_INFINITY));
  }
  target.modified = maker.tick();
  target.stateTag++;
  const changed = [...Object.keys(values), ...removed];
  if (labels !== undefined) changed.push('lbl');
  if (expires !== undefined) changed.push('et');
  return changed;
}
