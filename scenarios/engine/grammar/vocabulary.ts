/** Words of the grammar and what they say, apart from its schemas: what runs a scenario needs none of those. */
import type { Check, Permitted } from './grammar-check.ts';
import type { Expect, SendingStep, Step } from './grammar-step.ts';

/** What an installation of a target can have, and a scenario need. */
export const needs = [
  'plain HTTP',
  'https',
  'certificate optional',
  'certificate required',
  'backend',
  'played backend',
  'registration label',
  'any originator',
  'no originator',
  'notifications',
  'clock',
  'access control',
  'admin',
] as const;
export type Need = (typeof needs)[number];

/** Certificates that a client can present. Those after `backend` are to be refused, or speak for somebody else. */
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

/** Expectations that only a connection of the step's own can show. */
export const tlsExpectations = ['handshake', 'alert', 'server certificate', 'server uris'] as const;

/** What a check permits: its own expectations, or any of several outcomes. */
export function permittedBy(check: Check): readonly Permitted[] {
  return check['one of'] ?? [check];
}

/** Whether a check looks at what only a connection of its own can show. */
export function looksAtTls(check: Check): boolean {
  return permittedBy(check).some((one) => tlsExpectations.some((key) => one[key] !== undefined));
}

export function isSending(step: Step): step is SendingStep {
  return !('receive' in step || 'notified' in step || 'advance' in step);
}

/** How the step is to go; time always passes. */
export function expectationOf(step: Step): Expect {
  return ('expect' in step ? step.expect : undefined) ?? 'success';
}
