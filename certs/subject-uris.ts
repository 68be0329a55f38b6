import type { X509Certificate } from 'node:crypto';

/**
 * The URIs of the subjectAltName. node gives the names as one text; a name with a comma, a quote or a backslash stands in it
 * as a JSON string, so that no name can pass for two (node's release notes on CVE-2021-44532).
 */
export function subjectUris(certificate: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return urisIn(certificate.subjectAltName ?? '');
}

/** The same of the text as `node:tls` gives it for a peer, `subjectaltname`. */
export function urisIn(names: string): string[] {
  const found = names.matchAll(/(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return [...found].flatMap(([, kind, value = '']) => (kind === 'URI' ? [unquote(value)] : []));
}

const unquote = (value: string): string => (value.startsWith('"') ? (JSON.parse(value) as string) : value);
