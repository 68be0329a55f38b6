/** The `config` of the RegistrationHandler. */
import { longestTime } from './config-onem2m.ts';
import type { Findings, Range } from './config-problem.ts';
import { type Placed, quoted, type Section } from './config-section.ts';
import { cseIdentifier, cseType, identifier, type PointOfAccess, pointOfAccess } from './config-values.ts';
import type { RemoteCse } from './registration-requests.ts';

export interface RegistrationConfiguration {
  /** Seconds between two renewals (`gaps`, row 37). */
  readonly interval: number;
  /** Seconds that a registration lives beyond the interval. */
  readonly offset: number;
  readonly labels: readonly string[];
  readonly remoteCses: readonly RemoteCse[];
}

/** A remote CSE as far as it could be read, for checks that need places. */
export interface RemoteEntry {
  readonly cseId: Placed<string> | undefined;
  readonly ownPoa: readonly PointOfAccess[];
  readonly poa: readonly PointOfAccess[];
  /** Undefined when a value is missing or wrong, which is reported. */
  readonly complete: RemoteCse | undefined;
}

export interface RegistrationReading {
  readonly entries: readonly RemoteEntry[];
  /** Undefined when a value is missing or wrong, which is reported. */
  readonly complete: RegistrationConfiguration | undefined;
}

export function readRegistration(section: Section): RegistrationReading {
  const interval = section.wholeNumber('interval', 1, longestTime);
  const offset = section.wholeNumber('offset', 1, longestTime);
  const labels = section.texts('labels')?.items.map(({ value }) => value) ?? [];
  const remotes = section.sections('remote_cses');
  section.require('interval', 'offset', 'remote_cses');
  section.done();
  if (remotes?.items.length === 0) section.findings.note(remotes, 'without an entry this CSE registers nowhere');
  const entries = remotes?.items.map(readRemote) ?? [];
  const remoteCses = entries.flatMap(({ complete }) => complete ?? []);
  const complete = interval && offset && { interval: interval.value, offset: offset.value, labels, remoteCses };
  return { entries, complete };
}

function readRemote(section: Section): RemoteEntry {
  const base = identifier(section.text('cse_base'), section);
  const cseId = cseIdentifier(section.text('cse_id'), section);
  const type = cseType(section.text('cse_type'), section);
  const own = section.texts('own_poa');
  const there = section.texts('poa');
  section.require('cse_base', 'cse_id', 'cse_type', 'own_poa', 'poa');
  section.done();
  if (there?.items.length === 0) section.findings.error(there, 'one URL at least is needed to reach the other CSE');
  const ownPoa = own?.items.flatMap((text) => pointOfAccess(text, section)) ?? [];
  const poa = there?.items.flatMap((text) => pointOfAccess(text, section)) ?? [];
  const urls = { ownPoa: ownPoa.map(({ url }) => url), poa: poa.map(({ url }) => url) };
  const complete = base && cseId && type && { base: base.value, cseId: cseId.value, cseType: type, ...urls };
  return { cseId, ownPoa, poa, complete };
}

/** What is known of this CSE; what is not is not checked against. */
export interface ThisCse {
  readonly cseId: string | undefined;
  /** Undefined when it does not listen or nobody knows. */
  readonly enableHttps: boolean | undefined;
}

/** Each remote CSE against the others, and against this one. */
export function checkRemotes(entries: readonly RemoteEntry[], own: ThisCse, findings: Findings): void {
  const seen = new Set<string>();
  for (const { cseId, ownPoa, poa } of entries) {
    if (cseId !== undefined) {
      if (cseId.value === own.cseId) findings.error(cseId, `${quoted(cseId.value)} is this CSE itself`);
      if (seen.has(cseId.value)) findings.error(cseId, `${quoted(cseId.value)} stands twice among the remote CSEs`);
      seen.add(cseId.value);
    }
    for (const one of ownPoa) checkOwnPoa(one, own, findings);
    for (const one of poa) checkPoa(one, ownPoa, own, findings);
  }
}

function checkOwnPoa(
  { url, secure, ...at }: PointOfAccess & Range,
  { enableHttps }: ThisCse,
  findings: Findings,
): void {
  if (enableHttps === undefined || secure === enableHttps) return;
  const says = enableHttps ? 'enable_https is true, so it must be an https one' : 'enable_https is false';
  findings.error(at, `${quoted(url)} is where the other CSE reaches this one, but ${says}`);
}

/**
 * Documented: "When HTTPS is enabled on both CSEs, own_poa and poa entries must use the https scheme." A CSE that speaks HTTPS
 * itself is taken to have a peer that does. The other mixture is permitted, and worth a note.
 */
function checkPoa(one: PointOfAccess, ownPoa: readonly PointOfAccess[], own: ThisCse, findings: Findings): void {
  const { origin } = new URL(one.url);
  if (ownPoa.some(({ url }) => new URL(url).origin === origin)) {
    findings.error(one, `${quoted(one.url)} stands in own_poa too, so it leads to this CSE itself`);
  } else if (own.enableHttps === true && !one.secure) {
    findings.error(one, `${quoted(one.url)} must be an https URL, because enable_https is true`);
  } else if (own.enableHttps === false && one.secure) {
    findings.note(
      one,
      'this CSE speaks plain HTTP and is to reach the other one by HTTPS; when both speak HTTPS, all URLs are https',
    );
  }
}
