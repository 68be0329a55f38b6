/** Numbers of the standard and units of time. */
import type { Operation } from './primitive.ts';

/** `ty` of resource types (TS-0004, clause 6.3.4.2.1). */
export const policyType = 1;
export const applicationEntityType = 2;
export const cseBaseType = 5;
export const groupType = 9;
export const pollingChannelType = 15;
export const remoteCseType = 16;
export const requestType = 17;
export const subscriptionType = 23;
export const flexContainerType = 28;
export const timeSeriesType = 29;
export const flexContainerInstanceType = 58;
/** Added to a `ty` for the announced variant. */
export const firstAnnouncedType = 10_000;
export const announcedPolicyType = 10_001;
export const announcedEntityType = 10_002;
export const announcedBaseType = 10_005;

/** `operation` of TS-0004. */
export const operationNumbers: Readonly<Record<Operation, number>> = {
  ...{ create: 1, retrieve: 2, update: 3, delete: 4, notify: 5 },
};

/** `accessControlOperations` of TS-0004, to be added up. */
export const operationBits: Readonly<Record<Operation | 'discover', number>> = {
  ...{ create: 1, retrieve: 2, update: 4, delete: 8, notify: 16, discover: 32 },
};

/** `cseTypeID` of TS-0004. */
export const cseTypes = { 'IN-CSE': 1, 'MN-CSE': 2, 'ASN-CSE': 3 } as const;
export const infrastructureNode = cseTypes['IN-CSE'];

export const microsecondsPerMillisecond = 1000;
export const microsecondsPerSecond = 1_000_000;

/** ISO 8601 durations (xs:duration), with months of 30 days and years of 365. */
const form = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

const seconds = [365 * 86_400, 30 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1];

/** Milliseconds of `PT1M30S`; undefined unless a duration. */
export function millisecondsOf(duration: string): number | undefined {
  const match = form.exec(duration);
  const parts = match?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (seconds[index] ?? 0), 0) * 1000;
}
