/** Whether a certificate leads to a root, as a TLS peer would find. */
import type { X509Certificate } from 'node:crypto';

const longest = 10;

/** The sentence that says which date is wrong. */
export function datesProblem(
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  now: number,
): string | undefined {
  const [from, until] = [new Date(validFrom), new Date(validTo)];
  if (from.getTime() > now) return `it is not valid before ${from.toISOString().slice(0, 10)}`;
  if (until.getTime() < now) return `it expired on ${until.toISOString().slice(0, 10)}`;
  return undefined;
}

/**
 * What keeps a certificate from being verified by these authorities; undefined when nothing does.
 * `sent` are the intermediate certificates in its own file, which its holder sends along.
 */
export function chainProblem(
  own: X509Certificate,
  sent: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): string | undefined {
  const known = [...authorities, ...sent];
  let at = own;
  for (let step = 0; step < longest; step++) {
    if (isIssuedBy(at, at) && authorities.some((one) => isSame(one, at))) return undefined;
    const issuer = known.find((one) => !isSame(one, at) && one.ca && isIssuedBy(at, one));
    if (issuer === undefined) break;
    const problem = datesProblem(issuer, now);
    if (problem !== undefined) return `its authority ${commonName(issuer)}: ${problem}`;
    at = issuer;
  }
  return 'it leads to no root of ca-chain.cert.pem';
}

export function commonName({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject;
}

const isSame = (one: X509Certificate, other: X509Certificate): boolean => one.fingerprint256 === other.fingerprint256;

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
