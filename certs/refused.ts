/** The defects of certificates made to be refused, and how a CSE treats each. */
export interface Defect {
  /** The part that an examination finds wrong; undefined where the defect is in the names or the purpose. */
  readonly affects?: 'dates' | 'chain';
  readonly meaning: string;
}

const cutOff = 'a CSE gives no HTTP answer';
const refused = 'a CSE answers 403, response status code 4103';

const known = {
  expired: { affects: 'dates', meaning: `out of date; ${cutOff}` },
  'not-yet-valid': { affects: 'dates', meaning: `not valid yet; ${cutOff}` },
  'other-authority': { affects: 'chain', meaning: `of an untrusted authority; ${cutOff}` },
  'self-signed': { affects: 'chain', meaning: `signed by itself; ${cutOff}` },
  'server-only': { meaning: `not for clients; ${cutOff}` },
  'no-alternative-names': { meaning: `names nobody; ${refused}` },
  'dns-only': { meaning: `names a host only; ${refused}` },
  'two-uris': { meaning: 'two identifiers; a CSE takes either and no other' },
  'wrong-identifier': { meaning: `of somebody else; ${refused}` },
} as const satisfies Record<string, Defect>;

/** What can be wrong with the certificate of a client. */
export type DefectName = keyof typeof known;
export const defectNames = Object.keys(known) as readonly DefectName[];
export const defects: Readonly<Record<DefectName, Defect>> = known;
