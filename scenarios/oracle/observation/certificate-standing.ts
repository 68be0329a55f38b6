/** Standing of a client certificate at a CSE that demands one. */
import type { CertificateName } from '../../engine/grammar/vocabulary.ts';

export const standings = [
  'none',
  'outside its validity',
  'of another issuer',
  'for servers only',
  'of somebody else',
  'of the originator',
] as const;
/** `none`: no certificate. `of the originator`, `of somebody else`: whether it names the originator of the request. */
export type Standing = (typeof standings)[number];

export interface PresentedCertificate {
  /** The name of the certificate, such as `own`; absent where none was presented. */
  readonly certificate: string | undefined;
  /** Its URIs, if known. */
  readonly uris: readonly string[] | undefined;
  readonly originator: string | undefined;
}

const untrusted: ReadonlyMap<string, Standing> = new Map<CertificateName, Standing>([
  ['expired', 'outside its validity'],
  ['not yet valid', 'outside its validity'],
  ['other authority', 'of another issuer'],
  ['self-signed', 'of another issuer'],
  ['server only', 'for servers only'],
]);
/** The specification does not say for whom a CSE vouches. */
const open = new Set<string>(['gateway', 'backend'] satisfies CertificateName[]);

/** Undefined if unknown. */
export function standingOf({ certificate, uris = [], originator }: PresentedCertificate): Standing | undefined {
  if (certificate === undefined) return 'none';
  const wrong = untrusted.get(certificate);
  if (wrong !== undefined || open.has(certificate)) return wrong;
  if (originator === undefined || uris.length === 0) return undefined;
  if (uris.includes(originator)) return 'of the originator';
  // The short form may stand for the same identifier, or not.
  return uris.some((uri) => lastOf(uri) === lastOf(originator)) ? undefined : 'of somebody else';
}

function lastOf(identifier: string): string | undefined {
  return identifier.split('/').at(-1);
}
