/** The JSON document that a content instance holds. */
import type { Resource } from './resource.ts';

const jsonInfo = /^application\/(?:[^:]+\+)?json:([0-2])/;

/** Undefined where the contentInfo does not say that it is JSON (TS-0001, annex J.2), or where it is not. */
export function jsonContent({ values }: Resource): unknown {
  const { cnf, con } = values;
  const [, encoding] = typeof cnf === 'string' ? (jsonInfo.exec(cnf) ?? []) : [];
  if (encoding === undefined || typeof con !== 'string') return encoding === undefined ? undefined : con;
  try {
    return JSON.parse(encoding === '0' ? con : decoded(con));
  } catch {
    return undefined;
  }
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
