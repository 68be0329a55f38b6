/** One reference CSE: core, dialect and faults put together. It uses nothing that a browser has not. */

import type { AccessSettings, Clock, CseConfiguration, Messenger, Scheduler } from '../core/configuration.ts';
import { defaultLimits, type Limits } from '../core/limits.ts';
import { cseTypes, policyType } from '../core/numbers.ts';
import { Cse } from '../core/operations/cse.ts';
import { statuses } from '../core/status.ts';
import { chosenIn, withDeviations, withSendingDeviations } from '../deviations/applying.ts';
import { varied, variedRandomText, varying } from '../deviations/drawn/varying.ts';
import { documented } from '../dialects/documented.ts';
import { createHttpService, type HttpServiceOptions } from '../dialects/http-service.ts';
import { httpMessenger } from '../dialects/messenger.ts';
import { onem2m } from '../dialects/onem2m.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { systemClock } from '../environment/clock.ts';
import { nextTurn, randomText } from '../environment/ports.ts';
import { usualNames } from '../environment/usual-names.ts';
import { kindsIn } from '../resources/index.ts';
import type { CseOptions, ReferenceCse } from './create-cse.ts';

/** How what a CSE says by itself leaves it. */
interface WayOut {
  /** What really sends; the deviations that are about that are put around it. */
  readonly sender: Sender;
  /** Whether what is sent to this URL goes by the sender even where the options have a messenger. */
  readonly staysHere?: (url: string) => boolean;
}

/** What an installation puts before a CSE, which sends by this sender. */
export type InstalledBefore = (core: Cse, sender: Sender) => Pick<HttpServiceOptions, 'admit' | 'retarget'>;

export interface AssembledCse extends ReferenceCse {
  /** By which everything leaves that this CSE sends. */
  readonly sender: Sender;
  /** From now on nothing of what it says by itself leaves it. */
  silence(): void;
}

export function assembleCse(
  options: CseOptions,
  wayOut: WayOut,
  installation: InstalledBefore = () => ({}),
): AssembledCse {
  const { variations = [], onError } = options;
  const clock = schedulerOf(options.clock);
  const deviations = chosenIn(options);
  let { sender } = wayOut;
  let silent = false;
  const messenger = messengerOf(options, wayOut, clock, { send: (...message) => sender.send(...message) });
  const core = new Cse(configurationOf(options), {
    clock,
    randomText: variedRandomText(options.randomText ?? randomText, variations),
    messenger: { send: async (...message) => (silent ? { status: statuses.OK } : messenger.send(...message)) },
    nextTurn,
    onError: onError ?? console.error,
  });
  core.tree.keepsExpired = options.keepExpired === true;
  sender = withSendingDeviations(sender, core, deviations);
  const service = createHttpService(core, { ...installation(core, sender), ...(onError && { onError }) });
  const silence = () => {
    silent = true;
  };
  return { core, sender, silence, http: varying(withDeviations(service, core, deviations), variations) };
}

function messengerOf(
  { dialect = 'documented', messenger }: CseOptions,
  { staysHere = () => false }: WayOut,
  clock: Scheduler,
  sender: Sender,
): Messenger {
  const own = httpMessenger(sender, { dialect, now: () => clock.now() });
  if (messenger === undefined) return own;
  return { send: (url, request) => (staysHere(url) ? own : messenger).send(url, request) };
}

function configurationOf(options: CseOptions): CseConfiguration {
  const dialect = options.dialect === 'onem2m' ? onem2m : documented;
  const usual = usualIdentity[dialect.name];
  const { variations = [], withoutTypes = [] } = options;
  const kinds = kindsIn(dialect.name, options.flexContainers);
  const made = {
    base: options.base ?? usual.base,
    cseId: options.cseId ?? usual.cseId,
    spId: options.spId ?? 'openmtc.org',
    cseType: cseTypes[options.cseType ?? usual.cseType],
    pointOfAccess: options.pointOfAccess ?? [],
    limits: { ...defaultLimits, ...(dialect === onem2m && lifetimesOfTheStandard), ...options.limits },
    kinds: withoutTypes.length === 0 ? kinds : kinds.filter(({ ty }) => !withoutTypes.includes(ty)),
    dialect,
    accessControl: accessSettings(options),
    releases: options.releases ?? usual.releases,
    ...(options.ownOriginator !== undefined && { ownOriginator: options.ownOriginator }),
  };
  return varied(made, variations, options.limits);
}

const usualIdentity = {
  documented: { ...usualNames.documented.gateway, releases: ['2a', '3', '4'] },
  onem2m: { ...usualNames.onem2m.backend, releases: ['2a', '3', '4', '5'] },
} as const;

const fiveYears = 157_680_000;
const lifetimesOfTheStandard: Partial<Limits> = { lifetime: fiveYears, longestLifetime: fiveYears };

function accessSettings(options: CseOptions): AccessSettings {
  const standard = options.dialect === 'onem2m';
  return {
    required: options.requireAuth ?? standard,
    admin: options.admin ?? (standard ? 'CAdmin' : undefined),
    registrars: options.registrars ?? (standard ? ['C*', 'S*'] : []),
    creatableAtBase: options.creatableAtBase ?? [policyType],
  };
}

/** The clock that is given, or the system's; one that only tells the time has the system's timers. */
export function schedulerOf(clock: Clock | Scheduler | undefined): Scheduler {
  if (clock === undefined) return systemClock();
  return 'schedule' in clock ? clock : { now: () => clock.now(), schedule: systemClock().schedule };
}
