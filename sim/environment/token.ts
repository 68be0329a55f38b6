/** Tokens that authenticate clients of our servers. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 letters, digits, `-` and `_`. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** In constant time, even for a nearly right token. */
export function isSameToken(candidate: string | string[] | undefined, token: string): boolean {
  if (typeof candidate !== 'string') return false;
  const [one, other] = [Buffer.from(candidate), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
