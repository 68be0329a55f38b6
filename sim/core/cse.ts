/** The CSE: one function from a request primitive to a response primitive. Read `#perform` from top to bottom. */
import { type Address, resolve } from './address.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import { discover, meetsCriteria } from './discover.ts';
import { checkOperation, operationsAt } from './permitted.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { addressList } from './representation.ts';
import type { Resource } from './resource.ts';
import { checkExpiration, ResourceMaker } from './resource-maker.ts';
import type { ResourceType } from './resource-type.ts';
import { type Shape, shapeOf, show } from './result.ts';
import * as status from './status.ts';
import { CseError } from './status.ts';
import { Tree } from './tree.ts';
import { readAttributes, rootOf } from './validate.ts';

export class Cse {
  readonly configuration: CseConfiguration;
  readonly tree: Tree;
  readonly #ports: Ports;
  readonly #maker: ResourceMaker;
  readonly #kindsByRoot: ReadonlyMap<string, ResourceType>;

  constructor(configuration: CseConfiguration, ports: Ports) {
    this.configuration = configuration;
    this.#ports = ports;
    this.#maker = new ResourceMaker(configuration, ports);
    this.#kindsByRoot = new Map(configuration.kinds.map((kind) => [kind.root, kind]));
    this.tree = new Tree(this.#maker.base(this.#kindOf('m2m:cb')));
  }

  /** Throws defects of ours only: a refusal is an answer too. Everything is answered in the same turn. */
  request(request: RequestPrimitive): ResponsePrimitive {
    try {
      return this.#perform(request);
    } catch (error) {
      if (error instanceof CseError) return refusal(error);
      throw error;
    }
  }

  /** The operations that the resource at `to` allows. Throws the CseError of an address that leads nowhere. */
  allowedOperations(to: string): readonly Operation[] {
    this.tree.expire(this.#ports.clock.now());
    return operationsAt(resolve(to, this.tree, this.configuration));
  }

  #perform(request: RequestPrimitive): ResponsePrimitive {
    this.tree.expire(this.#ports.clock.now());
    const address = resolve(request.to, this.tree, this.configuration);
    checkOperation(request.operation, address);
    if (request.filterCriteria?.filterUsage === 1) return this.#discover(request, address);
    const { dialect } = this.configuration;
    const shape = shapeOf(request.operation, request.resultContent ?? dialect.resultContent[request.operation]);
    switch (request.operation) {
      case 'create':
        return this.#answer(status.CREATED, this.#create(request, address.resource), shape, address);
      case 'retrieve':
        checkCondition(request, address.resource);
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
      throw new CseError(status.INVALID_CHILD_RESOURCE_TYPE, `${root} cannot stand below ${parent.type.root}.`);
    }
    const attributes = readAttributes(type, 'create', given, this.configuration.dialect);
    const resource = this.#maker.draft(type, parent, attributes);
    const { nextNumber } = this.#maker;
    type.assign?.(resource, { tree: this.tree, originator: request.from, nextNumber });
    parent.type.admit?.(parent, resource, this.tree);
    this.#maker.confirm(resource);
    this.tree.add(resource);
    return resource;
  }

  #update(request: RequestPrimitive, resource: Resource): void {
    const [root, given] = rootOf(request.content);
    const { type } = resource;
    if (root !== type.root) {
      throw new CseError(status.BAD_REQUEST, `The root key must be ${type.root}, the kind of the resource.`);
    }
    checkResourceType(request, type);
    const { expires, labels, values } = readAttributes(type, 'update', given, this.configuration.dialect);
    checkExpiration(expires, this.#ports.clock.now());
    resource.values = { ...resource.values, ...values };
    if (labels !== undefined) this.tree.relabel(resource, labels);
    if (expires !== undefined) {
      this.tree.reschedule(resource, Math.min(expires, resource.parent?.expires ?? Number.POSITIVE_INFINITY));
    }
    resource.modified = this.#maker.tick();
    resource.stateTag++;
    type.updated?.(resource, this.tree);
  }

  #discover(request: RequestPrimitive, address: Address): ResponsePrimitive {
    const found = discover(address.resource, request.filterCriteria ?? {}, this.tree);
    const identifiers = request.desiredIdentifierResultType === 2;
    const addresses = found.map((resource) => (identifiers ? resource.id : resource.path));
    return { status: status.OK, content: addressList(address.prefix, addresses) };
  }

  #answer(code: status.ResponseStatus, resource: Resource, shape: Shape, { prefix }: Address): ResponsePrimitive {
    const content = show(resource, shape, prefix, this.configuration.dialect);
    return { status: code, content, contentLocation: prefix + resource.path };
  }

  #kindOf(root: string): ResourceType {
    const type = this.#kindsByRoot.get(root);
    if (type !== undefined) return type;
    throw new CseError(status.BAD_REQUEST, `${JSON.stringify(root)} is not the root key of a known kind.`);
  }
}

/** Filter criteria without fu=1 are a condition on the resource itself. */
function checkCondition({ filterCriteria }: RequestPrimitive, resource: Resource): void {
  if (filterCriteria === undefined || meetsCriteria(resource, filterCriteria)) return;
  throw new CseError(
    status.NOT_FOUND,
    'The resource does not meet the filter criteria; add fu=1 to discover what is below it.',
  );
}

function checkResourceType({ resourceType }: RequestPrimitive, type: ResourceType): void {
  if (resourceType === undefined || resourceType === type.ty) return;
  throw new CseError(
    status.BAD_REQUEST,
    `ty=${resourceType} in the Content-Type contradicts the root key ${type.root} (${type.ty}).`,
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
