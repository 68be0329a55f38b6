/** Announcement of resources at other CSEs (TS-0001, clause 10.2.18). */
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { AttributeDefinition } from './resource-type.ts';
import type { Services } from './services.ts';

/** The address of the announced resource, by the entry of `at` that asked for it. */
type Announced = Map<string, string>;

const firstAnnouncedType = 10_000;

export class Announcer {
  readonly #services: Services;
  readonly #announced = new WeakMap<Resource, Announced>();
  /** Names of the attributes that the announced resources show. */
  readonly #shown = new WeakMap<Resource, ReadonlySet<string>>();

  constructor(services: Services) {
    this.#services = services;
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
    await Promise.all(addresses.map((address) => this.#send(address, { operation: 'delete' })));
  }

  async #bringUpToDate(
    resource: Resource,
    changed: readonly string[],
    announced: Announced,
    wanted: readonly string[],
  ): Promise<void> {
    const content = this.#changeOf(resource, changed);
    for (const [target, address] of [...announced]) {
      if (wanted.includes(target) || wanted.includes(address)) {
        if (content !== undefined) await this.#send(address, { operation: 'update', content });
      } else {
        announced.delete(target);
        await this.#send(address, { operation: 'delete' });
      }
    }
    const known = new Set([...announced.keys(), ...announced.values()]);
    for (const target of wanted) if (!known.has(target)) await this.#create(resource, target, announced);
    if (resource.values.at !== undefined) resource.values.at = [...announced.values()];
  }

  async #create(resource: Resource, target: string, announced: Announced): Promise<void> {
    const { type } = resource;
    const resourceType = firstAnnouncedType + type.ty;
    const parent = this.#parentAt(resource, target);
    if (parent === undefined || this.#kindOf(`${type.root}A`) === undefined) return;
    const attributes = { lnk: this.#link(resource), ...this.#attributes(resource) };
    const answer = await this.#send(parent, {
      operation: 'create',
      resourceType,
      content: { [`${type.root}A`]: attributes },
    });
    const address = answer === undefined ? undefined : addressIn(answer, target);
    if (address !== undefined) announced.set(target, address);
  }

  /** The content of an update of the announced resources; undefined when nothing that they show has changed. */
  #changeOf(resource: Resource, changed: readonly string[]): unknown {
    const present = this.#attributes(resource);
    const before = this.#shown.get(resource) ?? new Set();
    this.#shown.set(resource, new Set(Object.keys(present)));
    const change: Record<string, unknown> = {};
    for (const name in present) if (changed.includes(name) || !before.has(name)) change[name] = present[name];
    for (const name of before) if (!(name in present)) change[name] = null;
    return Object.keys(change).length > 0 ? { [`${resource.type.root}A`]: change } : undefined;
  }

  /** What is announced of the resource. */
  #attributes(resource: Resource): Record<string, unknown> {
    const { dialect } = this.#services.configuration;
    const shown: Record<string, unknown> = {};
    for (const { name, definition } of resource.type.entries) {
      if (!isAnnounced(name, definition, resource)) continue;
      const value = definition.from === undefined ? resource.values[name] : definition.from(resource);
      const written = dialect.write(definition.type, value);
      if (written !== undefined) shown[name] = written;
    }
    return shown;
  }

  #link({ id }: Resource): string {
    return `/${this.#services.configuration.cseId}/${id}`;
  }

  /** Where at the other CSE: below the announced parent, else below what stands there for this CSE, or where `at` says. */
  #parentAt({ parent }: Resource, target: string): string | undefined {
    const [, cseId, rest] = /^\/([^/]+)(\/.+)?$/.exec(target) ?? [];
    if (cseId === undefined || rest !== undefined) return cseId === undefined ? undefined : target;
    const above = parent === undefined ? undefined : this.#announced.get(parent)?.get(target);
    if (above !== undefined) return above;
    const remote = this.#services.tree.byAlias(target);
    const base = remote?.values.cb;
    if (typeof base !== 'string') return undefined;
    const absolute = base.startsWith('/') ? base : `/${cseId}/${base}`;
    return `${absolute}/${this.#services.configuration.cseId}`;
  }

  #kindOf(root: string): unknown {
    return this.#services.configuration.kinds.find((kind) => kind.root === root);
  }

  /** Undefined for whatever does not succeed: an announcement that fails takes nothing away from the request. */
  async #send(
    target: string,
    request: Pick<RequestPrimitive, 'operation' | 'content' | 'resourceType'>,
  ): Promise<ResponsePrimitive | undefined> {
    const { outgoing, ports, configuration } = this.#services;
    try {
      const answer = await outgoing.send(target, {
        ...request,
        from: outgoing.originator,
        requestIdentifier: ports.randomText(16),
        releaseVersionIndicator: configuration.releases.at(-1) ?? '3',
      });
      return answer.status.http < 300 ? answer : undefined;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'CseError') ports.onError(error);
      return undefined;
    }
  }
}

function isAnnounced(name: string, { announced }: AttributeDefinition, { values }: Resource): boolean {
  if (announced === undefined) return false;
  return announced === 'always' || ((values.aa as readonly string[] | undefined) ?? []).includes(name);
}

/** The address of the announced resource, by its identifier at the CSE of the target. */
function addressIn({ content }: ResponsePrimitive, target: string): string | undefined {
  const shown = typeof content === 'object' && content !== null ? Object.values(content)[0] : undefined;
  const identifier: unknown = typeof shown === 'object' && shown !== null ? (shown as { ri?: unknown }).ri : undefined;
  const cse = /^\/[^/]+/.exec(target)?.[0];
  return typeof identifier === 'string' && cse !== undefined ? `${cse}/${identifier}` : undefined;
}
