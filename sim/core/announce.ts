/** Announcement of resources at other CSEs (TS-0001, clause 10.2.13; TS-0004, clauses 7.3.3.10 and 7.3.3.11). */

import { isRemote } from './address.ts';
import type { CseConfiguration } from './configuration.ts';
import { getOrInsert } from './memoize.ts';
import { announcedBaseType, firstAnnouncedType } from './numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { typeTableOf } from './requested-type.ts';
import { attributesBelowRoot, type Resource } from './resource.ts';
import { announcedRoot } from './resource-type.ts';
import type { Services } from './services.ts';
import { CseError, unlessRefused } from './status.ts';

/** Addresses of announced resources, by the entry of `at` that requested each. */
type Announced = Map<string, string>;

type AnnouncementRequest = Pick<RequestPrimitive, 'operation' | 'content' | 'resourceType' | 'trace'>;

type Traced = Pick<RequestPrimitive, 'trace'> | undefined;

type AnnouncerServices = Pick<Services, 'configuration' | 'ports' | 'tree' | 'maker' | 'outgoing' | 'perform'>;

const announcements = new WeakMap<Resource, Announced>();
/** Names of the attributes announced last. */
const lastAnnounced = new WeakMap<Resource, ReadonlySet<string>>();

export class Announcer {
  readonly #services: AnnouncerServices;
  /** Where this CSE's base is announced, as parent for resources without an announced one: by the CSE-ID of the other CSE. */
  readonly #bases = new Map<string, Promise<string | undefined>>();

  constructor(services: AnnouncerServices) {
    this.#services = services;
  }

  /** Throws OPERATION_NOT_ALLOWED for an instance to be announced at a CSE where its container is not (TS-0004, clause 7.3.3.10). */
  checkHolder({ values, parent }: Resource): void {
    for (const target of (values.at as readonly string[] | undefined) ?? []) {
      if (!isCseId(target) || parent === undefined || announcedAt(parent, target) !== undefined) continue;
      throw new CseError(
        'OPERATION_NOT_ALLOWED',
        `${parent.path} is not announced at ${target}, so its instances cannot be.`,
      );
    }
  }

  /**
   * Updates the announced resources of `resource` after it was created or changed; resolves when the other CSEs have
   * answered and `at` names what was announced. Undefined when there is nothing to do. Never rejects.
   */
  changed(resource: Resource, changed: readonly string[]): Promise<void> | undefined {
    const requested = (resource.values.at as readonly string[] | undefined) ?? [];
    if (requested.length === 0 && !announcements.get(resource)?.size) return undefined;
    const announced = getOrInsert(announcements, resource, () => new Map());
    const { cause } = this.#services.outgoing;
    return this.#bringUpToDate(resource, changed, announced, cause && { trace: cause });
  }

  /** Removes the announced resources of a deleted one. Never rejects. */
  async removed(resource: Resource): Promise<void> {
    const addresses = [...(announcements.get(resource)?.values() ?? [])];
    announcements.delete(resource);
    await Promise.all(addresses.map((address) => this.#send(address, { operation: 'delete' })));
  }

  async #bringUpToDate(
    resource: Resource,
    changed: readonly string[],
    announced: Announced,
    traced: Traced,
  ): Promise<void> {
    keepAnnounceable(resource);
    const requested = (resource.values.at as readonly string[] | undefined) ?? [];
    const content = this.#changeOf(resource, changed);
    for (const [target, address] of [...announced]) {
      if (requested.includes(target) || requested.includes(address)) {
        if (content !== undefined) await this.#send(address, { ...traced, operation: 'update', content });
      } else {
        announced.delete(target);
        await this.#send(address, { ...traced, operation: 'delete' });
      }
    }
    const known = new Set([...announced.keys(), ...announced.values()]);
    for (const target of requested) if (!known.has(target)) await this.#create(resource, target, announced, traced);
    if (resource.values.at !== undefined) resource.values.at = [...announced.values()];
  }

  async #create(resource: Resource, target: string, announced: Announced, traced: Traced): Promise<void> {
    const { type, parent } = resource;
    if (!typeTableOf(this.#services.configuration.types).byRoot.has(announcedRoot(type))) return;
    const request = {
      ...traced,
      operation: 'create',
      resourceType: firstAnnouncedType + type.ty,
      content: announcementOf(resource, this.#services.configuration),
    } as const;
    const above = !isCseId(target) ? target : parent === undefined ? undefined : announcedAt(parent, target);
    const answer =
      above === undefined ? await this.#createBelowBase(target, request) : await this.#send(above, request);
    const address = answer === undefined ? undefined : addressIn(answer, target);
    if (address !== undefined) announced.set(target, address);
  }

  /** Undefined when the CSE is unknown or refuses. */
  async #createBelowBase(cseId: string, request: AnnouncementRequest): Promise<ResponsePrimitive | undefined> {
    const base = this.#baseOf(cseId);
    if (base === undefined) return undefined;
    const registration = `${base}/${this.#services.configuration.cseId}`;
    const { trace } = request;
    const traced = trace && { trace };
    const announced = await this.#announcedBaseAt(cseId, base, traced);
    if (announced === undefined) return this.#send(registration, request);
    const answer = await this.#send(announced, request);
    if (answer !== undefined || (await this.#send(announced, { ...traced, operation: 'retrieve' })) !== undefined)
      return answer;
    this.#bases.delete(cseId);
    const newBase = await this.#announcedBaseAt(cseId, base, traced);
    return this.#send(newBase ?? registration, request);
  }

  /** The address of the CSE base of a registered CSE, SP-relative. */
  #baseOf(cseId: string): string | undefined {
    const { tree, configuration } = this.#services;
    if (cseId === `/${configuration.cseId}`) return `${cseId}/${tree.base.name}`;
    const cb = tree.byAlias(cseId)?.values.cb;
    if (typeof cb !== 'string') return undefined;
    return cb.startsWith('/') ? cb : `${cseId}/${cb}`;
  }

  /** Undefined where the other CSE refuses it: earlier releases announce everything below the registration. */
  #announcedBaseAt(cseId: string, base: string, traced: Traced): Promise<string | undefined> {
    return getOrInsert(this.#bases, cseId, () => this.#announceBase(cseId, base, traced));
  }

  async #announceBase(cseId: string, base: string, traced: Traced): Promise<string | undefined> {
    const { configuration, tree, maker, ports } = this.#services;
    const { dialect } = configuration;
    if (dialect.name === 'documented') return undefined;
    const et = dialect.write('timestamp', maker.expirationOf(Number.POSITIVE_INFINITY, ports.clock.now()));
    const content = announcementOf(tree.base, configuration, { et });
    const answer = await this.#send(base, { ...traced, operation: 'create', resourceType: announcedBaseType, content });
    const address = answer === undefined ? undefined : addressIn(answer, cseId);
    if (address === undefined) this.#bases.delete(cseId);
    return address;
  }

  /** The content of an update of the announced resources; undefined when no announced attribute has changed. */
  #changeOf(resource: Resource, changed: readonly string[]): unknown {
    const present = announcedAttributes(resource, this.#services.configuration);
    const before = lastAnnounced.get(resource) ?? new Set();
    lastAnnounced.set(resource, new Set(Object.keys(present)));
    const change: Record<string, unknown> = {};
    for (const name in present) if (changed.includes(name) || !before.has(name)) change[name] = present[name];
    for (const name of before) if (!(name in present)) change[name] = null;
    return Object.keys(change).length > 0 ? { [announcedRoot(resource.type)]: change } : undefined;
  }

  /** Undefined for a failure, which does not affect the request. */
  async #send(target: string, request: AnnouncementRequest): Promise<ResponsePrimitive | undefined> {
    const { outgoing, ports, configuration, perform } = this.#services;
    const whole = outgoing.ownRequest(request);
    const isLocal = !isRemote(target, configuration);
    // In a later turn even where the resource is announced here, so that the present change is completed first.
    const sent = Promise.resolve().then(() =>
      isLocal ? perform({ ...whole, to: target }) : outgoing.send(target, whole),
    );
    const answer = await unlessRefused(sent, ports);
    return answer !== undefined && answer.status.http < 300 ? answer : undefined;
  }
}

/** The address of the announced resource, by its identifier at the CSE of the target. */
function addressIn({ content }: ResponsePrimitive, target: string): string | undefined {
  const identifier = attributesBelowRoot(content).ri;
  const cse = /^\/[^/]+/.exec(target)?.[0];
  return typeof identifier === 'string' && cse !== undefined ? `${cse}/${identifier}` : undefined;
}

/** True for a CSE-ID, false for the address of a resource. */
const isCseId = (target: string): boolean => /^\/[^/]+$/.test(target);

/** The address at which the resource is announced at that CSE, from its `at`. */
const announcedAt = ({ values }: Resource, cseId: string): string | undefined =>
  ((values.at as readonly string[] | undefined) ?? []).find((address) => address.startsWith(`${cseId}/`));

// The content of announced resources (TS-0001, clause 9.6.26).

/** Attributes that hold identifiers, which another CSE would read as its own unless SP-relative. */
const identifiers: ReadonlySet<string> = new Set([
  ...['acpi', 'daci', 'aei', 'nl', 'li', 'hcl', 'hael', 'mid', 'macp', 'awi', 'ldv', 'lnh'],
]);

/** The announced attributes of the resource, and more, below the root key. */
function announcementOf(
  resource: Resource,
  configuration: CseConfiguration,
  more: Record<string, unknown> = {},
): Record<string, Record<string, unknown>> {
  const lnk = `/${configuration.cseId}/${resource.id}`;
  return { [announcedRoot(resource.type)]: { lnk, ...announcedAttributes(resource, configuration), ...more } };
}

/** The announced attributes of the resource, by short name. */
function announcedAttributes(resource: Resource, { dialect, cseId }: CseConfiguration): Record<string, unknown> {
  const requested = (resource.values.aa as readonly string[] | undefined) ?? [];
  const attributes: Record<string, unknown> = {};
  for (const { name, definition } of resource.type.entries) {
    const { announced } = definition;
    if (announced === 'when asked' ? !requested.includes(name) : announced === 'never') continue;
    const written = dialect.write(definition.type, resource.valueOf(name));
    if (written === undefined) continue;
    attributes[name] = identifiers.has(name) ? spRelative(written, cseId) : spRelativeRules(name, written, cseId);
  }
  return attributes;
}

/** Makes identifiers SP-relative (TS-0001, clause 7.2). */
function spRelative(written: unknown, cseId: string): unknown {
  if (Array.isArray(written)) return written.map((one) => spRelative(one, cseId));
  return typeof written !== 'string' || written.startsWith('/') ? written : `/${cseId}/${written}`;
}

/** Likewise the originators in rules of `pv` and `pvs`; patterns, domains and `all` stay as they are. */
function spRelativeRules(name: string, written: unknown, cseId: string): unknown {
  if (name !== 'pv' && name !== 'pvs') return written;
  const { acr = [] } = written as { acr?: readonly { acor?: readonly string[] }[] };
  const named = (id: string) => (id === 'all' || /[*?.]/.test(id) ? id : spRelative(id, cseId));
  return { acr: acr.map((rule) => ({ ...rule, acor: rule.acor?.map(named) })) };
}

/** `aa` keeps only optionally announced attributes, and `lbl`, though that is always announced. */
function keepAnnounceable(resource: Resource): void {
  const { aa, ...others } = resource.values;
  if (!Array.isArray(aa)) return;
  const { attributes } = resource.type;
  const kept = aa.filter((name: string) => name === 'lbl' || attributes[name]?.announced === 'when asked');
  if (kept.length < aa.length) resource.values = kept.length > 0 ? { ...others, aa: kept } : others;
}
