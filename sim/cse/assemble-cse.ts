/** Assembles a reference CSE from core, dialect and deviations, using only what browsers have. */

import type { AccessSettings, Clock, CseConfiguration, Messenger, Scheduler } from '../core/configuration.ts';
import { defaultLimits, type Limits } from '../core/limits.ts';
import { cseTypes, policyType } from '../core/numbers.ts';
import { Cse } from '../core/operations/cse.ts';
import type { DialectName } from '../core/resource-type.ts';
import { statuses } from '../core/status.ts';
import { childTrace } from '../core/trace-context.ts';
import { chosenIn, withDeviations, withSendingDeviations } from '../deviations/applying.ts';
import { varied, variedRandomText, varying } from '../deviations/drawn/varying.ts';
import { documented } from '../dialects/documented.ts';
import { createHttpService, type HttpServiceOptions } from '../dialects/http-service.ts';
import { httpMessenger } from '../dialects/messenger.ts';
import { onem2m } from '../dialects/onem2m.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { checkChoice } from '../environment/choice.ts';
import { systemClock } from '../environment/clock.ts';
import { defaultNames } from '../environment/default-names.ts';
import { nextTurn, randomText } from '../environment/ports.ts';
import { typesOfCse } from '../resources/index.ts';
import type { CseOptions, ReferenceCse } from './create-cse.ts';

/** How a CSE sends its own requests. */
interface OutboundOptions {
  /** Really sends; deviations of sending wrap it. */
  readonly sender: Sender;
  /** Whether requests to a URL use the sender even where the options have a messenger. */
  readonly outbound?: { isLocal(url: string): boolean };
  readonly connectionOf?: Messenger['connectionOf'];
}

/** Hooks of an installation before a CSE with this sender. */
export type HttpOptionsFor = (core: Cse, sender: Sender) => Pick<HttpServiceOptions, 'admit' | 'retarget'>;

export interface AssembledCse extends ReferenceCse {
  /** Sends everything that leaves this CSE. */
  readonly sender: Sender;
  /** From now on none of its own requests are sent. */
  silence(): void;
}

export function assembleCse(
  options: CseOptions,
  outbound: OutboundOptions,
  installation: HttpOptionsFor = () => ({}),
): AssembledCse {
  const { variations = [], onError } = options;
  checkChoice('dialect', options.dialect, Object.keys(defaultNames));
  const clock = schedulerOf(options.clock);
  const deviations = chosenIn(options);
  const messenger = new OwnMessenger(options, outbound, clock);
  const random = variedRandomText(options.randomText ?? randomText, variations);
  const core = new Cse(configurationOf(options), {
    ...{ clock, randomText: random, messenger, nextTurn, onError: onError ?? console.error },
    // With OpenTelemetry, a sent request names its own span instead.
    childTrace: (trace) => (options.openTelemetry ? trace : childTrace(trace, random)),
  });
  core.tree.keepsExpired = options.keepExpired === true;
  const sender = withSendingDeviations(outbound.sender, core, deviations);
  messenger.sender = sender;
  const service = createHttpService(core, { ...installation(core, sender), ...(onError && { onError }) });
  return {
    ...{ core, sender, http: varying(withDeviations(service, core, deviations), variations) },
    silence() {
      messenger.isSilent = true;
    },
  };
}

/** Sends the CSE's own requests by the messenger of its options, or the sender. */
class OwnMessenger implements Messenger {
  sender: Sender;
  isSilent = false;
  readonly #dialect: DialectName;
  readonly #clock: Clock;
  readonly #custom: Messenger | undefined;
  readonly #outbound: OutboundOptions['outbound'];
  readonly connectionOf: (identifier: string) => string | undefined;

  constructor(
    { dialect = 'documented', messenger }: CseOptions,
    { sender, outbound, connectionOf }: OutboundOptions,
    clock: Clock,
  ) {
    this.sender = sender;
    this.#dialect = dialect;
    this.#clock = clock;
    this.#custom = messenger;
    this.#outbound = outbound;
    this.connectionOf = connectionOf ?? (() => undefined);
  }

  async send(...[url, request]: Parameters<Messenger['send']>): ReturnType<Messenger['send']> {
    if (this.isSilent) return { status: statuses.OK };
    if (this.#custom !== undefined && !this.#outbound?.isLocal(url)) return this.#custom.send(url, request);
    const options = { dialect: this.#dialect, now: () => this.#clock.now() };
    return httpMessenger(this.sender, options).send(url, request);
  }
}

function configurationOf(options: CseOptions): CseConfiguration {
  const dialect = options.dialect === 'onem2m' ? onem2m : documented;
  const defaults = defaultIdentity[dialect.name];
  const { variations = [], withoutTypes = [] } = options;
  const types = typesOfCse(dialect.name, options.flexContainers);
  const configuration = {
    base: options.base ?? defaults.base,
    cseId: options.cseId ?? defaults.cseId,
    spId: options.spId ?? 'openmtc.org',
    cseType: cseTypes[options.cseType ?? defaults.cseType],
    pointOfAccess: options.pointOfAccess ?? [],
    limits: { ...defaultLimits, ...(dialect === onem2m && onem2mLifetimes), ...options.limits },
    types: withoutTypes.length === 0 ? types : types.filter(({ ty }) => !withoutTypes.includes(ty)),
    dialect,
    accessControl: accessSettings(options),
    releases: options.releases ?? defaults.releases,
    ...(options.ownOriginator !== undefined && { ownOriginator: options.ownOriginator }),
  };
  return varied(configuration, variations, options.limits);
}

const defaultIdentity = {
  documented: { ...defaultNames.documented.gateway, releases: ['2a', '3', '4'] },
  onem2m: { ...defaultNames.onem2m.backend, releases: ['2a', '3', '4', '5'] },
} as const;

const fiveYears = 157_680_000;
const onem2mLifetimes: Partial<Limits> = { lifetime: fiveYears, longestLifetime: fiveYears };

function accessSettings(options: CseOptions): AccessSettings {
  const standard = options.dialect === 'onem2m';
  return {
    required: options.requireAuth ?? standard,
    admin: options.admin ?? (standard ? 'CAdmin' : undefined),
    registrars: options.registrars ?? (standard ? ['C*', 'S*'] : []),
    creatableAtBase: options.creatableAtBase ?? [policyType],
  };
}

/** This clock, or the system's; one without `schedule` uses the system's timers. */
export function schedulerOf(clock: Clock | Scheduler | undefined): Scheduler {
  if (clock === undefined) return systemClock();
  if (typeof clock !== 'object') throw new TypeError('clock has to be an object, such as manualClock()');
  return 'schedule' in clock ? clock : { now: () => clock.now(), schedule: systemClock().schedule };
}
