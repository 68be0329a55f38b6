/** Routes requests of this CSE to their receivers. */

import { isRemote, localResource } from './address.ts';
import { applicationEntityType, pollingChannelType } from './numbers.ts';
import { canonical, isUrl } from './originator.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError } from './status.ts';
import type { Trace } from './trace-context.ts';

type OutgoingServices = Pick<Services, 'configuration' | 'ports' | 'tree' | 'polling' | 'request'>;

export class Outgoing {
  readonly #services: OutgoingServices;
  /** Trace of the request handled in this turn; undefined without one. */
  #cause: Trace | undefined;

  constructor(services: OutgoingServices) {
    this.#services = services;
  }

  /** The originator of this CSE's own requests. */
  get originator(): string {
    const { ownOriginator, cseId, spId, dialect } = this.#services.configuration;
    return ownOriginator ?? (dialect.name === 'documented' ? `//${spId}/${cseId}` : `/${cseId}`);
  }

  get cause(): Trace | undefined {
    return this.#cause;
  }

  /** Does the work of one turn; what this CSE sends in it has that cause. */
  causedBy<Result>(cause: Trace | undefined, work: () => Result): Result {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return work();
    } finally {
      this.#cause = before;
    }
  }

  /** A request of this CSE itself; originator, identifier, release (the latest) and trace (of this turn's cause) are filled in. */
  ownRequest<T extends Omit<RequestPrimitive, 'to'>>(
    request: T,
  ): T & Required<Pick<RequestPrimitive, 'from' | 'requestIdentifier' | 'releaseVersionIndicator'>> {
    return {
      from: this.originator,
      requestIdentifier: this.#services.ports.randomText(16),
      releaseVersionIndicator: this.#services.configuration.releases.at(-1) ?? '3',
      ...(this.#cause && { trace: this.#cause }),
      ...request,
    };
  }

  /** Sends to a URL, an AE or another CSE. Rejects with a CseError (TARGET_NOT_REACHABLE) only. */
  async send(target: string, request: Omit<RequestPrimitive, 'to'>): Promise<ResponsePrimitive> {
    const { configuration, polling } = this.#services;
    if (isUrl(target)) return this.#sendToFirst([this.#addressIn(target)], { ...request, to: '' });
    if (isRemote(target, configuration)) {
      return this.#sendToFirst(this.#pointsOfCse(target), { ...request, to: target });
    }
    const ae = this.#aeAt(target);
    if (ae === undefined) {
      // Fan-out points are the only local resources that receive requests: they gather notifications.
      const to = canonical(target, configuration);
      if (to.endsWith('/fopt')) return this.#services.request({ ...request, to });
      throw unreachable(target, `${target} does not receive requests`);
    }
    const channel = this.#channelOf(ae);
    if (channel !== undefined) return polling.deliver(channel, { ...request, to: target });
    const receiver = receiverOf(ae, configuration.cseId);
    // By the standard, `rr` says whether requests reach the AE (TS-0001, clause 9.6.5); deployed applications set it at will.
    const urls = this.#isReachable(ae) || configuration.dialect.name === 'documented' ? this.#pointsOfAe(ae) : [];
    if (urls.length > 0) {
      return this.#sendToFirst(urls, { ...request, to: '', receiver, ...preferencesOf(ae) });
    }
    throw unreachable(target, 'the AE has neither a point of access where it is reachable nor a polling channel');
  }

  /** True for an AE that fetches its requests from a polling channel. */
  isPolled(target: string): boolean {
    const ae = isUrl(target) ? undefined : this.#aeAt(target);
    return ae !== undefined && this.#channelOf(ae) !== undefined;
  }

  /** `target` is an AE-ID, or the address of the AE, in any of its forms. */
  #aeAt(target: string): Resource | undefined {
    const resource = localResource(target, this.#services.tree, this.#services.configuration);
    return resource?.type.ty === applicationEntityType ? resource : undefined;
  }

  #isReachable(ae: Resource): boolean {
    return ae.values.rr !== false && this.#pointsOfAe(ae).length > 0;
  }

  /** Its points of access; without any, the connection that it has opened (TS-0020, clause 6.4). */
  #pointsOfAe(ae: Resource): readonly string[] {
    const points = pointsOf(ae);
    const { configuration, ports } = this.#services;
    if (points.length > 0 || ae.values.rr === false) return points;
    return [ports.messenger.connectionOf?.(receiverOf(ae, configuration.cseId)) ?? []].flat();
  }

  /** The polling channel of an AE that cannot be reached. */
  #channelOf(ae: Resource): Resource | undefined {
    if (this.#isReachable(ae)) return undefined;
    return [...(ae.children?.values() ?? [])].find(({ type }) => type.ty === pollingChannelType);
  }

  /** The URL without `ct=json`, which only selects the serialization used anyway (TS-0004, clause 7.5.1.2.2). */
  #addressIn(url: string): string {
    if (this.#services.configuration.dialect.name === 'documented') return url;
    return url.replace(/([?&])ct=json(&|$)/, (_all, before: string, after: string) => (after === '' ? '' : before));
  }

  #pointsOfCse(target: string): readonly string[] {
    const [, first, second] = canonical(target, this.#services.configuration).split('/');
    if (first === '') throw unreachable(target, `the service provider ${second} is unknown`);
    const remote = this.#services.tree.byAlias(`/${first}`);
    if (remote === undefined) throw unreachable(target, `no CSE is registered as /${first}`);
    const points = pointsOf(remote);
    const connection = points.length > 0 ? undefined : this.#services.ports.messenger.connectionOf?.(`/${first}`);
    const all = connection === undefined ? points : [connection];
    if (all.length === 0) throw unreachable(target, 'the CSE has no point of access');
    return all;
  }

  async #sendToFirst(urls: readonly string[], request: RequestPrimitive): Promise<ResponsePrimitive> {
    const reasons: string[] = [];
    const { messenger, childTrace } = this.#services.ports;
    for (const url of urls) {
      try {
        const { trace } = request;
        return await messenger.send(url, trace ? { ...request, trace: childTrace(trace) } : request);
      } catch (error) {
        if (!(error instanceof CseError)) throw error;
        reasons.push(error.message);
      }
    }
    throw new CseError('TARGET_NOT_REACHABLE', [...new Set(reasons)].join(' '));
  }
}

const unreachable = (target: string, reason: string) =>
  new CseError('TARGET_NOT_REACHABLE', `${target} cannot be reached: ${reason}.`);

const pointsOf = ({ values }: Resource) => (values.poa as readonly string[] | undefined) ?? [];

/** The AE's identifier for other entities (TS-0001, clause 7.2). */
function receiverOf({ values: { aei } }: Resource, cseId: string): string {
  const identifier = String(aei);
  return /^[S/]/.test(identifier) ? identifier : `/${cseId}/${identifier}`;
}

/** The latest release that the AE supports, and CBOR where it accepts no JSON (TS-0001, table 9.6.5-1). */
function preferencesOf({ values: { srv, csz } }: Resource): Partial<RequestPrimitive> {
  const release = Array.isArray(srv) ? srv.at(-1) : undefined;
  const types = Array.isArray(csz) ? csz.join() : '';
  return {
    ...(release !== undefined && { releaseVersionIndicator: release }),
    ...(types.includes('cbor') && !types.includes('json') && { serialization: 'cbor' }),
  };
}
