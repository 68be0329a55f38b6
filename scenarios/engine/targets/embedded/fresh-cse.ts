/** The reference CSE made anew for each generated sequence, in virtual time. */
import { createCse, type ReferenceCse } from '../../../../sim/cse/create-cse.ts';
import { type Sender, UnreachableError } from '../../../../sim/dialects/outgoing-message.ts';
import { manualClock } from '../../../../sim/environment/clock.ts';
import { createSendingCse, joinedUrls, joinPair } from '../../../../sim/topology/joined-pair.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { Target } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import type { Inboxes } from '../inboxes.ts';
import { type Installation, noCertificates } from '../installation.ts';
import { backendDefaults, defaults } from '../url-choice.ts';
import { directTarget } from './direct.ts';
import {
  commonParts,
  deviationSettings,
  dialectSettings,
  type EmbeddedOptions,
  nameInProcess,
  onThisMachine,
} from './reference-cse.ts';

/**
 * The reference CSE without a socket, made anew each time, in virtual time: the same sequence of requests has the same answers.
 * Each reading of its clock is a microsecond later, so that no two resources are created at the same time.
 */
export function openFresh(options: FreshOptions): Installation {
  const { names, description } = nameInProcess(options.dialect);
  const time = freshClock();
  const { inboxes } = options;
  const settings = { ...names, pointOfAccess: [description.url], clock: time.clock, ...deviationSettings(options) };
  const { http, core } = inboxes
    ? createSendingCse(settings, senderTo(inboxes))
    : createCse({ ...settings, journal: 0 });
  const gateway = directTarget({ ...options, description, service: onThisMachine(http) });
  return { gateway, ...installationParts(options, [{ http, core }], time, []) };
}

type FreshOptions = EmbeddedOptions & { readonly inboxes?: Inboxes };

/** The common parts of both installations. */
function installationParts(
  { dialect, inboxes }: FreshOptions,
  members: readonly ReferenceCse[],
  { standing }: ReturnType<typeof freshClock>,
  needs: readonly Need[],
) {
  const notifications: readonly Need[] = inboxes ? ['notifications'] : [];
  const { has } = dialectSettings[dialect];
  return {
    name: 'in-process',
    has: new Set<Need>(['plain HTTP', 'any originator', 'no originator', 'clock', ...needs, ...notifications, ...has]),
    ...commonParts(members, { dialect, inboxes, clock: standing }),
    certificates: noCertificates,
  };
}

/** Delivers notifications to the inboxes without a wire; other receivers are unreachable. */
function senderTo(inboxes: Inboxes): Sender {
  return {
    send: async (url, request) => {
      const answer = inboxes.deliver(request);
      if (answer === undefined) throw new UnreachableError(`${url}: nobody listens`);
      return answer;
    },
  };
}

/** Seconds: so short that any sequence with time passing has renewals. */
const registrationOfFresh = { interval: 60, offset: 60 };

/** The same as a gateway that is registered at a backend. The deviations are those of the gateway. */
export async function openFreshPair(options: FreshOptions): Promise<Installation & { readonly backend: Target }> {
  const { cse } = dialectSettings[options.dialect];
  const time = freshClock();
  const names = { gateway: { ...defaults, ...cse }, backend: { ...backendDefaults, ...cse } };
  const { inboxes } = options;
  const pair = await joinPair({
    ...{ clock: time.clock, ...registrationOfFresh },
    ...(inboxes && { others: senderTo(inboxes) }),
    gateway: { ...names.gateway, dialect: options.dialect, ...deviationSettings(options) },
    backend: { ...names.backend, dialect: options.dialect },
  });
  const target = (member: 'gateway' | 'backend'): Target => {
    const { base, cseId, spId } = names[member];
    const description: TargetDescription = { kind: 'in-process', url: joinedUrls[member], base, cseId, spId };
    return directTarget({ ...options, description, service: onThisMachine(pair[member].http) });
  };
  const parts = installationParts(options, [pair.gateway, pair.backend], time, ['backend']);
  return { gateway: target('gateway'), backend: target('backend'), ...parts };
}

/** Virtual time, and the clock that runs in it. */
function freshClock() {
  const standing = manualClock(beginningOfTime);
  let looks = 0;
  return { standing, clock: { ...standing, now: () => standing.now() + ++looks } };
}

/** 2026-01-01, in microseconds since 1970 UTC. */
const beginningOfTime = Date.UTC(2026, 0, 1) * 1000;
