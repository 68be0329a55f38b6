/** What certificates that are made to be refused are like, and what becomes of them. */
export interface Mistake {
  /** Which part of an examination it shows in; undefined where everything fits and the names are the mistake, or the purpose. */
  readonly shows?: 'dates' | 'chain';
  readonly meaning: string;
}

const cutOff = 'a CSE gives no HTTP answer';
const refused = 'a CSE answers 403, response status code 4103';

const known = {
  expired: { shows: 'dates', meaning: `out of date; ${cutOff}` },
  'not-yet-valid': { shows: 'dates', meaning: `before its time; ${cutOff}` },
  'other-authority': { shows: 'chain', meaning: `of an authority nobody trusts; ${cutOff}` },
  'self-signed': { shows: 'chain', meaning: `vouches for itself; ${cutOff}` },
  'server-only': { meaning: `not for clients; ${cutOff}` },
  'no-alternative-names': { meaning: `names nobody; ${refused}` },
  'dns-only': { meaning: `names a host only; ${refused}` },
  'two-uris': { meaning: 'two identifiers; a CSE takes either and no other' },
  'wrong-identifier': { meaning: `of somebody else; ${refused}` },
} as const satisfies Record<string, Mistake>;

/** What can be wrong with the certificate of a client. */
export type RefusedKind = keyof typeof known;
export const refusedKinds = Object.keys(known) as readonly RefusedKind[];
export const mistakes: Readonly<Record<RefusedKind, Mistake>> = known;
