/** The CSE: one function from a request primitive to a response primitive. Read `#execute` from top to bottom. */
import { AccessControl } from './access.ts';
import { type Address, emptyHolder, resolve } from './address.ts';
import { Announcer } from './announce.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import { create, isPending, type Trust } from './create.ts';
import type { Dialect } from './dialect.ts';
import { type Discovered, discover, meetsCriteria } from './discover.ts';
import { Memberships } from './fan-out-members.ts';
import { GroupRequests } from './fan-out-requests.ts';
import { NonBlocking } from './non-blocking.ts';
import { Notifier } from './notify.ts';
import { retrieveOriginal } from './original.ts';
import { Outgoing } from './outgoing.ts';
import { checkOperation, operationsAt } from './permitted.ts';
import { Polling } from './polling.ts';
import type { Answer, Operation, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { relay } from './relay.ts';
import { addressList, representation } from './representation.ts';
import type { Resource } from './resource.ts';
import { ResourceMaker } from './resource-maker.ts';
import type { ResourceType } from './resource-type.ts';
import { attributesOf, type Shape, shapeOf, show, type View } from './result.ts';
import type { Services } from './services.ts';
import * as status from './status.ts';
import { CseError } from './status.ts';
import { type Removal, Tree } from './tree.ts';
import { update } from './update.ts';

const trusted: Trust = { checked: false };
const untrusted: Trust = { checked: true };

export class Cse {
  readonly configuration: CseConfiguration;
  readonly tree: Tree;
  readonly services: Services;
  readonly #nonBlocking: NonBlocking;
  /** The request by which resources are removed at this moment, and what that sets going at other CSEs. */
  #deleting: { readonly request: RequestPrimitive; readonly announcements: Promise<void>[] } | undefined;
  readonly #kindsByRoot: ReadonlyMap<string, ResourceType>;

  constructor(configuration: CseConfiguration, ports: Ports) {
    this.configuration = configuration;
    this.#kindsByRoot = new Map(configuration.kinds.map((kind) => [kind.root, kind]));
    const maker = new ResourceMaker(configuration, ports);
    this.tree = new Tree(maker.base(this.#kindOf('m2m:cb')));
    this.services = this.#assemble(configuration, ports, maker);
    this.#nonBlocking = new NonBlocking(this.services);
    this.tree.onRemoved = (resource, how) => this.#removed(resource, how);
  }

  #assemble(configuration: CseConfiguration, ports: Ports, maker: ResourceMaker): Services {
    const { tree } = this;
    const polling = new Polling(configuration, ports);
    const parts: { notifier?: Notifier; announcer?: Announcer } = {};
    const services = Object.assign(parts, {
      configuration,
      ports,
      tree,
      maker,
      access: new AccessControl(configuration, ports, tree),
      polling,
      memberships: new Memberships(),
      groupRequests: new GroupRequests(ports),
      outgoing: new Outgoing(configuration, ports, tree, polling),
      request: (request: RequestPrimitive) => this.request(request),
      perform: (request: RequestPrimitive) => this.perform(request),
      kindOf: (root: string) => this.#kindOf(root),
    }) as Services & typeof parts;
    parts.notifier = new Notifier(services);
    parts.announcer = new Announcer(services);
    services.outgoing.toFanOutPoint = services.request;
    return services;
  }

  /** Throws and rejects with defects of ours only: a refusal is an answer too. Answered in the same turn unless somebody else is asked. */
  request(request: RequestPrimitive): Answer {
    return this.#answered(() => this.#nonBlocking.accept(request) ?? this.#dispatch(request, untrusted));
  }

  /** A change by the CSE itself: nobody is asked first, and rights are not looked at. */
  perform(request: RequestPrimitive): ResponsePrimitive {
    const answer = this.#answered(() => this.#dispatch(request, trusted));
    if (answer instanceof Promise) throw new TypeError('what the CSE does by itself asks nobody');
    return answer;
  }

  #answered(work: () => Answer): Answer {
    try {
      const answer = work();
      return answer instanceof Promise ? answer.catch(refused) : answer;
    } catch (error) {
      return refused(error);
    }
  }

  /** The operations that the resource at `to` allows. Throws the CseError of an address that leads nowhere. */
  allowedOperations(to: string): readonly Operation[] {
    this.tree.expire(this.services.ports.clock.now());
    return operationsAt(resolve(to, this.tree, this.configuration));
  }

  #dispatch(request: RequestPrimitive, trust: Trust): Answer {
    this.tree.expire(this.services.ports.clock.now());
    const address = this.#resolve(request);
    checkOperation(request.operation, address);
    const { groupRequestIdentifier } = request;
    if (groupRequestIdentifier !== undefined && trust.settled === undefined) {
      this.services.groupRequests.admit(groupRequestIdentifier, address);
    }
    const { handler, resource } = address;
    if (handler === undefined) return this.#execute(request, address, trust);
    const { services, tree, configuration } = this;
    const context = { services, tree, configuration, request, originator: request.from };
    return handler.virtual.answer(resource, handler.rest, context);
  }

  /** Who asks for the instance of an empty container may be watched (event type 5). */
  #resolve(request: RequestPrimitive): Address {
    try {
      return resolve(request.to, this.tree, this.configuration);
    } catch (error) {
      const container =
        request.operation === 'retrieve' ? emptyHolder(request.to, this.tree, this.configuration) : undefined;
      if (container?.subscriptions !== undefined) this.services.notifier.foundEmpty(container, request);
      throw error;
    }
  }

  #execute(request: RequestPrimitive, address: Address, trust: Trust): Answer {
    const { resource } = address;
    if (request.operation === 'create') return this.#create(request, address, trust);
    if (request.operation === 'update') return this.#update(request, address, trust);
    if (request.operation === 'notify') return relay(request, resource, this.services);
    if (request.filterCriteria?.filterUsage === 1) return this.#discover(request, address, trust);
    const { access } = this.services;
    if (trust.checked && access.required) access.check(request, request.operation, resource);
    const shape = this.#shapeOf(request);
    if (request.operation === 'retrieve') return this.#retrieve(request, address, shape, trust);
    const answer = this.#answer(status.DELETED, resource, shape, address, request);
    const gone = this.#remove(resource, request);
    return gone === undefined ? answer : gone.then(() => answer);
  }

  /** Resolves when what was announced elsewhere has gone too; undefined when nothing was. */
  #remove(resource: Resource, request: RequestPrimitive): Promise<unknown> | undefined {
    const announcements: Promise<void>[] = [];
    this.#deleting = { request, announcements };
    this.tree.remove(resource);
    this.#deleting = undefined;
    return announcements.length === 0 ? undefined : Promise.all(announcements);
  }

  #retrieve(request: RequestPrimitive, address: Address, shape: Shape, trust: Trust): Answer {
    const { resource } = address;
    const { dialect } = this.configuration;
    const below = this.#below(request, resource, shape, trust);
    if (below === undefined) checkCondition(request, resource, dialect);
    if (resource.subscriptions !== undefined) this.services.notifier.retrieved(resource, request);
    resource.type.retrieving?.(resource, this.services);
    if (shape === 'original') return retrieveOriginal(request, resource, this.services);
    const answer = this.#answer(status.OK, resource, shape, address, request, below);
    resource.type.retrieved?.(resource, this.tree);
    return answer;
  }

  /** What a retrieve with filter criteria or limited rights shows of what stands below; undefined: all of it. */
  #below(request: RequestPrimitive, resource: Resource, shape: Shape, trust: Trust): Discovered | undefined {
    const { filterCriteria } = request;
    const { access } = this.services;
    const selects = filterCriteria !== undefined && this.configuration.dialect.criteriaSelectChildren;
    const limited = trust.checked && access.required;
    if (!showsBelow.has(shape) || !(selects || limited)) return undefined;
    const visible = limited ? (one: Resource) => access.allows(request, 'retrieve', one) : undefined;
    const criteria = selects
      ? filterCriteria
      : shape === 'children' || shape === 'attributes and children'
        ? {}
        : { level: 1 };
    return discover(resource, criteria, this.tree, visible);
  }

  #create(request: RequestPrimitive, address: Address, trust: Trust): Answer {
    const shape = this.#shapeOf(request);
    const created = create(request, address.resource, this.services, trust);
    if (isPending(created)) {
      const { draft, asked } = created;
      return asked.then(() => this.#dispatch(request, { ...trust, settled: draft }));
    }
    if (created.parent?.subscriptions !== undefined) this.services.notifier.created(created, request);
    const announced = created.values.at === undefined ? undefined : this.services.announcer.changed(created, []);
    const shown = trust.checked ? this.services.access.limited(request, 'create', created, address.resource) : request;
    if (announced === undefined) return this.#answer(status.CREATED, created, shape, address, shown);
    return announced.then(() => this.#answer(status.CREATED, created, shape, address, shown));
  }

  #update(request: RequestPrimitive, address: Address, trust: Trust): Answer {
    const { resource } = address;
    const shape = this.#shapeOf(request);
    const before = shape === 'modified attributes' ? attributesOf(resource, this.configuration.dialect) : undefined;
    const changed = update(request, resource, this.services, trust);
    if (changed instanceof Promise) {
      return changed.then(() => this.#dispatch(request, { ...trust, settled: resource }));
    }
    const { notifier, announcer } = this.services;
    if (resource.subscriptions !== undefined) notifier.updated(resource, changed, request);
    const concerned = resource.values.at !== undefined || changed.includes('at');
    const announced = concerned ? announcer.changed(resource, changed) : undefined;
    const shown = trust.checked ? this.services.access.limited(request, 'update', resource, resource) : request;
    if (before !== undefined) return this.#modified(resource, before, request);
    if (announced === undefined) return this.#answer(status.UPDATED, resource, shape, address, shown);
    return announced.then(() => this.#answer(status.UPDATED, resource, shape, address, shown));
  }

  /** What an update has changed beyond what it has asked for. */
  #modified(resource: Resource, before: Record<string, unknown>, request: RequestPrimitive): ResponsePrimitive {
    const after = attributesOf(resource, this.configuration.dialect);
    const given = givenNames(request);
    const changed = Object.entries(after).filter(
      ([name, value]) => !given.has(name) && JSON.stringify(value) !== JSON.stringify(before[name]),
    );
    return { status: status.UPDATED, content: { [resource.type.root]: Object.fromEntries(changed) } };
  }

  #discover(request: RequestPrimitive, address: Address, trust: Trust): ResponsePrimitive {
    const { access } = this.services;
    const { dialect } = this.configuration;
    const shape = shapeOf('discover', request.resultContent ?? dialect.discoveryResult, dialect.name);
    const limited = trust.checked && access.required;
    const visible = limited ? (one: Resource) => access.allows(request, 'discover', one) : undefined;
    const found = discover(address.resource, request.filterCriteria ?? {}, this.tree, visible);
    if (shape === 'references' && dialect.name === 'onem2m') {
      return {
        ...this.#answer(status.OK, address.resource, shape, address, request, found),
        ...partial(request, found),
      };
    }
    const identifiers = request.desiredIdentifierResultType === 2;
    const addresses = found.matches.map((resource) => (identifiers ? resource.id : resource.path));
    return { status: status.OK, content: addressList(address.prefix, addresses), ...partial(request, found) };
  }

  #shapeOf({ operation, resultContent }: RequestPrimitive): Shape {
    const { dialect } = this.configuration;
    return shapeOf(operation, resultContent ?? dialect.resultContent[operation], dialect.name);
  }

  #answer(
    code: status.ResponseStatus,
    resource: Resource,
    shape: Shape,
    { prefix }: Address,
    request: RequestPrimitive,
    below?: Discovered,
  ): ResponsePrimitive {
    const contentLocation = prefix + resource.path;
    if (shape === 'attributes' && request.attributeList === undefined) {
      return { status: code, content: representation(resource, this.configuration.dialect), contentLocation };
    }
    return { status: code, content: show(resource, shape, this.#view(prefix, shape, request, below)), contentLocation };
  }

  #view(prefix: string, shape: Shape, request: RequestPrimitive, below: Discovered | undefined): View {
    const { dialect, cseId } = this.configuration;
    const { desiredIdentifierResultType, attributeList } = request;
    return {
      dialect,
      prefix,
      referenceTo: ({ id, path }) => {
        if (dialect.name === 'documented') return prefix + id;
        return `/${cseId}/${desiredIdentifierResultType === 2 ? id : path}`;
      },
      ...(attributeList !== undefined && { attributes: attributeList }),
      ...(below !== undefined && { below: below.matches }),
      ...(shape === 'modified attributes' && { given: givenNames(request) }),
    };
  }

  #removed(resource: Resource, how: Removal): void {
    const { services } = this;
    resource.type.removed?.(resource, services);
    for (const group of services.memberships.removed(resource)) {
      group.modified = services.maker.tick();
      if (group.subscriptions !== undefined) services.notifier.updated(group, ['mid', 'cnm'], undefined);
    }
    if (how !== 'to make room') services.notifier.removed(resource, how, this.#deleting?.request);
    if (resource.values.at === undefined) return;
    const announcement = services.announcer.removed(resource);
    this.#deleting?.announcements.push(announcement);
  }

  readonly #kindOf = (root: string): ResourceType => {
    const type = this.#kindsByRoot.get(root);
    if (type !== undefined) return type;
    throw new CseError(status.BAD_REQUEST, `${JSON.stringify(root)} is not the root key of a known kind.`);
  };
}

/** The shapes that show what stands below a resource. */
const showsBelow: ReadonlySet<Shape> = new Set<Shape>([
  ...(['attributes and children', 'attributes and references', 'references', 'children'] as const),
]);

function partial(
  { filterCriteria }: RequestPrimitive,
  { matches, more }: Discovered,
): Pick<ResponsePrimitive, 'partial'> {
  return more ? { partial: { nextOffset: (filterCriteria?.offset ?? 1) + matches.length } } : {};
}

function givenNames({ content }: RequestPrimitive): ReadonlySet<string> {
  const [given] = Object.values((content ?? {}) as Record<string, object>);
  return new Set(Object.keys(given ?? {}));
}

/**
 * Filter criteria without fu=1 are a condition on the resource itself (TS-0001, clause 8.1.2). Where criteria may also say which
 * children are meant, the kind is no condition unless fu=2 says that it is.
 */
function checkCondition({ filterCriteria }: RequestPrimitive, resource: Resource, dialect: Dialect): void {
  if (filterCriteria === undefined) return;
  const { resourceTypes: _kinds, ...others } = filterCriteria;
  const lenient = dialect.criteriaSelectChildren && filterCriteria.filterUsage === undefined;
  if (meetsCriteria(resource, lenient ? others : filterCriteria)) return;
  throw new CseError(
    status.NOT_FOUND,
    'The resource does not meet the filter criteria; add fu=1 to discover what is below it.',
  );
}

function refused(error: unknown): ResponsePrimitive {
  if (!(error instanceof CseError)) throw error;
  return {
    status: error.status,
    content: { 'm2m:dbg': error.message },
    http: error.http,
    ...(error.allow !== undefined && { allow: error.allow }),
  };
}
