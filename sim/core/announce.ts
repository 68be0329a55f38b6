/** Announcement of resources at other CSEs (TS-0001, clause 10.2.13; TS-0004, clauses 7.3.3.10 and 7.3.3.11). */

import { AnnouncedBases, type AnnouncementRequest, addressIn } from './announce-base.ts';
import { isRemote } from './local-resource.ts';
import { firstAnnouncedType } from './numbers.ts';
import type { ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import { type AttributeDefinition, announcedRoot } from './resource-type.ts';
import type { Services } from './services.ts';
import { CseError, OPERATION_NOT_ALLOWED, unlessRefused } from './status.ts';

/** The address of the announced resource, by the entry of `at` that asked for it. */
type Announced = Map<string, string>;

/** Attributes that are identifiers, which another CSE reads as its own unless they say of which CSE they are. */
const identifiers: ReadonlySet<string> = new Set([
  ...['acpi', 'daci', 'aei', 'nl', 'li', 'hcl', 'hael', 'mid', 'macp', 'awi', 'ldv', 'lnh'],
]);

export class Announcer {
  readonly #services: Services;
  readonly #announced = new WeakMap<Resource, Announced>();
  /** Names of the attributes that the announced resources show. */
  readonly #shown = new WeakMap<Resource, ReadonlySet<string>>();
  readonly #bases: AnnouncedBases;

  constructor(services: Services) {
    this.#services = services;
    this.#bases = new AnnouncedBases(services, this);
  }

  /** Throws OPERATION_NOT_ALLOWED where an instance asks to be announced at a CSE at which what holds it is not (TS-0004, clause 7.3.3.10). */
  checkHolder({ values, parent }: Resource): void {
    for (const target of (values.at as readonly string[] | undefined) ?? []) {
      if (!isCseId(target) || parent === undefined || announcedAt(parent, target) !== undefined) continue;
      throw new CseError(
        OPERATION_NOT_ALLOWED,
        `${parent.path} is not announced at ${target}, so what it holds is not.`,
      );
    }
  }

  /**
   * Brings the announced resources of `resource` up to date after it was created or changed; resolves when the other CSEs have
   * answered, with `at` then naming what was announced. Undefined when there is nothing to do. Never rejects.
   */
  changed(resource: Resource, changed: readonly string[]): Promise<void> | undefined {
    const announced = this.#announced.get(resource) ?? new Map<string, string>();
    const wanted = (resource.values.at as readonly string[] | undefined) ?? [];
    if (wanted.length === 0 && announced.size === 0) return undefined;
    this.#announced.set(resource, announced);
    return this.#bringUpToDate(resource, changed, announced, wanted);
  }

  /** Removes the announced resources of one that is gone. Never rejects. */
  async removed(resource: Resource): Promise<void> {
    const addresses = [...(this.#announced.get(resource)?.values() ?? [])];
    this.#announced.delete(resource);
    await Promise.all(addresses.map((address) => this.send(address, { operation: 'delete' })));
  }

  async #bringUpToDate(
    resource: Resource,
    changed: readonly string[],
    announced: Announced,
    wanted: readonly string[],
  ): Promise<void> {
    keepAnnounceable(resource);
    const content = this.#changeOf(resource, changed);
    for (const [target, address] of [...announced]) {
      if (wanted.includes(target) || wanted.includes(address)) {
        if (content !== undefined) await this.send(address, { operation: 'update', content });
      } else {
        announced.delete(target);
        await this.send(address, { operation: 'delete' });
      }
    }
    const known = new Set([...announced.keys(), ...announced.values()]);
    for (const target of wanted) if (!known.has(target)) await this.#create(resource, target, announced);
    if (resource.values.at !== undefined) resource.values.at = [...announced.values()];
  }

  async #create(resource: Resource, target: string, announced: Announced): Promise<void> {
    const { type, parent } = resource;
    if (!this.#services.configuration.kinds.some(({ root }) => root === announcedRoot(type))) return;
    const request = {
      operation: 'create',
      resourceType: firstAnnouncedType + type.ty,
      content: this.represent(resource),
    } as const;
    const above = !isCseId(target) ? target : parent === undefined ? undefined : announcedAt(parent, target);
    const answer =
      above === undefined ? await this.#bases.createBelow(target, request) : await this.send(above, request);
    const address = answer === undefined ? undefined : addressIn(answer, target);
    if (address !== undefined) announced.set(target, address);
  }

  /** What announces the resource, below its root key. */
  represent(resource: Resource): Record<string, Record<string, unknown>> {
    return { [announcedRoot(resource.type)]: { lnk: this.#link(resource), ...this.#attributes(resource) } };
  }

  /** The content of an update of the announced resources; undefined when nothing that they show has changed. */
  #changeOf(resource: Resource, changed: readonly string[]): unknown {
    const present = this.#attributes(resource);
    const before = this.#shown.get(resource) ?? new Set();
    this.#shown.set(resource, new Set(Object.keys(present)));
    const change: Record<string, unknown> = {};
    for (const name in present) if (changed.includes(name) || !before.has(name)) change[name] = present[name];
    for (const name of before) if (!(name in present)) change[name] = null;
    return Object.keys(change).length > 0 ? { [announcedRoot(resource.type)]: change } : undefined;
  }

  /** What is announced of the resource. */
  #attributes(resource: Resource): Record<string, unknown> {
    const { dialect } = this.#services.configuration;
    const shown: Record<string, unknown> = {};
    for (const { name, definition } of resource.type.entries) {
      if (!isAnnounced(name, definition, resource)) continue;
      const written = dialect.write(definition.type, resource.valueOf(name));
      if (written === undefined) continue;
      shown[name] = identifiers.has(name) ? this.#ofThisCse(written) : this.#rulesOfThisCse(name, written);
    }
    return shown;
  }

  /** Identifiers SP-relative (TS-0001, clause 7.2). */
  #ofThisCse(written: unknown): unknown {
    if (Array.isArray(written)) return written.map((one) => this.#ofThisCse(one));
    return typeof written !== 'string' || written.startsWith('/')
      ? written
      : `/${this.#services.configuration.cseId}/${written}`;
  }

  /** The originators that rules of `pv` and `pvs` name; patterns, domains and `all` stay as they are. */
  #rulesOfThisCse(name: string, written: unknown): unknown {
    if (name !== 'pv' && name !== 'pvs') return written;
    const { acr = [] } = written as { acr?: readonly { acor?: readonly string[] }[] };
    const named = (id: string) => (id === 'all' || /[*?.]/.test(id) ? id : this.#ofThisCse(id));
    return { acr: acr.map((rule) => ({ ...rule, acor: rule.acor?.map(named) })) };
  }

  #link({ id }: Resource): string {
    return `/${this.#services.configuration.cseId}/${id}`;
  }

  /** Undefined for whatever does not succeed: an announcement that fails takes nothing away from the request. */
  async send(target: string, request: AnnouncementRequest): Promise<ResponsePrimitive | undefined> {
    const { outgoing, ports, configuration, perform } = this.#services;
    const whole = outgoing.ownRequest(request);
    const isHere = !isRemote(target, configuration);
    // A turn of its own even where the resource is announced here: what changes now changes to its end first.
    const sent = Promise.resolve().then(() =>
      isHere ? perform({ ...whole, to: target }) : outgoing.send(target, whole),
    );
    const answer = await unlessRefused(sent, ports);
    return answer !== undefined && answer.status.http < 300 ? answer : undefined;
  }
}

function isAnnounced(name: string, { announced }: AttributeDefinition, { values }: Resource): boolean {
  if (announced !== 'when asked') return announced === 'always';
  return ((values.aa as readonly string[] | undefined) ?? []).includes(name);
}

/** `aa` names only what is announced because it does; of what always is, `lbl` may stand there too. */
function keepAnnounceable(resource: Resource): void {
  const { aa, ...others } = resource.values;
  if (!Array.isArray(aa)) return;
  const { attributes } = resource.type;
  const kept = aa.filter((name: string) => name === 'lbl' || attributes[name]?.announced === 'when asked');
  if (kept.length < aa.length) resource.values = kept.length > 0 ? { ...others, aa: kept } : others;
}

/** True for a CSE-ID, false for the address of a resource. */
const isCseId = (target: string): boolean => /^\/[^/]+$/.test(target);

/** The address at that CSE of what announces the resource there, as its `at` says. */
const announcedAt = ({ values }: Resource, cseId: string): string | undefined =>
  ((values.at as readonly string[] | undefined) ?? []).find((address) => address.startsWith(`${cseId}/`));
