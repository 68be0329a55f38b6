type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that are not undefined, for optional properties: `{ ...usual, ...defined({ port, timeout }) }`. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Members>;
}

/** Any other text in a union of named ones, so that editors still offer those. */
export type OtherText = string & Record<never, never>;
