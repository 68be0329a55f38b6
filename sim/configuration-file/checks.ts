/** Checks the parts of a configuration file beyond the form of each value: by themselves, and against each other. */
import { relative, resolve } from 'node:path';
import type { TlsFiles } from '../topology/tls-files.ts';
import { type Located, valuesOf } from './form.ts';
import { introductionOf } from './json-places.ts';
import type { Plugins } from './plugins.ts';
import { type Findings, quoted } from './problem.ts';
import { certificatesForm, type Http, type Onem2m, type RemoteSection } from './sections.ts';

/** Why a file cannot be read, as the end of a sentence; undefined when it can. */
export type FileCheck = (path: string) => string | undefined;

/** Paths are relative to the folder. */
interface Disk {
  readonly folder: string;
  readonly check: FileCheck;
}

/** Returns the files of `ssl_certs`, if they are all there. */
export function checkParts(
  onem2m: Located<Onem2m | undefined> | undefined,
  { http, registration }: Plugins,
  disk: Disk,
  findings: Findings,
): TlsFiles | undefined {
  const own = onem2m?.value ?? {};
  const isHttps = http && (http.enable_https === undefined ? false : http.enable_https.value);
  if (http !== undefined) noteIneffective(http, isHttps, findings);
  const remotes = valuesOf(registration?.remote_cses);
  checkOwn(own, findings);
  const because = whyCertificates(isHttps, remotes, own);
  const seen = new Set<string>();
  for (const remote of remotes) checkRemote(remote, { cseId: own.cse_id?.value, isHttps }, seen, findings);
  return onem2m && readCertificates(onem2m, because, disk, findings);
}

function noteIneffective(http: Http, isHttps: boolean | undefined, findings: Findings): void {
  const { require_cert: required, reject_at_handshake: rejecting } = http;
  if (isHttps === false && required?.value) {
    findings.detail(required, 'require_cert has no effect while enable_https is false');
  }
  if (!rejecting?.value || (isHttps && required?.value)) return;
  findings.detail(rejecting, 'reject_at_handshake has no effect unless enable_https and require_cert are true');
}

/** `//sp/cse`, or an address below it (TS-0001, clause 7.2). */
const absolute = /^\/\/[^/\s]+\/[^/\s]+(?:\/[^\s]+)?$/;

/** Checks the `onem2m` section by itself. */
function checkOwn(own: Onem2m, findings: Findings): void {
  const { enabled: asking } = own.dynamic_authorization?.value ?? {};
  // The file expects dynamic authorization, which this CSE does not have.
  if (asking?.value)
    findings.note(asking, 'dynamic authorization is not supported: this CSE has access control policies only');
  const { accept_insecure_certs: accepts } = own;
  if (accepts?.value) findings.note(accepts, 'the certificates of other CSEs are not verified');
  const { enabled, originator } = own.overwrite_originator?.value ?? {};
  if (originator?.value === undefined || enabled?.value === undefined || absolute.test(originator.value)) return;
  const problem = `${quoted(originator.value)} is not absolute, as in //openmtc.org/mn-cse-1`;
  if (enabled.value) findings.error(originator, problem);
  else findings.note(originator, `${problem}; it is not used, because enabled is false`);
}

const isSecure = (url: string) => /^https:/i.test(url);

/** A CSE that is reached over HTTPS is verified, and may ask this one for its certificate. */
function whyCertificates(isHttps: boolean | undefined, remotes: readonly RemoteSection[], own: Onem2m) {
  if (isHttps) return 'needed because enable_https is true';
  const secure = remotes.flatMap(({ poa }) => valuesOf(poa)).find(isSecure);
  return secure && !own.accept_insecure_certs?.value ? `needed to reach ${quoted(secure)} over HTTPS` : undefined;
}

/**
 * Absolute paths; undefined when one is missing or cannot be read, which is an error where the files are needed: `because` says why,
 * as the beginning of a sentence.
 */
function readCertificates(
  onem2m: Located<Onem2m | undefined>,
  because: string | undefined,
  { folder, check }: Disk,
  findings: Findings,
): TlsFiles | undefined {
  const section = onem2m.value?.ssl_certs?.value;
  if (section === undefined && because !== undefined) findings.error(onem2m, `"ssl_certs" is missing; ${because}`);
  const read = section && certificatesForm(because)(section, findings);
  if (section === undefined || read === undefined) return undefined;
  const [key, crt, ca] = [read.key, read.crt, read.ca].map((text) => {
    if (text?.value === undefined) return undefined;
    const path = resolve(folder, text.value);
    const why = check(path);
    if (why !== undefined && because !== undefined) {
      const lookedFor = relative(process.cwd(), path) || path;
      findings.error(text, `${quoted(text.value)} ${why} (looked for at ${lookedFor}); ${because}`);
    }
    return why === undefined ? path : undefined;
  });
  if (key !== undefined && crt !== undefined && ca !== undefined) return { key, crt, ca };
  if (because === undefined) {
    findings.note(introductionOf(section), 'these files are not all there, and without HTTPS nobody needs them');
  }
  return undefined;
}

/** This CSE: `isHttps` is undefined when it does not listen, or when that is unknown. */
interface ThisCse {
  readonly cseId: string | undefined;
  readonly isHttps: boolean | undefined;
}

/** Checks a remote CSE against the others, whose identifiers are `seen`, and against this one. */
function checkRemote(
  { cse_id: cseId, own_poa, poa }: RemoteSection,
  own: ThisCse,
  seen: Set<string>,
  findings: Findings,
): void {
  if (cseId?.value !== undefined) {
    if (cseId.value === own.cseId) findings.error(cseId, `${quoted(cseId.value)} is this CSE itself`);
    if (seen.has(cseId.value)) findings.error(cseId, `${quoted(cseId.value)} stands twice among the remote CSEs`);
    seen.add(cseId.value);
  }
  for (const one of own_poa?.value ?? []) checkOwnPoa(one, own, findings);
  const origins = valuesOf(own_poa).map((url) => new URL(url).origin);
  for (const one of poa?.value ?? []) checkPoa(one, origins, own, findings);
}

function checkOwnPoa(one: Located<string>, { isHttps }: ThisCse, findings: Findings): void {
  if (isHttps === undefined || isSecure(one.value) === isHttps) return;
  const says = isHttps ? 'enable_https is true, so it must be an https one' : 'enable_https is false';
  findings.error(one, `${quoted(one.value)} is where the other CSE reaches this one, but ${says}`);
}

/**
 * Documented: "When HTTPS is enabled on both CSEs, own_poa and poa entries must use the https scheme." A CSE that speaks HTTPS
 * itself is taken to have a peer that does. The other mixture is permitted, and worth a note.
 */
function checkPoa(one: Located<string>, ownOrigins: readonly string[], { isHttps }: ThisCse, findings: Findings): void {
  if (ownOrigins.includes(new URL(one.value).origin)) {
    findings.error(one, `${quoted(one.value)} stands in own_poa too, so it leads to this CSE itself`);
  } else if (isHttps === true && !isSecure(one.value)) {
    findings.error(one, `${quoted(one.value)} must be an https URL, because enable_https is true`);
  } else if (isHttps === false && isSecure(one.value)) {
    findings.note(
      one,
      'this CSE speaks plain HTTP and is to reach the other one by HTTPS; when both speak HTTPS, all URLs are https',
    );
  }
}
