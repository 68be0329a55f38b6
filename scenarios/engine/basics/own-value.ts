/** An object's own value for a name from outside; never an inherited one such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
