type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that are not undefined, as optional properties take them: `{ ...usual, ...defined({ port, timeout }) }`. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Members>;
}

/** A text beside those that a type names, so that an editor still offers them. */
export type OtherText = string & Record<never, never>;
