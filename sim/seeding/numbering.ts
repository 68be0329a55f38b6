/** `{n}` in a text stands for a number that counts from 1; `{nn}` has two digits at least, and so on. */
export function numbered<Value>(value: Value, number: number | undefined): Value {
  if (number === undefined) return value;
  return withNumber(value, number) as Value;
}

function withNumber(value: unknown, number: number): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{(n+)\}/g, (_, digits: string) => String(number).padStart(digits.length, '0'));
  }
  if (Array.isArray(value)) return value.map((item) => withNumber(item, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNumber(item, number)]));
}
