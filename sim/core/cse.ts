/** The CSE: one function from a request primitive to a response primitive. Read `#perform` from top to bottom. */
import { type Address, type CseIdentity, resolve } from './address.ts';
import type { Dialect } from './dialect.ts';
import { discover, meetsCriteria } from './discover.ts';
import type { Limits } from './limits.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';
import { shapeOf, show } from './result.ts';
import * as status from './status.ts';
import { CseError } from './status.ts';
import { Tree } from './tree.ts';
import { checkName, type GivenAttributes, readAttributes, rootOf } from './validate.ts';

export interface Clock {
  /** Microseconds since 1970 UTC. */
  now(): number;
}

/** Everything from outside that the core needs. */
export interface Ports {
  readonly clock: Clock;
  /** So many random letters and digits. */
  readonly randomText: (length: number) => string;
}

export interface CseConfiguration extends CseIdentity {
  /** TS-0004 cseTypeID: 1 IN-CSE, 2 MN-CSE, 3 ASN-CSE. */
  readonly cseType: number;
  /** URLs under which the CSE can be reached, shown as `poa` of the CSE base. */
  readonly pointOfAccess: readonly string[];
  readonly limits: Limits;
  readonly kinds: readonly ResourceType[];
  readonly dialect: Dialect;
}

const microsecondsPerSecond = 1_000_000;

export class Cse {
  readonly configuration: CseConfiguration;
  readonly tree: Tree;
  readonly #ports: Ports;
  readonly #kindsByRoot: ReadonlyMap<string, ResourceType>;
  readonly #counters = new Map<string, number>();
  #lastChange = 0;

  constructor(configuration: CseConfiguration, ports: Ports) {
    this.configuration = configuration;
    this.#ports = ports;
    this.#kindsByRoot = new Map(configuration.kinds.map((kind) => [kind.root, kind]));
    this.tree = new Tree(this.#makeBase());
  }

  /** Never rejects: a refusal is an answer too. An error that is not a CseError is a defect of ours and is thrown. */
  async request(request: RequestPrimitive): Promise<ResponsePrimitive> {
    try {
      return this.#perform(request);
    } catch (error) {
      if (error instanceof CseError) return refusal(error);
      throw error;
    }
  }

  /** The operations that the resource at `to` allows. */
  allowedOperations(to: string): readonly Operation[] {
    this.tree.expire(this.#ports.clock.now());
    return operationsAt(resolve(to, this.tree, this.configuration));
  }

  #perform(request: RequestPrimitive): ResponsePrimitive {
    this.tree.expire(this.#ports.clock.now());
    const address = resolve(request.to, this.tree, this.configuration);
    checkOperation(request.operation, address);
    if (request.filterCriteria?.filterUsage === 1) return this.#discover(request, address);
    const shape = shapeOf(
      request.operation,
      request.resultContent ?? this.configuration.dialect.resultContent[request.operation],
    );
    switch (request.operation) {
      case 'create': {
        const created = this.#create(request, address.resource);
        return this.#answer(status.CREATED, created, shape, address);
      }
      case 'retrieve':
        this.#checkCondition(request, address.resource);
        return this.#answer(status.OK, address.resource, shape, address);
      case 'update':
        this.#update(request, address.resource);
        return this.#answer(status.UPDATED, address.resource, shape, address);
      case 'delete': {
        const answer = this.#answer(status.DELETED, address.resource, shape, address);
        this.tree.remove(address.resource);
        return answer;
      }
    }
  }

  #create(request: RequestPrimitive, parent: Resource): Resource {
    const [root, given] = rootOf(request.content);
    const type = this.#kindOf(root);
    checkResourceType(request, type);
    if (!parent.type.children.includes(type.ty)) {
      throw new CseError(
        status.INVALID_CHILD_RESOURCE_TYPE,
        `A ${type.root} cannot stand below a ${parent.type.root}.`,
      );
    }
    const resource = this.#draft(type, parent, readAttributes(type, 'create', given, this.configuration.dialect));
    type.assign?.(resource, { tree: this.tree, originator: request.from, nextNumber: this.#nextNumber });
    parent.type.admit?.(parent, resource, this.tree);
    this.#nextNumber(type.prefix);
    this.tree.add(resource);
    return resource;
  }

  /** The resource as it will be stored; nothing has changed yet. */
  #draft(type: ResourceType, parent: Resource, given: GivenAttributes): Resource {
    const { limits } = this.configuration;
    if (given.name !== undefined) checkName(given.name, limits.nameLength);
    const name = given.name ?? `${type.longName}-${this.#ports.randomText(16)}`;
    if (parent.children?.has(name)) {
      throw new CseError(status.CONFLICT, `${parent.path} already has a child named ${name}.`);
    }
    const created = this.#tick();
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

  #update(request: RequestPrimitive, resource: Resource): void {
    const [root, given] = rootOf(request.content);
    const { type } = resource;
    if (root !== type.root)
      throw new CseError(status.BAD_REQUEST, `The root key must be ${type.root}, the kind of the resource.`);
    checkResourceType(request, type);
    const { expires, labels, values } = readAttributes(type, 'update', given, this.configuration.dialect);
    checkExpiration(expires, this.#ports.clock.now());
    resource.values = { ...resource.values, ...values };
    if (labels !== undefined) this.tree.relabel(resource, labels);
    if (expires !== undefined) {
      this.tree.reschedule(resource, Math.min(expires, resource.parent?.expires ?? Number.POSITIVE_INFINITY));
    }
    resource.modified = this.#tick();
    resource.stateTag++;
    type.updated?.(resource, this.tree);
  }

  #discover(request: RequestPrimitive, address: Address): ResponsePrimitive {
    const found = discover(address.resource, request.filterCriteria ?? {}, this.tree);
    const identifiers = request.desiredIdentifierResultType === 2;
    const list = found.map((resource) => address.prefix + (identifiers ? resource.id : resource.path));
    return { status: status.OK, content: { 'm2m:uril': list } };
  }

  #checkCondition(request: RequestPrimitive, resource: Resource): void {
    if (request.filterCriteria === undefined || meetsCriteria(resource, request.filterCriteria)) return;
    throw new CseError(
      status.NOT_FOUND,
      'The resource does not meet the filter criteria; add fu=1 to discover below it.',
    );
  }

  #answer(
    code: status.ResponseStatus,
    resource: Resource,
    shape: ReturnType<typeof shapeOf>,
    { prefix }: Address,
  ): ResponsePrimitive {
    return {
      status: code,
      content: show(resource, shape, prefix, this.configuration.dialect),
      contentLocation: prefix + resource.path,
    };
  }

  #kindOf(root: string): ResourceType {
    const type = this.#kindsByRoot.get(root);
    if (type === undefined)
      throw new CseError(status.BAD_REQUEST, `${JSON.stringify(root)} is not the root key of a known kind.`);
    return type;
  }

  /** The next number of a counter, from 0, never given twice. */
  readonly #nextNumber = (counter: string): number => {
    const number = this.#counters.get(counter) ?? 0;
    this.#counters.set(counter, number + 1);
    return number;
  };

  /** The time of a change; each is later than the one before, so that it orders resources. */
  #tick(): number {
    this.#lastChange = Math.max(this.#ports.clock.now(), this.#lastChange + 1);
    return this.#lastChange;
  }

  #makeBase(): Resource {
    const type = this.#kindOf('m2m:cb');
    const { base, cseId, cseType, pointOfAccess, kinds } = this.configuration;
    return new Resource({
      type,
      id: `${type.prefix}${this.#nextNumber(type.prefix)}`,
      name: base,
      parent: undefined,
      created: this.#tick(),
      expires: Number.POSITIVE_INFINITY,
      values: {
        csi: `/${cseId}`,
        cst: cseType,
        ...(pointOfAccess.length > 0 && { poa: pointOfAccess }),
        srt: kinds.map((kind) => kind.ty),
      },
    });
  }
}

// TS-0001, clauses 9.6.6 and 9.6.7: latest and oldest can be retrieved and deleted, nothing else.
const ofVirtual: readonly Operation[] = ['retrieve', 'delete'];

function operationsAt({ resource, virtual }: Address): readonly Operation[] {
  if (virtual) return ofVirtual;
  const { operations, children } = resource.type;
  return children.length > 0 ? ['create', ...operations] : operations;
}

function checkOperation(operation: Operation, address: Address): void {
  const { operations } = address.resource.type;
  // Below what takes no children a create is refused by the kind of the child, not by the operation.
  const possible = operation === 'create' || operations.includes(operation);
  if (possible && (!address.virtual || ofVirtual.includes(operation))) return;
  throw new CseError(status.OPERATION_NOT_ALLOWED, `${operation} is not allowed here.`, {
    allow: operationsAt(address),
  });
}

/** A requested expiration time must be in the future. */
function checkExpiration(requested: number | undefined, now: number): number | undefined {
  if (requested === undefined || requested > now) return requested;
  throw new CseError(status.BAD_REQUEST, 'et must be in the future.');
}

function checkResourceType(request: RequestPrimitive, type: ResourceType): void {
  if (request.resourceType === undefined || request.resourceType === type.ty) return;
  throw new CseError(
    status.BAD_REQUEST,
    `ty=${request.resourceType} in the Content-Type contradicts the root key ${type.root} (${type.ty}).`,
  );
}

function refusal(error: CseError): ResponsePrimitive {
  return {
    status: error.status,
    content: { 'm2m:dbg': error.message },
    http: error.http,
    ...(error.allow !== undefined && { allow: error.allow }),
  };
}
