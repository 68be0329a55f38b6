/** Bodies as values, and headers by name. */
import { attempt } from '../core/status.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The JSON value of a body; undefined when it has none. */
export function jsonIn(body: string | Uint8Array): unknown {
  if (body.length === 0) return undefined;
  return attempt(() => JSON.parse(typeof body === 'string' ? body : decoder.decode(body)));
}

/** Without undefined ones. */
export function inLowerCase<Value = string>(
  headers: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const lower: Record<string, Value> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
