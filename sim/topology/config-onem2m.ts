/** The `onem2m` and `global` sections. */
import { type Placed, quoted, type Section } from './config-section.ts';
import { cseIdentifier, cseType, identifier } from './config-values.ts';
import type { RemoteCse } from './registration-requests.ts';

export interface IdentityConfiguration {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly cseType: RemoteCse['cseType'];
}

export interface IdentityReading {
  readonly cseId: string | undefined;
  /** Undefined when a value is missing or wrong, which is reported. */
  readonly complete: IdentityConfiguration | undefined;
}

/** Leaves `done` to the caller. */
export function readIdentity(onem2m: Section): IdentityReading {
  const base = identifier(onem2m.text('cse_base'), onem2m)?.value;
  const cseId = cseIdentifier(onem2m.text('cse_id'), onem2m)?.value;
  const spId = identifier(onem2m.text('sp_id'), onem2m)?.value;
  const type = cseType(onem2m.text('cse_type'), onem2m);
  onem2m.require('cse_base', 'cse_id', 'cse_type', 'sp_id');
  onem2m.ignore('default_privileges');
  readDynamicAuthorization(onem2m);
  return { cseId, complete: base && cseId && spId && type ? { base, cseId, spId, cseType: type } : undefined };
}

/** A CSE that is configured to ask others for rights would be judged by rights that it has not. */
function readDynamicAuthorization(onem2m: Section): void {
  const section = onem2m.section('dynamic_authorization');
  const enabled = section?.flag('enabled');
  if (enabled?.value) {
    onem2m.findings.note(enabled, 'nobody is asked for rights: this CSE has access control policies only');
  }
  section?.node('poa');
  section?.done();
}

/** `//sp/cse`, or what stands below it (TS-0001, clause 7.2). */
const absolute = /^\/\/[^/\s]+\/[^/\s]+(?:\/[^\s]+)?$/;

interface Overwriting {
  readonly overwriteOriginator?: string;
  readonly overwriteForwarded?: boolean;
}

/** Empty where it is not enabled. */
export function readOverwriteOriginator(onem2m: Section): Overwriting {
  const section = onem2m.section('overwrite_originator');
  if (section === undefined) return {};
  const enabled = section.flag('enabled');
  const originator = section.text('originator');
  const forwarded = section.flag('forwarded');
  section.require('enabled', ...(enabled?.value ? ['originator'] : []));
  section.done();
  if (originator === undefined || enabled === undefined) return {};
  if (!absolute.test(originator.value)) reportRelative(originator, enabled.value, section);
  if (!enabled.value) return {};
  return { overwriteOriginator: originator.value, ...(forwarded?.value && { overwriteForwarded: true }) };
}

function reportRelative(originator: Placed<string>, enabled: boolean, { findings }: Section): void {
  const problem = `${quoted(originator.value)} is not absolute, as in //openmtc.org/mn-cse-1`;
  if (enabled) findings.error(originator, problem);
  else findings.note(originator, `${problem}; it is not used, because enabled is false`);
}

export function readAcceptInsecureCerts(onem2m: Section): boolean {
  const accepts = onem2m.flag('accept_insecure_certs');
  if (accepts?.value) onem2m.findings.note(accepts, 'the certificates of other CSEs are not verified');
  return accepts?.value ?? false;
}

/** Seconds: as long as 32 bits can count, which is 68 years. */
export const longestTime = 2 ** 31 - 1;

export interface GlobalConfiguration {
  /** Seconds. */
  readonly defaultLifetime?: number;
  readonly requireAuth: boolean;
  readonly disableForwarding?: boolean;
}

export function readGlobal(section: Section | undefined): GlobalConfiguration {
  const defaultLifetime = section?.wholeNumber('default_lifetime', 1, longestTime);
  const requireAuth = section?.flag('require_auth')?.value ?? false;
  const disableForwarding = section?.flag('disable_forwarding')?.value ?? false;
  section?.ignore('additional_host_names', 'default_content_type');
  section?.done();
  return {
    requireAuth,
    ...(disableForwarding && { disableForwarding }),
    ...(defaultLifetime && { defaultLifetime: defaultLifetime.value }),
  };
}
