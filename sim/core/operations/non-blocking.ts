/** Non-blocking requests (TS-0001, clause 8.2.1), and deferred ones. */

import { localResource } from '../address.ts';
import { checkCapacity, checkMaximum } from '../limits.ts';
import { microsecondsPerMillisecond, microsecondsPerSecond, operationNumbers } from '../numbers.ts';
import type { Answer, RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import { typeByRoot } from '../requested-type.ts';
import { Resource } from '../resource.ts';
import { CseError, statuses, unlessRefused } from '../status.ts';
import type { CseServices } from './cse-services.ts';

/** `requestStatus` of TS-0004. */
const completed = 1;
const failed = 2;
const pending = 3;

const nonBlockingSynch = 1;
const nonBlockingAsynch = 2;
const noResponse = 5;

export class NonBlocking {
  readonly #services: CseServices;
  /** Number of requests that wait for their execution time. */
  #deferred = 0;

  constructor(services: CseServices) {
    this.#services = services;
  }

  /** Takes a request with `rt` 1, 2 or 5, or a deferred one; undefined for one to be answered now. */
  accept(request: RequestPrimitive): Answer | undefined {
    const { responseType, requestExpiration, resultExpiration, operationExecutionTime } = request;
    if (requestExpiration !== undefined && Math.max(this.#now, operationExecutionTime ?? 0) >= requestExpiration) {
      throw new CseError('REQUEST_TIMEOUT', 'The request expires before it can be executed (RET).');
    }
    if (resultExpiration !== undefined) this.#checkResultExpiration(resultExpiration, requestExpiration);
    if (operationExecutionTime !== undefined) this.#checkDeferred(operationExecutionTime);
    if (responseType === nonBlockingSynch || responseType === nonBlockingAsynch) return this.#register(request);
    if (responseType === noResponse) {
      this.#schedule(request, () => {});
      return { status: statuses.OK, silent: true };
    }
    if (operationExecutionTime === undefined || operationExecutionTime <= this.#now) return undefined;
    return new Promise((resolve) => this.#schedule(request, resolve));
  }

  get #now(): number {
    return this.#services.ports.clock.now();
  }

  #checkDeferred(time: number): void {
    const { limits } = this.#services.configuration;
    const seconds = (time - this.#now) / microsecondsPerSecond;
    if (seconds <= 0) return;
    checkMaximum(seconds, 'heldSeconds', limits, 'Seconds until a request is executed (OET)');
    checkCapacity(this.#deferred, 'heldRequests', limits, 'deferred requests');
  }

  /** The result expiration covers the whole exchange, so the request cannot expire after it (TS-0001, clause 8.1.2). */
  #checkResultExpiration(resultExpiration: number, requestExpiration = 0): void {
    if (resultExpiration <= this.#now) throw new CseError('REQUEST_TIMEOUT', 'The result has expired already (RST).');
    if (requestExpiration <= resultExpiration) return;
    throw new CseError('BAD_REQUEST', 'The result would expire before the request (RST before RET).');
  }

  /** Creates a `request` resource that shows the progress of the request, and at the end its result. */
  #register(request: RequestPrimitive): ResponsePrimitive {
    const { tree, configuration } = this.#services;
    // Its own progress can be requested in blocking mode only (TS-0004, clause 7.4.12.2).
    if (localResource(request.to, tree, configuration)?.type.root === 'm2m:req') {
      throw new CseError('BAD_REQUEST', 'A request for an m2m:req must be a blocking one (rt=3).');
    }
    checkCapacity(tree.base.descendants, 'resources', configuration.limits, 'resources');
    const resource = this.#requestResource(request);
    tree.add(resource);
    this.#schedule(request, (response) => this.#complete(request, resource, response));
    const synchronous = request.responseType === nonBlockingSynch;
    const status = synchronous ? statuses.ACCEPTED_FOR_NON_BLOCKING_SYNCH : statuses.ACCEPTED_FOR_NON_BLOCKING_ASYNCH;
    return { status, content: { 'm2m:uri': resource.id } };
  }

  #requestResource(request: RequestPrimitive): Resource {
    const { maker, tree, ports, configuration } = this.#services;
    const type = typeByRoot('m2m:req', configuration);
    const created = maker.tick();
    const name = `${type.longName}-${ports.randomText(16)}`;
    const id =
      configuration.dialect.identifiers === 'counted' ? `req${maker.nextNumber('req')}` : `req${ports.randomText(10)}`;
    const { requestExpiration, resultExpiration, resultPersistence, from } = request;
    const kept = created + (resultPersistence ?? configuration.limits.requestLifetime * microsecondsPerSecond);
    const expires = Math.min(kept, resultExpiration ?? requestExpiration ?? Number.POSITIVE_INFINITY);
    const resource = new Resource({
      ...{ type, id, name, parent: tree.base, created, expires },
      values: {
        op: operationNumbers[request.operation],
        tg: request.to,
        ...(from && { org: from }),
        rid: request.requestIdentifier ?? '',
        mi: this.#metaInformation(request),
        rs: pending,
        ors: { rsc: statuses.ACCEPTED.code, rqi: request.requestIdentifier ?? '' },
        ...(request.content !== undefined && { pc: JSON.parse(JSON.stringify(request.content)) }),
      },
    });
    resource.creator = from;
    if (from) resource.labels = [from];
    return resource;
  }

  #metaInformation(request: RequestPrimitive): Resource['values'] {
    const { dialect, releases } = this.#services.configuration;
    const time = (moment: number | undefined) => dialect.write('timestamp', moment) as string;
    const { eventCategory, vendorInformation, resultContent, resourceType, resultPersistence } = request;
    return {
      rt: {
        rtv: request.responseType ?? nonBlockingSynch,
        ...(request.notificationTargets && { nu: request.notificationTargets }),
      },
      rvi: request.releaseVersionIndicator ?? releases.at(-1) ?? '3',
      ...(request.originatingTimestamp !== undefined && { ot: request.originatingTimestamp }),
      ...(request.requestExpiration !== undefined && { rqet: time(request.requestExpiration) }),
      ...(request.resultExpiration !== undefined && { rset: time(request.resultExpiration) }),
      ...(request.operationExecutionTime !== undefined && { oet: time(request.operationExecutionTime) }),
      ...(resultPersistence !== undefined && { rp: `PT${resultPersistence / microsecondsPerSecond}S` }),
      ...(resultContent !== undefined && { rcn: resultContent }),
      ...(resourceType !== undefined && { ty: resourceType }),
      ...(eventCategory !== undefined && { ec: eventCategory }),
      ...(vendorInformation !== undefined && { vsi: vendorInformation }),
    };
  }

  /** Executes the request as a blocking one at its execution time, never in the turn of its acceptance. */
  #schedule(request: RequestPrimitive, done: (response: ResponsePrimitive) => void): void {
    const { responseType: _later, operationExecutionTime = 0, ...others } = request;
    const { ports } = this.#services;
    const work = async () => {
      try {
        done(await this.#services.request(others));
      } catch (error) {
        ports.onError(error);
      }
    };
    const microseconds = operationExecutionTime - this.#now;
    if (microseconds <= 0) {
      queueMicrotask(work);
      return;
    }
    this.#deferred++;
    ports.clock.schedule(microseconds / microsecondsPerMillisecond, () => {
      this.#deferred--;
      return work();
    });
  }

  #complete(request: RequestPrimitive, resource: Resource, response: ResponsePrimitive): void {
    const { tree, notifier, outgoing } = this.#services;
    const result = this.#resultOf(request, response);
    if (tree.holds(resource)) {
      resource.values = { ...resource.values, rs: response.status.http < 300 ? completed : failed, ors: result };
      outgoing.causedBy(request.trace, () => notifier.changedByCse(resource, ['rs', 'ors']));
    }
    if (request.responseType === nonBlockingAsynch) void this.#report(request, result);
  }

  /** `operationResult` of TS-0004, clause 6.5.34. */
  #resultOf(request: RequestPrimitive, { status, content }: ResponsePrimitive): Resource['values'] {
    const { requestIdentifier = '', from, vendorInformation } = request;
    return {
      rsc: status.code,
      rqi: requestIdentifier,
      ...(from && { to: from }),
      fr: this.#services.outgoing.originator,
      ...(content !== undefined && { pc: content }),
      ...(vendorInformation !== undefined && { vsi: vendorInformation }),
    } as Resource['values'];
  }

  /** Notifies the targets that the request names, else the originator. Unreachable ones find the result in the resource. */
  async #report(
    { notificationTargets, from, releaseVersionIndicator, trace }: RequestPrimitive,
    result: Resource['values'],
  ): Promise<void> {
    const { outgoing, ports, configuration } = this.#services;
    const rvi = releaseVersionIndicator ?? configuration.releases.at(-1) ?? '3';
    for (const target of notificationTargets ?? (from ? [from] : [])) {
      const content = { 'm2m:rsp': { ...result, rvi } };
      const cause = trace && { trace };
      const report = outgoing.ownRequest({ operation: 'notify', releaseVersionIndicator: rvi, content, ...cause });
      await unlessRefused(outgoing.send(target, report), ports);
    }
  }
}
