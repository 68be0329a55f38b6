import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

export * from 'absent:crypto';

const functions = new Map(Object.entries({ sha1, sha256 }));

export function createHash(name) {
  const hash = functions.get(name).create();
  const made = {
    update(data) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return made;
    },
    digest(how) {
      const bytes = Buffer.from(hash.digest());
      return how === undefined ? bytes : bytes.toString(how);
    },
  };
  return made;
}
export const randomBytes = (size) => Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
export const randomUUID = () => crypto.randomUUID();
export const randomInt = (most) => Math.floor(Math.random() * most);
export const timingSafeEqual = (one, other) => Buffer.compare(one, other) === 0;
