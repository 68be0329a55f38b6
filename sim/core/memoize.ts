/** Values that are made once. */
interface Store<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of the key; made and stored where there is none. */
export function getOrInsert<Key, Value>(map: Store<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The same for a promise, which is forgotten when it rejects: the next call tries it again. */
export function getOrTry<Key, Result>(
  map: Map<Key, Promise<Result>>,
  key: Key,
  start: () => Promise<Result>,
): Promise<Result> {
  return getOrInsert(map, key, () => {
    const started = start();
    started.catch(() => map.delete(key));
    return started;
  });
}

/** Made at the first call. */
export function lazy<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
