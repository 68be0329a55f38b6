/** One reference CSE: core, dialect and faults put together. */
import type { Clock } from './core/configuration.ts';
import { Cse } from './core/cse.ts';
import { defaultLimits, type Limits } from './core/limits.ts';
import { documented } from './dialects/documented.ts';
import type { HttpService } from './dialects/http-message.ts';
import { createHttpService, type HttpServiceOptions } from './dialects/http-service.ts';
import { withFaults } from './faults/index.ts';
import { randomText, systemClock } from './ports.ts';
import { kinds } from './resources/index.ts';

export interface CseOptions {
  /** Name of the CSE base; default `onem2m`. */
  readonly base?: string;
  /** CSE identifier without a slash; default `mn-cse-1`. */
  readonly cseId?: string;
  /** Service provider identifier; default `openmtc.org`. */
  readonly spId?: string;
  /** Default `MN-CSE`. */
  readonly cseType?: 'IN-CSE' | 'MN-CSE' | 'ASN-CSE';
  /** URLs shown as `poa` of the CSE base. */
  readonly pointOfAccess?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Microseconds since 1970 UTC; default the system's time. */
  readonly clock?: Clock;
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
  const core = new Cse(
    {
      base: options.base ?? 'onem2m',
      cseId: options.cseId ?? 'mn-cse-1',
      spId: options.spId ?? 'openmtc.org',
      cseType: cseTypes[options.cseType ?? 'MN-CSE'],
      pointOfAccess: options.pointOfAccess ?? [],
      limits: { ...defaultLimits, ...options.limits },
      kinds,
      dialect: documented,
    },
    { clock: options.clock ?? systemClock(), randomText: options.randomText ?? randomText },
  );
  const { onError } = options;
  const service = createHttpService(core, { ...installation(core), ...(onError && { onError }) });
  return { core, http: withFaults(service, core, options.faults ?? []) };
}
