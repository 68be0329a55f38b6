/** How a CSE speaks: as the interface specification says, or by the standard's own binding (TS-0009). */
export const dialects = ['documented', 'onem2m'] as const;
export type Dialect = (typeof dialects)[number];
