/**
 * The origin form of a request target (RFC 9112, clause 3.2): raw path and query.
 * Absolute form loses scheme and authority; `*` stays for OPTIONS. Undefined: the target is not valid for the method.
 */
export function originForm(method: string, target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target.charCodeAt(0) === SLASH) return target;
  if (target === '*') return method === 'OPTIONS' ? target : undefined;
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute === null) return undefined;
  const pathAndQuery = absolute[1] ?? '';
  if (pathAndQuery === '') return method === 'OPTIONS' ? '*' : '/';
  return pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`;
}

const SLASH = 0x2f;
const ABSOLUTE_FORM = /^https?:\/\/[^/?]+(.*)$/is;
