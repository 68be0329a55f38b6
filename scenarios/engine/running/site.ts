/** The two CSEs of a pair; a single one is the gateway. */
export type Site = 'gateway' | 'backend';
