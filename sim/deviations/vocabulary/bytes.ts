/** Texts and their bytes in UTF-8, as every platform has them. */
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const noBytes: Uint8Array = new Uint8Array(0);

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** What is no UTF-8 becomes U+FFFD. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The bytes of a value's JSON. */
export const jsonBytes = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value));

/** Each byte as the letter of Latin-1 with its number. */
export const latin1Of = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Two hexadecimal digits for each byte. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What base64 text encodes, as far as it is base64. */
export function base64Bytes(text: string): Uint8Array {
  const letters = text.replace(/=.*$/s, '').replace(/[^A-Za-z0-9+/]/g, '');
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}
