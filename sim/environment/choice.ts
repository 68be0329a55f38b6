/** Throws a RangeError for a value that is none of the choices. TypeScript forbids one; in JavaScript it would count as another. */
export function checkChoice(option: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new RangeError(`${option} is ${JSON.stringify(value)}, and has to be one of ${choices.join(', ')}`);
}
