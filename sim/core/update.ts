/** What an update does, to be read from top to bottom. */
import { checkResourceType, type Trust } from './create.ts';
import type { RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { HookContext } from './resource-type.ts';
import type { Services } from './services.ts';
import { BAD_REQUEST, CseError } from './status.ts';
import { type GivenAttributes, readAttributes, rootOf } from './validate.ts';

/** The names of the changed attributes, or who has to be asked first. Throws the CseError that refuses it. */
export function update(
  request: RequestPrimitive,
  resource: Resource,
  services: Services,
  trust: Trust,
): readonly string[] | Promise<void> {
  const { configuration, tree, maker } = services;
  const [root, attributes] = rootOf(request.content);
  const { type } = resource;
  if (root !== type.root) {
    throw new CseError(BAD_REQUEST, `The root key must be ${type.root}, the kind of the resource.`);
  }
  checkResourceType(request, type);
  const given = readAttributes(type, 'update', attributes, configuration.dialect);
  if (trust.checked) checkRights(request, resource, given, services);
  if (given.expires !== undefined) {
    maker.expirationOf(given.expires, services.ports.clock.now());
    if (configuration.dialect.earlierExpiration !== 'draws children in') checkChildren(resource, given.expires);
  }
  const context: HookContext = { services, tree, configuration, request, originator: request.from };
  type.updating?.(resource, given, context);
  if (trust.checked && trust.settled === undefined) {
    const asked = whoIsAsked(request, resource, given, context);
    if (asked !== undefined) return asked;
  }
  const changed = apply(given, resource, services);
  type.updated?.(resource, context, changed);
  return changed;
}

/** `acpi` is changed alone, and asks for the self-privileges of the present policies (TS-0004, clause 7.3.3.1). */
function checkRights(
  request: RequestPrimitive,
  resource: Resource,
  { values, removed, labels, expires }: GivenAttributes,
  { access }: Services,
): void {
  if (!access.required) return;
  if (values.acpi === undefined && !removed.includes('acpi')) {
    access.check(request, 'update', resource);
    return;
  }
  const given = Object.keys(values).length + removed.length;
  if (given > 1 || labels !== undefined || expires !== undefined) {
    throw new CseError(BAD_REQUEST, 'acpi is changed by an update of its own.');
  }
  access.checkPolicyChange(request, resource);
  access.checkPolicies(values.acpi, resource.type);
}

/** TS-0004, clause 7.3.3.4: no child outlives its parent, and none is shortened by what its parent is asked. */
function checkChildren(resource: Resource, expires: number): void {
  for (const child of resource.children?.values() ?? []) {
    if (child.expires > expires) throw new CseError(BAD_REQUEST, `et is earlier than that of its child ${child.name}.`);
  }
}

function whoIsAsked(
  request: RequestPrimitive,
  resource: Resource,
  given: GivenAttributes,
  context: HookContext,
): Promise<void> | undefined {
  const byKind = resource.type.ask?.(resource, given, context);
  const { notifier } = context.services;
  const bySubscriptions =
    resource.subscriptions === undefined ? undefined : notifier.askBeforeUpdate(resource, given, request);
  if (byKind === undefined) return bySubscriptions;
  return bySubscriptions === undefined ? byKind : byKind.then(() => bySubscriptions);
}

function apply(given: GivenAttributes, resource: Resource, { tree, maker, ports }: Services): readonly string[] {
  const { values, removed, labels, expires } = given;
  const kept = { ...resource.values, ...values };
  for (const name of removed) delete kept[name];
  resource.values = kept;
  if (labels !== undefined || removed.includes('lbl')) tree.relabel(resource, labels);
  const expirationRemoved = removed.includes('et');
  if (expires !== undefined || expirationRemoved) {
    const wanted = maker.expirationOf(expires, ports.clock.now());
    tree.reschedule(resource, Math.min(wanted, resource.parent?.expires ?? Number.POSITIVE_INFINITY));
  }
  resource.modified = maker.tick();
  resource.stateTag++;
  const changed = [...Object.keys(values), ...removed];
  if (labels !== undefined) changed.push('lbl');
  if (expires !== undefined) changed.push('et');
  return changed;
}
