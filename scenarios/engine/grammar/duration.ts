const unitMilliseconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }),
);

/** Milliseconds of a time such as `90s`, `500ms`, `1h`; the grammar lets nothing else through. */
export function milliseconds(duration: string): number {
  const [, number, unit = 's'] = /^([\d.]+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Number(number) * (unitMilliseconds.get(unit) ?? 1);
}
