/** Tokens by which a server of ours knows whoever it was told to trust. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 letters, digits, `-` and `_`. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** Takes as long for a token that is nearly right. */
export function isSameToken(candidate: string | string[] | undefined, token: string): boolean {
  if (typeof candidate !== 'string') return false;
  const [one, other] = [Buffer.from(candidate), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
