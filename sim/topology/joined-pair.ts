/** A gateway and a backend without a socket between them: each receives the other's requests in the same turn. */

import { type AssembledCse, assembleCse } from '../cse/assemble-cse.ts';
import type { CseOptions, ReferenceCse } from '../cse/create-cse.ts';
import { inLowerCase } from '../dialects/body.ts';
import type { HttpService } from '../dialects/http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import '../deviations/index.ts';
import { Outbound } from '../instruments/instruments.ts';
import { installationOf } from './installation.ts';
import { Registration } from './registration.ts';

interface JoinedPairOptions {
  /** Of both CSEs. */
  readonly clock: Scheduler;
  /** `mn-cse-1` unless given. */
  readonly gateway?: CseOptions;
  /** `in-cse-1` unless given. */
  readonly backend?: CseOptions;
  /** Seconds between two renewals of the registration. */
  readonly interval: number;
  /** Seconds that a registration lives beyond the interval. */
  readonly offset: number;
  /** Sends to other targets; none is reachable unless given. */
  readonly others?: Sender;
}

/** The URLs of a joined pair; nobody listens there. */
export const joinedUrls = { gateway: 'http://gateway.in-process', backend: 'http://backend.in-process' } as const;

/** Resolves when the gateway has tried to register; it keeps trying by itself. */
export async function joinPair(options: JoinedPairOptions): Promise<Record<'gateway' | 'backend', ReferenceCse>> {
  const { clock, interval, offset, others = nobody } = options;
  const outbound = new Outbound();
  const sender = outbound.wrapSender(others);
  const assembled = (cse: CseOptions, url: string): AssembledCse => {
    const made = createSendingCse({ pointOfAccess: [url], ...cse, clock }, sender);
    outbound.receive(url, (request) => deliver(made.http, url, request));
    return made;
  };
  const backend = assembled({ cseId: 'in-cse-1', cseType: 'IN-CSE', ...options.backend }, joinedUrls.backend);
  const gateway = assembled({ cseId: 'mn-cse-1', cseType: 'MN-CSE', ...options.gateway }, joinedUrls.gateway);
  const { base, cseId } = backend.core.configuration;
  const registration = new Registration({
    cse: () => gateway.core,
    sender: gateway.sender,
    remoteCse: { base, cseId, cseType: 'IN-CSE', ownPoa: [joinedUrls.gateway], poa: [joinedUrls.backend] },
    labels: ['cselab'],
    // Nobody restarts the other CSE between renewals, so that there is nothing to check.
    ...{ clock, interval, offset, checkEvery: interval },
  });
  await registration.start();
  return { gateway, backend };
}

const nobody: Sender = { send: (url) => Promise.reject(new UnreachableError(`nobody listens at ${url}`)) };

/** Hands a request to a service of this process. */
export async function deliver(
  service: HttpService,
  url: string,
  { method, target, headers, body = '' }: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const host = { host: url.slice(url.indexOf('//') + 2) };
  const answer = await service.handle({
    ...{ method, target, body: bytes, address: '127.0.0.1' },
    headers: { ...host, ...inLowerCase(headers) },
  });
  return { ...answer, headers: inLowerCase(answer.headers) };
}

/** A CSE without a socket whose own requests, after its deviations, go to `sender`; with these settings of an installation. */
export function createSendingCse(
  cse: CseOptions & { readonly clock: Scheduler },
  sender: Sender,
  settings?: Parameters<typeof installationOf>[0],
): AssembledCse {
  return assembleCse({ onError: console.error, ...cse }, { sender }, installationOf(settings));
}
