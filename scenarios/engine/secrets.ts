import type { HeaderList } from './targets/target.ts';

const secretNames =
  /^(proxy-)?authorization$|^(set-)?cookie$|(^|-)(auth|key|signature)(-|$)|token|secret|passw|api-?key|credential|session/i;

/** Headers as reports and command lines show them: three asterisks stand for what only the target is to know. */
export function shownHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, value !== '' && secretNames.test(name) ? '***' : value] as const);
}
