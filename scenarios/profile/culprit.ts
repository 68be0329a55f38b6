/** The one of these that brings something about when it is among others; those that did before are looked at first. Undefined where no single one does. */
export async function culpritIn(
  all: readonly string[],
  happens: (some: readonly string[]) => Promise<boolean>,
  suspects: readonly string[] = [],
): Promise<string | undefined> {
  for (const one of suspects) if (all.includes(one) && (await happens([one]))) return one;
  let some = all;
  while (some.length > 1) {
    const half = Math.ceil(some.length / 2);
    const first = some.slice(0, half);
    const second = some.slice(half);
    if (await happens(first)) some = first;
    else if (await happens(second)) some = second;
    else return undefined;
  }
  const [one] = some;
  return one !== undefined && (await happens([one])) ? one : undefined;
}
