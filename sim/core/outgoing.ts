/** From what a request calls its receiver to where that is reached. */

import { canonical } from './access/access-originator.ts';
import { isRemote, localResource } from './local-resource.ts';
import { applicationEntityType, pollingChannelType } from './numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, TARGET_NOT_REACHABLE } from './status.ts';

/** Where something is to be sent. */
export type Destination =
  /** The first of the URLs that answers; `to` is the address to be asked for there, '' when the URL says all. */
  | {
      readonly kind: 'urls';
      readonly urls: readonly string[];
      readonly to: string;
      readonly release?: string;
      readonly serialization?: 'cbor';
    }
  /** An AE that fetches what is for it from its polling channel. */
  | { readonly kind: 'polling channel'; readonly channel: Resource }
  /** A resource of this CSE. */
  | { readonly kind: 'here'; readonly to: string }
  | { readonly kind: 'nowhere'; readonly reason: string };

export class Outgoing {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** The originator of what this CSE itself sends. */
  get originator(): string {
    const { ownOriginator, cseId, spId, dialect } = this.#services.configuration;
    return ownOriginator ?? (dialect.name === 'documented' ? `//${spId}/${cseId}` : `/${cseId}`);
  }

  /** A request of this CSE itself: it has its originator, an identifier and the latest release, unless it says otherwise. */
  ownRequest<T extends Omit<RequestPrimitive, 'to'>>(
    request: T,
  ): T & Required<Pick<RequestPrimitive, 'from' | 'requestIdentifier' | 'releaseVersionIndicator'>> {
    return {
      from: this.originator,
      requestIdentifier: this.#services.ports.randomText(16),
      releaseVersionIndicator: this.#services.configuration.releases.at(-1) ?? '3',
      ...request,
    };
  }

  /** Sends to a URL, an AE or another CSE. Rejects with a CseError (TARGET_NOT_REACHABLE) only. */
  async send(target: string, request: Omit<RequestPrimitive, 'to'>): Promise<ResponsePrimitive> {
    const destination = this.destinationOf(target);
    if (destination.kind === 'polling channel')
      return this.#services.polling.deliver(destination.channel, { ...request, to: target });
    if (destination.kind === 'urls') {
      const { urls, to, release, serialization } = destination;
      return this.#sendToFirst(urls, {
        ...request,
        to,
        ...(release !== undefined && { releaseVersionIndicator: release }),
        ...(serialization !== undefined && { serialization }),
      });
    }
    // Fan-out points are the only resources here to which something is sent: they gather notifications.
    if (destination.kind === 'here' && destination.to.endsWith('/fopt')) {
      return this.#services.request({ ...request, to: destination.to });
    }
    const reason = destination.kind === 'nowhere' ? destination.reason : `${target} does not receive requests`;
    throw new CseError(TARGET_NOT_REACHABLE, `${target} cannot be reached: ${reason}.`);
  }

  /** `target` is a URL, an AE-ID or CSE-ID, or the address of a resource, in any of its forms. */
  destinationOf(target: string): Destination {
    if (/^https?:\/\//i.test(target)) return { kind: 'urls', urls: [this.#addressIn(target)], to: '' };
    const { tree, configuration } = this.#services;
    if (isRemote(target, configuration)) return this.#elsewhere(target);
    const ae = localResource(target, tree, configuration);
    if (ae?.type.ty !== applicationEntityType) return { kind: 'here', to: canonical(target, configuration) };
    const channel = [...(ae.children?.values() ?? [])].find(({ type }) => type.ty === pollingChannelType);
    const urls = (ae.values.poa as readonly string[] | undefined) ?? [];
    const [release] = ((ae.values.srv as readonly string[] | undefined) ?? []).slice(-1);
    const spoken = { ...(release !== undefined && { release }), ...writtenFor(ae.values.csz) };
    if (urls.length > 0 && ae.values.rr !== false) return { kind: 'urls', urls, to: '', ...spoken };
    if (channel !== undefined) return { kind: 'polling channel', channel };
    // The standard's `rr` says whether requests reach the AE (TS-0001, clause 9.6.5); deployed applications set it as they like.
    const tried = urls.length > 0 && configuration.dialect.name === 'documented';
    return tried
      ? { kind: 'urls', urls, to: '', ...spoken }
      : { kind: 'nowhere', reason: 'the AE has neither a point of access where it is reachable nor a polling channel' };
  }

  /** The URL without `ct=json`, which says how to write to it, and as which everything is written (TS-0004, clause 7.5.1.2.2). */
  #addressIn(url: string): string {
    if (this.#services.configuration.dialect.name === 'documented') return url;
    return url.replace(/([?&])ct=json(&|$)/, (_all, before: string, after: string) => (after === '' ? '' : before));
  }

  #elsewhere(target: string): Destination {
    const { spId } = this.#services.configuration;
    const [, ofSp, inSp, relative] = /^(?:\/\/([^/]+)\/([^/]+)|\/([^/]+))/.exec(target) ?? [];
    if (ofSp !== undefined && ofSp !== spId)
      return { kind: 'nowhere', reason: `the service provider ${ofSp} is unknown` };
    const remote = this.#services.tree.byAlias(`/${inSp ?? relative}`);
    const urls = (remote?.values.poa as readonly string[] | undefined) ?? [];
    if (remote === undefined) return { kind: 'nowhere', reason: `no CSE is registered as /${inSp ?? relative}` };
    return urls.length === 0
      ? { kind: 'nowhere', reason: 'the CSE has no point of access' }
      : { kind: 'urls', urls, to: target };
  }

  async #sendToFirst(urls: readonly string[], request: RequestPrimitive): Promise<ResponsePrimitive> {
    const reasons: string[] = [];
    for (const url of urls) {
      try {
        return await this.#services.ports.messenger.send(url, request);
      } catch (error) {
        if (!(error instanceof CseError)) throw error;
        reasons.push(error.message);
      }
    }
    throw new CseError(TARGET_NOT_REACHABLE, [...new Set(reasons)].join(' '));
  }
}

/** By `contentSerialization`: CBOR for who takes that and no JSON (TS-0001, table 9.6.5-1). */
function writtenFor(csz: unknown): { readonly serialization?: 'cbor' } {
  const types = Array.isArray(csz) ? csz.join() : '';
  return types.includes('cbor') && !types.includes('json') ? { serialization: 'cbor' } : {};
}
