/** The dialect of a CSE: that of the interface specification, or the standard's own binding (TS-0009). */
export const dialects = ['documented', 'onem2m'] as const;
export type Dialect = (typeof dialects)[number];

/** As the last level of a topic and the end of a media type have them (TS-0004, clause 8). */
export const serializations = ['json', 'cbor'] as const;
export type Serialization = (typeof serializations)[number];
