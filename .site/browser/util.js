/** By value, as JSON has them. */
export * from 'absent:util';

export function isDeepStrictEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(one[key], other[key]));
}
export const inspect = (value) => JSON.stringify(value) ?? String(value);
