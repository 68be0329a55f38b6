import type { CseConfiguration, Ports } from './configuration.ts';
import { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';
import { BAD_REQUEST, CONFLICT, CseError } from './status.ts';
import { checkName, type GivenAttributes } from './validate.ts';

const microsecondsPerSecond = 1_000_000;

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

  /** The resource that a create asks for. Its identifier is used up only by `confirm`, so that a refused create wastes none. */
  draft(type: ResourceType, parent: Resource, given: GivenAttributes): Resource {
    const { limits } = this.#configuration;
    if (given.name !== undefined) checkName(given.name, limits.nameLength);
    const name = given.name ?? `${type.longName}-${this.#ports.randomText(16)}`;
    if (parent.children?.has(name)) throw new CseError(CONFLICT, `${parent.path} already has a child named ${name}.`);
    const created = this.tick();
    const wanted = checkExpiration(given.expires, created) ?? created + limits.lifetime * microsecondsPerSecond;
    const resource = new Resource({
      type,
      id: `${type.prefix}${this.#counters.get(type.prefix) ?? 0}`,
      name,
      parent,
      created,
      expires: Math.min(wanted, parent.expires),
      values: given.values,
    });
    resource.labels = given.labels;
    return resource;
  }

  confirm(resource: Resource): void {
    this.nextNumber(resource.type.prefix);
  }

  /** The CSE base of an empty tree. */
  base(type: ResourceType): Resource {
    const { base, cseId, cseType, pointOfAccess, kinds } = this.#configuration;
    return new Resource({
      type,
      id: `${type.prefix}${this.nextNumber(type.prefix)}`,
      name: base,
      parent: undefined,
      created: this.tick(),
      expires: Number.POSITIVE_INFINITY,
      values: {
        csi: `/${cseId}`,
        cst: cseType,
        ...(pointOfAccess.length > 0 && { poa: pointOfAccess }),
        srt: kinds.map((kind) => kind.ty),
      },
    });
  }

  /** The next number of a counter, from 0, never given twice. */
  readonly nextNumber = (counter: string): number => {
    const number = this.#counters.get(counter) ?? 0;
    this.#counters.set(counter, number + 1);
    return number;
  };

  /** The time of a change in microseconds; each is later than the one before, so that it orders resources. */
  tick(): number {
    this.#lastChange = Math.max(this.#ports.clock.now(), this.#lastChange + 1);
    return this.#lastChange;
  }
}

/** A requested expiration time must be in the future. */
export function checkExpiration(requested: number | undefined, now: number): number | undefined {
  if (requested === undefined || requested > now) return requested;
  throw new CseError(BAD_REQUEST, 'et must be in the future.');
}
