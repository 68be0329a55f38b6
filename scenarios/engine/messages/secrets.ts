import type { HeaderList } from './target.ts';

const secretNames =
  /^(proxy-)?authorization$|^(set-)?cookie$|(^|-)(auth|key|signature)(-|$)|token|secret|passw|api-?key|credential|session/i;
const secretParameters = /^(auth|sig|signature|key)$|token|secret|passw|api[-_]?key|credential|session/i;

/** Whether a header holds what only the target is to know. */
export function isSecretHeader(name: string): boolean {
  return secretNames.test(name);
}

/** Whether a parameter of a query holds what only the target is to know. */
export function isSecretParameter(name: string): boolean {
  return secretParameters.test(name);
}

/** Headers as reports and command lines show them: three asterisks stand for what only the target is to know. */
export function shownHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, value !== '' && isSecretHeader(name) ? '***' : value] as const);
}

/** A request target as reports and command lines show it: as it is, except for parameters of its query that hold secrets. */
export function shownPath(path: string): string {
  if (!path.includes('=')) return path;
  return path.replace(/([?&])([^=&#]*)=([^&#]+)/g, (whole, mark: string, name: string) =>
    isSecretParameter(name) ? `${mark}${name}=***` : whole,
  );
}
