import type { Value } from './attribute-types.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import { infrastructureNode, microsecondsPerSecond } from './numbers.ts';
import { typeTableOf } from './requested-type.ts';
import { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';
import { CseError } from './status.ts';
import { checkName, type RequestedAttributes } from './validate.ts';

/** Makes resources: their identifiers, names and times. Nothing is stored here. */
export class ResourceMaker {
  readonly #configuration: CseConfiguration;
  readonly #ports: Ports;
  readonly #counters = new Map<string, number>();
  #lastChange = 0;

  constructor(configuration: CseConfiguration, ports: Ports) {
    this.#configuration = configuration;
    this.#ports = ports;
  }

  /**
   * The resource that a create requests. Only `confirm` uses up a counted identifier, so that a refused create wastes none.
   * `settled` is the earlier draft of the same request that was approved: it keeps its name and identifier.
   */
  draft(type: ResourceType, parent: Resource, requested: RequestedAttributes, settled?: Resource): Resource {
    const { limits, dialect } = this.#configuration;
    if (requested.name !== undefined) checkName(requested.name, limits.nameLength, dialect);
    const name = requested.name ?? settled?.name ?? this.#generatedName(type);
    if (parent.children?.has(name)) throw new CseError('CONFLICT', `${parent.path} already has a child named ${name}.`);
    const created = this.tick();
    const resource = new Resource({
      type,
      id: settled?.id ?? this.#identifier(type),
      name,
      parent,
      created,
      expires: Math.min(this.expirationOf(requested.expires, created), parent.expires),
      values: requested.values,
    });
    resource.labels = requested.labels;
    return resource;
  }

  #generatedName(type: ResourceType): string {
    const counted = this.#configuration.dialect.identifiers === 'counted';
    return counted ? `${type.longName}-${this.#ports.randomText(16)}` : `${type.prefix}_${this.#ports.randomText(10)}`;
  }

  #identifier({ prefix }: ResourceType): string {
    if (this.#configuration.dialect.identifiers === 'random') return `${prefix}${this.#ports.randomText(10)}`;
    return `${prefix}${this.#counters.get(prefix) ?? 0}`;
  }

  /** The expiration for a requested time: the default lifetime without one, and the longest for a later one. */
  expirationOf(requested: number | undefined, now: number): number {
    const { lifetime, longestLifetime } = this.#configuration.limits;
    if (requested === undefined) return now + Math.min(lifetime, longestLifetime) * microsecondsPerSecond;
    if (requested <= now) throw new CseError('BAD_REQUEST', 'et must be in the future.');
    return Math.min(requested, now + longestLifetime * microsecondsPerSecond);
  }

  /** Uses up the identifier of a draft. */
  confirm({ type }: Resource): void {
    if (this.#configuration.dialect.identifiers === 'counted') this.nextNumber(type.prefix);
  }

  /** The CSE base of an empty tree. */
  base(type: ResourceType): Resource {
    const { base, cseId, cseType, pointOfAccess, types, dialect } = this.#configuration;
    return new Resource({
      type,
      id: dialect.identifiers === 'counted' ? `${type.prefix}${this.nextNumber(type.prefix)}` : cseId,
      name: base,
      parent: undefined,
      created: this.tick(),
      expires: Number.POSITIVE_INFINITY,
      values: {
        csi: `/${cseId}`,
        cst: cseType,
        ...(pointOfAccess.length > 0 && { poa: pointOfAccess }),
        srt: typeTableOf(types).listed,
        ...(dialect.name === 'onem2m' && this.#onem2mValues()),
      },
    });
  }

  #onem2mValues(): Record<string, Value> {
    const { releases, spId, cseId, cseType } = this.#configuration;
    const csz = ['application/json', 'application/cbor'].flatMap((type) => [
      type,
      type.replace('/', '/vnd.onem2m-res+'),
    ]);
    return { srv: releases, spi: `//${spId}`, csz, ...(cseType === infrastructureNode && { ici: `/${cseId}` }) };
  }

  /** The next number of a counter, from 0, never reused. */
  nextNumber(counter: string): number {
    const number = this.#counters.get(counter) ?? 0;
    this.#counters.set(counter, number + 1);
    return number;
  }

  /** What later identifiers and times depend on. */
  state(): { readonly counters: Readonly<Record<string, number>>; readonly lastChange: number } {
    return { counters: Object.fromEntries(this.#counters), lastChange: this.#lastChange };
  }

  /** Continues from the state of another maker. */
  continueFrom({ counters, lastChange }: ReturnType<ResourceMaker['state']>): void {
    this.#counters.clear();
    for (const [counter, next] of Object.entries(counters)) this.#counters.set(counter, next);
    this.#lastChange = lastChange;
  }

  /** The time of a change in microseconds; strictly increasing, so that it orders resources. */
  tick(): number {
    const { timeStep = 1 } = this.#configuration;
    const now = this.#ports.clock.now();
    this.#lastChange = Math.max(now - (now % timeStep), this.#lastChange + timeStep);
    return this.#lastChange;
  }
}
