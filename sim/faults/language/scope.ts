/** What a row can name: by a path such as `given.mid`, `target.ri` or `shown.cni`. */

/** The parts by their names; each is made when somebody first asks for it. */
export type Scope = ReadonlyMap<string, () => unknown>;

export type Attributes = Record<string, unknown>;

export function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path: names and places in lists, with dots between them. Undefined where nothing does. */
export function at(path: string, scope: Scope): unknown {
  const whole = scope.get(path);
  if (whole !== undefined) return whole();
  const [first = '', ...names] = path.split('.');
  return names.reduce<unknown>(inner, scope.get(first)?.());
}

function inner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return name === 'length' ? value.length : value.at(Number(name));
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
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
