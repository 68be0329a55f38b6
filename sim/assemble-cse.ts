/** One reference CSE: core, dialect and faults put together. It uses nothing that a browser has not. */

import { systemClock } from './clock.ts';
import type { AccessSettings, Clock, Scheduler } from './core/configuration.ts';
import { Cse } from './core/cse.ts';
import { defaultLimits, type Limits } from './core/limits.ts';
import { cseTypes, policyType } from './core/numbers.ts';
import type { DialectName } from './core/resource-type.ts';
import type { CseOptions, ReferenceCse } from './create-cse.ts';
import { chosenIn, withDeviations } from './deviations/applying.ts';
import {
  variedDialect,
  variedKinds,
  variedLifetimes,
  variedRandomText,
  variedTimeStep,
  varying,
} from './deviations/drawn/varying.ts';
import { documented } from './dialects/documented.ts';
import { createHttpService, type HttpServiceOptions } from './dialects/http-service.ts';
import { onem2m } from './dialects/onem2m.ts';
import { nextTurn, randomText } from './ports.ts';
import { kindsIn } from './resources/index.ts';
import { usualNames } from './usual-names.ts';

/** What an installation puts before a CSE. */
export type Installation = (core: Cse) => Pick<HttpServiceOptions, 'admit' | 'retarget'>;

/** Who sends what the CSE says by itself is known by then. */
type Speaking = CseOptions & Required<Pick<CseOptions, 'messenger'>>;

export function assembleCse(options: Speaking, installation: Installation = () => ({})): ReferenceCse {
  const dialect = options.dialect === 'onem2m' ? onem2m : documented;
  const usual = usualIdentity[dialect.name];
  const clock = schedulerOf(options.clock);
  const { variations = [] } = options;
  const core = new Cse(
    {
      base: options.base ?? usual.base,
      cseId: options.cseId ?? usual.cseId,
      spId: options.spId ?? 'openmtc.org',
      cseType: cseTypes[options.cseType ?? usual.cseType],
      pointOfAccess: options.pointOfAccess ?? [],
      limits: {
        ...defaultLimits,
        ...(dialect === onem2m && lifetimesOfTheStandard),
        ...variedLifetimes(variations),
        ...options.limits,
      },
      kinds: variedKinds(kindsOf(options, dialect.name), variations),
      dialect: variedDialect(dialect, variations),
      ...variedTimeStep(variations),
      accessControl: accessSettings(options),
      releases: options.releases ?? usual.releases,
      ...(options.ownOriginator !== undefined && { ownOriginator: options.ownOriginator }),
    },
    {
      clock,
      randomText: variedRandomText(options.randomText ?? randomText, variations),
      messenger: options.messenger,
      nextTurn,
      onError: options.onError ?? console.error,
    },
  );
  core.tree.keepsExpired = options.keepExpired === true;
  const { onError } = options;
  const service = createHttpService(core, {
    ...installation(core),
    ...(onError && { onError }),
  });
  return { core, http: varying(withDeviations(service, core, chosenIn(options)), variations) };
}

function kindsOf({ flexContainers, withoutTypes = [] }: CseOptions, dialect: DialectName) {
  return kindsIn(dialect, flexContainers).filter(({ ty }) => !withoutTypes.includes(ty));
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

/** How a CSE of these options speaks to others. */
export const mannerOf = ({ dialect = 'documented' }: CseOptions, clock: Scheduler) => ({
  dialect,
  now: () => clock.now(),
});

/** The clock that is given, or the system's; one that only tells the time has the system's timers. */
export function schedulerOf(clock: Clock | Scheduler | undefined): Scheduler {
  if (clock === undefined) return systemClock();
  return 'schedule' in clock ? clock : { now: () => clock.now(), schedule: systemClock().schedule };
}
