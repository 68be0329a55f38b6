/** What a row can name: by a path such as `given.mid`, `target.ri` or `shown.cni`. */

/** The parts by their names; each is made when somebody first asks for it. */
export type Scope = ReadonlyMap<string, () => unknown>;

export type Attributes = Record<string, unknown>;

export function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path: the longest part that there is, then names and places in lists. Undefined where nothing does. */
export function at(path: string, scope: Scope): unknown {
  const names = path.split('.');
  for (let count = names.length; count > 0; count--) {
    const part = scope.get(names.slice(0, count).join('.'));
    if (part !== undefined) return names.slice(count).reduce<unknown>(inner, part());
  }
  return undefined;
}

/** What has this name in a value; behind a list, a number is a place (-1 the last), and a name leads to what stands there in all of them. */
export function inner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === 'length') return value.length;
    if (/^-?\d+$/.test(name)) return value.at(Number(name));
    return value.flatMap((one) => inner(one, name) ?? []);
  }
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text with the values of what stands in `${path}` in it. */
export function filled(text: string, scope: Scope, written: (value: string) => string = String): string {
  return text.replace(/\$\{([^}]+)\}/g, (_whole, path: string) => written(String(at(path, scope) ?? '')));
}

/** Parts that are made once. */
export function scopeOf(parts: Readonly<Record<string, () => unknown>>): Map<string, () => unknown> {
  return new Map(Object.entries(parts).map(([name, make]) => [name, once(make)]));
}

function once(make: () => unknown): () => unknown {
  let made: { readonly value: unknown } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
