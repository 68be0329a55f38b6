/** What a client certificate says of whoever presents it, at a CSE that demands one. */
import type { CertificateName } from '../../engine/grammar/vocabulary.ts';

export const standings = [
  'none',
  'outside its validity',
  'of another issuer',
  'for servers only',
  'of somebody else',
  'of the originator',
] as const;
/** `none`: there is no certificate. `of the originator`, `of somebody else`: whether it names the originator of the request. */
export type Standing = (typeof standings)[number];

export interface PresentedCertificate {
  /** The name of the certificate, such as `own`; absent where none was presented. */
  readonly certificate: string | undefined;
  /** The URIs that it holds; absent where they are not known. */
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
/** For whom a CSE vouches is not shown. */
const open = new Set<string>(['gateway', 'backend'] satisfies CertificateName[]);

/** Undefined where nobody can tell. */
export function standingOf({ certificate, uris = [], originator }: PresentedCertificate): Standing | undefined {
  if (certificate === undefined) return 'none';
  const wrong = untrusted.get(certificate);
  if (wrong !== undefined || open.has(certificate)) return wrong;
  if (originator === undefined || uris.length === 0) return undefined;
  if (uris.includes(originator)) return 'of the originator';
  // The short form of an identifier may stand for it, or not.
  return uris.some((uri) => lastOf(uri) === lastOf(originator)) ? undefined : 'of somebody else';
}

function lastOf(identifier: string): string | undefined {
  return identifier.split('/').at(-1);
}
