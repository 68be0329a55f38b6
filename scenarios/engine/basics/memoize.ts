/** The value of a key; made and kept when the map has none. */
export function getOrAdd<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The same function, remembering its results for at most so many texts, none longer than `longest`. */
export function memoized<Value>(
  make: (text: string) => Value,
  { most, longest = Number.POSITIVE_INFINITY }: { readonly most: number; readonly longest?: number },
): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.value;
    const value = make(text);
    if (known.size >= most) known.clear();
    if (text.length <= longest) known.set(text, { value });
    return value;
  };
}

/** Made on first use. */
export function lazy<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
