/** Reissues a certificate for another URI: making one of its parts takes twenty times as long as signing it. */
import { type KeyObject, randomFillSync, sign, X509Certificate } from 'node:crypto';

const sequence = 0x30;
const bitString = 0x03;

/**
 * PEM of the same certificate for another URI of the same length, with a serial number of its own, signed anew by ECDSA with SHA-256, as
 * it was (RFC 5280, 4.1). Undefined unless the URI occurs in it exactly once, byte for byte.
 */
export function reissue(cert: string, from: string, to: string, authorityKey: KeyObject): string | undefined {
  const [toBeSigned, algorithm] = partsOf(new X509Certificate(cert).raw);
  if (toBeSigned === undefined || algorithm === undefined) return undefined;
  const at = toBeSigned.indexOf(from, 'latin1');
  const isThereOnce = at >= 0 && !toBeSigned.includes(from, at + 1, 'latin1');
  // A letter of several bytes would change the length.
  if (!isThereOnce || Buffer.byteLength(to) !== from.length || to.length !== from.length) return undefined;
  toBeSigned.write(to, at, 'latin1');
  const [, number] = partsOf(toBeSigned);
  // Tag, length and two bytes stay: they keep it positive and as short as it has to be.
  if (number !== undefined) randomFillSync(number, 4);
  const signature = sign('sha256', toBeSigned, authorityKey);
  const whole = element(sequence, toBeSigned, algorithm, element(bitString, Buffer.of(0), signature));
  return new X509Certificate(whole).toString();
}

/** The elements of a sequence in DER, each with tag and length, as views of its bytes. */
function partsOf(der: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = headOf(der, 0).head; at < der.length; ) {
    const { head, body } = headOf(der, at);
    parts.push(der.subarray(at, at + head + body));
    at += head + body;
  }
  return parts;
}

/** Lengths in bytes. */
function headOf(der: Buffer, at: number): { readonly head: number; readonly body: number } {
  const first = der.readUInt8(at + 1);
  if (first < 0x80) return { head: 2, body: first };
  const more = first - 0x80;
  return { head: 2 + more, body: der.readUIntBE(at + 2, more) };
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length % 0x100];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}
