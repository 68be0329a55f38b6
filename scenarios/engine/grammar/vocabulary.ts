/** Words of the grammar and their facts, without its schemas, which running a scenario does not need. */
import type { Check, Permitted } from './grammar-check.ts';
import type { Expect, SendingStep, Step } from './grammar-step.ts';

/** Features of an installation that a scenario can need. */
export const needs = [
  'plain HTTP',
  'https',
  'certificate optional',
  'certificate required',
  'backend',
  'simulated backend',
  'registration label',
  'any originator',
  'no originator',
  'notifications',
  'clock',
  'access control',
  'admin',
] as const;
export type Need = (typeof needs)[number];

/** Client certificates. Those after `backend` are to be refused, or belong to somebody else. */
export const certificateNames = [
  'own',
  'other',
  'gateway',
  'backend',
  'expired',
  'not yet valid',
  'other authority',
  'self-signed',
  'server only',
  'no alternative names',
  'dns only',
  'two uris',
  'wrong identifier',
] as const;
export type CertificateName = (typeof certificateNames)[number];

/** Bytes of the largest file that a person may hand in. */
export const largestUpload = 4 * 1024 * 1024;
/** An answer that is always possible; a check of it then neither passes nor fails. */
export const cannotTell = 'cannot tell';

/** Expectations that need a connection of the step's own. */
export const tlsExpectations = ['handshake', 'alert', 'server certificate', 'server uris'] as const;

/** The permitted outcomes of a check: its own expectations, or any of several. */
export function permittedBy(check: Check): readonly Permitted[] {
  return check['one of'] ?? [check];
}

/** Whether a check needs a connection of its own. */
export function looksAtTls(check: Check): boolean {
  return permittedBy(check).some((one) => tlsExpectations.some((key) => one[key] !== undefined));
}

export function isSending(step: Step): step is SendingStep {
  return !('receive' in step || 'notified' in step || 'advance' in step || 'ask' in step);
}

/** The expected outcome of a step; time always passes. */
export function expectationOf(step: Step): Expect {
  return ('expect' in step ? step.expect : undefined) ?? 'success';
}

/** The resource types that a step can name, with the short name as the only key of a payload, and the type number. */
interface TypeFacts {
  /** Absent where each specialization has its own. */
  readonly root?: string;
  /** resourceType, TS-0004 6.3.4.2.1. */
  readonly ty: number;
}

const table = {
  ae: { root: 'm2m:ae', ty: 2 },
  container: { root: 'm2m:cnt', ty: 3 },
  'content instance': { root: 'm2m:cin', ty: 4 },
  'access control policy': { root: 'm2m:acp', ty: 1 },
  group: { root: 'm2m:grp', ty: 9 },
  node: { root: 'm2m:nod', ty: 14 },
  'polling channel': { root: 'm2m:pch', ty: 15 },
  'remote cse': { root: 'm2m:csr', ty: 16 },
  subscription: { root: 'm2m:sub', ty: 23 },
  'flex container': { ty: 28 },
  'time series': { root: 'm2m:ts', ty: 29 },
  'time series instance': { root: 'm2m:tsi', ty: 30 },
  firmware: { root: 'm2m:fwr', ty: 13 },
  software: { root: 'm2m:swr', ty: 13 },
  memory: { root: 'm2m:mem', ty: 13 },
  'area network info': { root: 'm2m:ani', ty: 13 },
  'area network device info': { root: 'm2m:andi', ty: 13 },
  battery: { root: 'm2m:bat', ty: 13 },
  'device info': { root: 'm2m:dvi', ty: 13 },
  'device capability': { root: 'm2m:dvc', ty: 13 },
  reboot: { root: 'm2m:rbo', ty: 13 },
  'event log': { root: 'm2m:evl', ty: 13 },
} as const satisfies Readonly<Record<string, TypeFacts>>;

export type ResourceTypeName = keyof typeof table;
export const resourceTypes = Object.keys(table) as [ResourceTypeName, ...ResourceTypeName[]];

/** Facts of a resource type from the tables of the standard. */
export function factsOf(type: ResourceTypeName): TypeFacts {
  return table[type];
}
