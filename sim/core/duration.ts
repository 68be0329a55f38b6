/** ISO 8601 durations (xs:duration), with months of 30 days and years of 365. */
const form = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

const seconds = [365 * 86_400, 30 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1];

/** Milliseconds of `PT1M30S`; undefined unless a duration. */
export function millisecondsOf(duration: string): number | undefined {
  const match = form.exec(duration);
  const parts = match?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (seconds[index] ?? 0), 0) * 1000;
}
