/** One reference CSE: core, dialect and faults put together. */
import { systemClock } from './clock.ts';
import type { AccessSettings, Clock, Messenger, Scheduler } from './core/configuration.ts';
import { Cse } from './core/cse.ts';
import { defaultLimits, type Limits } from './core/limits.ts';
import type { DialectName } from './core/resource-type.ts';
import { documented } from './dialects/documented.ts';
import type { HttpService } from './dialects/http-message.ts';
import { createHttpService, type HttpServiceOptions } from './dialects/http-service.ts';
import { onem2m } from './dialects/onem2m.ts';
import { withFaults } from './faults/index.ts';
import { randomText } from './ports.ts';
import type { FlexDefinition } from './resources/flex-definitions.ts';
import { kindsIn } from './resources/index.ts';
import { HttpClient } from './topology/client.ts';
import { httpMessenger } from './topology/messenger.ts';

export interface CseOptions {
  /** Name of the CSE base; default `onem2m`, and `cse-in` in the onem2m dialect. */
  readonly base?: string;
  /** CSE identifier without a slash; default `mn-cse-1`, and `id-in` in the onem2m dialect. */
  readonly cseId?: string;
  /** Service provider identifier; default `openmtc.org`. */
  readonly spId?: string;
  /** Default `MN-CSE`, and `IN-CSE` in the onem2m dialect. */
  readonly cseType?: 'IN-CSE' | 'MN-CSE' | 'ASN-CSE';
  /** URLs shown as `poa` of the CSE base. */
  readonly pointOfAccess?: readonly string[];
  /** How it speaks: as the interface specification says (`documented`, the default), or by the standard's own binding (`onem2m`). */
  readonly dialect?: DialectName;
  /** Whether access control policies are looked at; default false in the documented dialect, true in the onem2m dialect. */
  readonly requireAuth?: boolean;
  /** Originator that may do everything; default `CAdmin` in the onem2m dialect, nobody in the documented one. */
  readonly admin?: string;
  /** Originators that may register as an AE, `*` standing for any letters; default `C*` and `S*` in the onem2m dialect, everybody in the documented one. */
  readonly registrars?: readonly string[];
  /** `ty` of what everybody may create directly below the CSE base when access control is on; default access control policies. */
  readonly creatableAtBase?: readonly number[];
  /** Definitions of flexible containers beside those that every CSE knows. */
  readonly flexContainers?: readonly FlexDefinition[];
  /** Releases of oneM2M that requests may name, the oldest first; default `2a`, `3` and `4`, and `5` too in the onem2m dialect. */
  readonly releases?: readonly string[];
  /** Originator of what the CSE itself sends; default its CSE identifier. */
  readonly ownOriginator?: string;
  readonly limits?: Partial<Limits>;
  /** Microseconds since 1970 UTC; default the system's time. Without `schedule`, what waits is woken by the system's timers. */
  readonly clock?: Clock | Scheduler;
  /** Takes requests of this CSE (notifications, announcements …) to others; over HTTP unless given. */
  readonly messenger?: Messenger;
  /** So many random letters and digits; for names that the CSE makes up. */
  readonly randomText?: (length: number) => string;
  /** Ids of `faults`: what this CSE does wrong on purpose. An unknown one is an UnknownFaultError that names the nearest. */
  readonly faults?: readonly string[];
  /** Hears of defects of the CSE, which it answers by 500. */
  readonly onError?: (error: unknown) => void;
}

export interface ReferenceCse {
  /** The CSE behind the HTTP binding of its dialect: to be given to `serveHttp` or `createFetch`. */
  readonly http: HttpService;
  /** The core: primitives in, primitives out. */
  readonly core: Cse;
}

const cseTypes = { 'IN-CSE': 1, 'MN-CSE': 2, 'ASN-CSE': 3 } as const;

/** A reference CSE in memory, in the documented dialect. It opens no port and starts no timer. */
export function createCse(options: CseOptions = {}): ReferenceCse {
  return createInstalledCse(options, () => ({}));
}

/** The same with what its installation puts before it. */
export function createInstalledCse(
  options: CseOptions,
  installation: (core: Cse) => Pick<HttpServiceOptions, 'admit' | 'retarget'>,
): ReferenceCse {
  const dialect = options.dialect === 'onem2m' ? onem2m : documented;
  const usual = usualIdentity[dialect.name];
  const clock = schedulerOf(options.clock);
  const now = () => clock.now();
  const core = new Cse(
    {
      base: options.base ?? usual.base,
      cseId: options.cseId ?? usual.cseId,
      spId: options.spId ?? 'openmtc.org',
      cseType: cseTypes[options.cseType ?? usual.cseType],
      pointOfAccess: options.pointOfAccess ?? [],
      limits: { ...defaultLimits, ...(dialect === onem2m && lifetimesOfTheStandard), ...options.limits },
      kinds: kindsIn(dialect.name, options.flexContainers),
      dialect,
      accessControl: accessSettings(options),
      releases: options.releases ?? usual.releases,
      ...(options.ownOriginator !== undefined && { ownOriginator: options.ownOriginator }),
    },
    {
      clock,
      randomText: options.randomText ?? randomText,
      messenger: options.messenger ?? httpMessenger(new HttpClient(), { dialect: dialect.name, now }),
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      onError: options.onError ?? console.error,
    },
  );
  const { onError } = options;
  const service = createHttpService(core, { ...installation(core), ...(onError && { onError }) });
  return { core, http: withFaults(service, core, options.faults ?? []) };
}

const usualIdentity = {
  documented: { base: 'onem2m', cseId: 'mn-cse-1', cseType: 'MN-CSE', releases: ['2a', '3', '4'] },
  onem2m: { base: 'cse-in', cseId: 'id-in', cseType: 'IN-CSE', releases: ['2a', '3', '4', '5'] },
} as const;

const fiveYears = 157_680_000;
const lifetimesOfTheStandard: Partial<Limits> = { lifetime: fiveYears, longestLifetime: fiveYears };

const accessControlPolicy = 1;

function accessSettings(options: CseOptions): AccessSettings {
  const standard = options.dialect === 'onem2m';
  return {
    required: options.requireAuth ?? standard,
    admin: options.admin ?? (standard ? 'CAdmin' : undefined),
    registrars: options.registrars ?? (standard ? ['C*', 'S*'] : []),
    creatableAtBase: options.creatableAtBase ?? [accessControlPolicy],
  };
}

function schedulerOf(clock: Clock | Scheduler | undefined): Scheduler {
  if (clock === undefined) return systemClock();
  return 'schedule' in clock ? clock : { now: () => clock.now(), schedule: systemClock().schedule };
}
