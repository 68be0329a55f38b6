/** What an object itself has under a name that came from outside; nothing that every object has, such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
