/** The CSE: one function from a request primitive to a response primitive. Read `#execute` from top to bottom. */
import { checkOperation, checkVirtual, emptyHolder, operationsAt, type ResolvedAddress, resolve } from '../address.ts';
import type { CseConfiguration, Ports } from '../configuration.ts';
import { leaveGroups } from '../memberships.ts';
import { pendingUpdate } from '../notifications/notification-blocking.ts';
import { applicationEntityType, cseBaseType } from '../numbers.ts';
import type { Answer, Operation, RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import { typeByRoot } from '../requested-type.ts';
import { attributesOf, type Resource } from '../resource.ts';
import { ResourceMaker } from '../resource-maker.ts';
import { CseError, type ResponseStatus, statuses } from '../status.ts';
import { type RemovalReason, Tree } from '../tree.ts';
import { rootOf } from '../validate.ts';
import { create, type PriorChecks } from './create.ts';
import { assemble, type CseServices } from './cse-services.ts';
import { NonBlocking } from './non-blocking.ts';
import { answerWith, modifiedBy, refusalBy, type Shape, shapeOf } from './result.ts';
import { checkCondition, discoverBelow, retrieve, showsBelow } from './retrieve.ts';
import { update } from './update.ts';

const trusted: PriorChecks = { checked: false };
const untrusted: PriorChecks = { checked: true };

export class Cse {
  readonly configuration: CseConfiguration;
  readonly tree: Tree;
  readonly services: CseServices;
  readonly #nonBlocking: NonBlocking;
  /** The request that is removing resources at this moment, and the announcements it removes at other CSEs. */
  #deleting: { readonly request: RequestPrimitive; readonly announcements: Promise<void>[] } | undefined;

  constructor(configuration: CseConfiguration, ports: Ports) {
    this.configuration = configuration;
    const maker = new ResourceMaker(configuration, ports);
    this.tree = new Tree(maker.base(typeByRoot('m2m:cb', configuration)));
    this.services = assemble({
      ...{ configuration, ports, tree: this.tree, maker },
      request: this.request.bind(this),
      perform: this.perform.bind(this),
    });
    this.#nonBlocking = new NonBlocking(this.services);
    this.tree.onRemoved = this.#removed.bind(this);
  }

  /** Throws and rejects for internal errors only: a refusal is an answer. Synchronous unless another entity must be asked. */
  request(request: RequestPrimitive): Answer {
    return this.#answered(() => this.#nonBlocking.accept(request) ?? this.#dispatch(request, untrusted));
  }

  /** A change by the CSE itself: without approvals or checks of rights. */
  perform(request: RequestPrimitive): ResponsePrimitive {
    const answer = this.#answered(() => this.#dispatch(request, trusted));
    if (answer instanceof Promise) throw new TypeError('an action of the CSE itself needs no approval');
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

  /** The operations that the resource at `to` allows. Throws a CseError for an address that leads nowhere. */
  allowedOperations(to: string): readonly Operation[] {
    this.tree.expire(this.services.ports.clock.now());
    return operationsAt(resolve(to, this.tree, this.configuration));
  }

  /** What this turn sends is traced to the request, or to the one that caused it. */
  #dispatch(request: RequestPrimitive, trust: PriorChecks): Answer {
    const { trace } = request;
    if (trace === undefined) return this.#perform(request, trust);
    return this.services.outgoing.causedBy(trace, () => this.#perform(request, trust));
  }

  #perform(request: RequestPrimitive, trust: PriorChecks): Answer {
    this.tree.expire(this.services.ports.clock.now());
    const address = this.#resolve(request, trust);
    checkOperation(request.operation, address);
    const { groupRequestIdentifier } = request;
    if (groupRequestIdentifier !== undefined && trust.settled === undefined) {
      this.services.groupRequests.admit(groupRequestIdentifier, address);
    }
    const { handler, resource } = address;
    if (handler === undefined) return this.#execute(request, address, trust);
    return handler.virtual.answer(resource, handler.rest, this.services, request);
  }

  #resolve(request: RequestPrimitive, trust: PriorChecks): ResolvedAddress {
    try {
      return resolve(request.to, this.tree, this.configuration);
    } catch (error) {
      const container = emptyHolder(request.to, this.tree, this.configuration);
      if (container === undefined) throw error;
      // Only an originator that might see an instance learns that there is none; a subscription may watch for it (event type 5).
      const { access, notifier } = this.services;
      checkVirtual(request.operation);
      if (trust.checked) access.check(request, request.operation, container);
      const isWatched = request.operation === 'retrieve' && container.subscriptions !== undefined;
      if (isWatched) notifier.foundEmpty(container, request);
      throw error;
    }
  }

  #execute(request: RequestPrimitive, address: ResolvedAddress, trust: PriorChecks): Answer {
    const { resource } = address;
    const { operation } = request;
    if (operation === 'create' || operation === 'update') return this.#change(operation, request, address, trust);
    if (operation === 'notify') return receiveNotification(request, resource, this.services);
    if (request.filterCriteria?.filterUsage === 1) return discoverBelow(request, address, this.services, trust);
    const { access } = this.services;
    if (trust.checked) access.check(request, operation, resource);
    const shape = this.#shapeOf(request);
    if (operation === 'retrieve') return retrieve(request, address, shape, this.services, trust);
    return this.#delete(request, address, shape, trust);
  }

  /** Resolves when its announcements are removed too; undefined when there are none. */
  #remove(resource: Resource, request: RequestPrimitive): Promise<unknown> | undefined {
    const announcements: Promise<void>[] = [];
    this.#deleting = { request, announcements };
    this.tree.remove(resource);
    this.#deleting = undefined;
    return announcements.length === 0 ? undefined : Promise.all(announcements);
  }

  /** The CSE's own deletions wait for nothing. */
  #delete(request: RequestPrimitive, address: ResolvedAddress, shape: Shape, trust: PriorChecks): Answer {
    const { resource } = address;
    // Filter criteria are a condition, as for a retrieve or an update (TS-0004, clause 7.3.3.1).
    if (!showsBelow.has(shape)) checkCondition(request, resource, this.configuration.dialect);
    resource.type.removing?.(resource, this.services, request);
    if (trust.checked && trust.settled === undefined) {
      const updated = pendingUpdate(resource);
      if (updated !== undefined) return updated.then(() => this.#dispatch(request, { ...trust, settled: resource }));
    }
    const answer = this.#answer(statuses.DELETED, resource, shape, address, request);
    const gone = this.#remove(resource, request);
    return after(trust.checked ? gone : undefined, () => answer);
  }

  /** A create or an update: committed, notified to subscribers, announced, and then answered. */
  #change(
    operation: 'create' | 'update',
    request: RequestPrimitive,
    address: ResolvedAddress,
    trust: PriorChecks,
  ): Answer {
    const { resource: target } = address;
    const { notifier, announcer, access } = this.services;
    const { dialect } = this.configuration;
    const shape = this.#shapeOf(request);
    if (operation === 'update') checkCondition(request, target, dialect);
    const isCompared = operation === 'update' && shape === 'modified attributes';
    const before = isCompared ? attributesOf(target, dialect) : undefined;
    const done = (operation === 'create' ? create : update)(request, target, this.services, trust);
    if (done instanceof Promise) return done.then((settled) => this.#dispatch(request, { ...trust, settled }));
    const { resource, changed } = done;
    if (operation === 'create') notifier.created(resource, request);
    else notifier.updated(resource, changed, request);
    const isAnnounced = resource.values.at !== undefined || changed.includes('at');
    const announced = isAnnounced ? announcer.changed(resource, changed) : undefined;
    if (before !== undefined) return modifiedBy(request, resource, before, dialect);
    const limited = trust.checked ? access.limited(request, operation, resource, target) : request;
    const status = operation === 'create' ? statuses.CREATED : statuses.UPDATED;
    return after(announced, () => this.#answer(status, resource, shape, address, limited));
  }

  #shapeOf({ operation, resultContent }: RequestPrimitive): Shape {
    const { dialect } = this.configuration;
    return shapeOf(operation, resultContent ?? dialect.resultContent[operation], dialect.name);
  }

  #answer(
    code: ResponseStatus,
    resource: Resource,
    shape: Shape,
    { prefix }: ResolvedAddress,
    request: RequestPrimitive,
  ): ResponsePrimitive {
    return answerWith(code, { resource, shape, prefix, request, dialect: this.configuration.dialect });
  }

  #removed(resource: Resource, how: RemovalReason): void {
    const { services } = this;
    const pending = resource.type.removed?.(resource, services);
    if (pending !== undefined) this.#deleting?.announcements.push(pending);
    for (const group of leaveGroups(resource)) services.notifier.changedByCse(group, ['mid', 'cnm']);
    if (how !== 'to make room') services.notifier.removed(resource, how, this.#deleting?.request);
    if (resource.values.at === undefined) return;
    const gone = services.announcer.removed(resource);
    this.#deleting?.announcements.push(gone);
  }
}

/** At once without work to wait for. */
const after = (work: Promise<unknown> | undefined, answer: () => ResponsePrimitive): Answer =>
  work === undefined ? answer() : work.then(answer);

function refused(error: unknown): ResponsePrimitive {
  if (error instanceof CseError) return refusalBy(error);
  throw error;
}

/** A notification to this CSE is accepted, one to an AE forwarded (TS-0004, clause 7.3.3.9). */
function receiveNotification(request: RequestPrimitive, resource: Resource, services: CseServices): Answer {
  const { outgoing, access, configuration } = services;
  if (resource.type.ty === cseBaseType && configuration.dialect.name === 'onem2m') {
    access.check(request, 'notify', resource);
    const [root, notification] = rootOf(request.content);
    if (root !== 'm2m:sgn' || typeof notification.sur === 'string') return { status: statuses.OK };
    throw new CseError('BAD_REQUEST', 'A notification must name its subscription (sur; TS-0004, clause 6.3.5.13).');
  }
  if (resource.type.ty !== applicationEntityType) {
    throw new CseError('OPERATION_NOT_ALLOWED', 'Only an AE receives notifications.', {
      allow: resource.type.operations,
    });
  }
  access.check(request, 'notify', resource);
  return outgoing.send(String(resource.values.aei), request);
}
