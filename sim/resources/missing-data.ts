/** Missing data of a time series (TS-0001, clause 10.2.4.29): each instance is due `pei` after the previous one. */

import type { CseConfiguration } from '../core/configuration.ts';
import { microsecondsPerMillisecond } from '../core/numbers.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';

interface Detection {
  /** When the next instance is due, microseconds since 1970 UTC; undefined before the first one. */
  expected: number | undefined;
  cancel: () => void;
}

const detections = new WeakMap<Resource, Detection>();

/** `dgt` in microseconds since 1970 UTC; a number or unreadable value stays as it is. */
export function timeOf(generated: unknown, { dialect }: CseConfiguration): unknown {
  const read = typeof generated === 'string' ? dialect.read('timestamp', generated) : undefined;
  return typeof read === 'number' ? read : generated;
}

/** Starts the detection of missing data where `mdd` is true, and stops it otherwise. */
export function detectMissingData(series: Resource): void {
  stopDetection(series);
  if (series.values.mdd !== true || series.values.pei === undefined) return;
  detections.set(series, { expected: undefined, cancel: () => {} });
}

export function stopDetection(series: Resource): void {
  detections.get(series)?.cancel();
  detections.delete(series);
}

/** An instance was stored. */
export function instanceArrived(series: Resource, instance: Resource, services: Services): void {
  const detection = detections.get(series);
  const time = timeOf(instance.values.dgt, services.configuration);
  if (detection === undefined || typeof time !== 'number') return;
  const { interval, tolerance } = timingOf(series);
  if (detection.expected === undefined) detection.expected = time + interval;
  else {
    skipUntil(series, detection, time - tolerance);
    while (time > detection.expected + tolerance) recordMissing(series, detection, services);
    if (time >= detection.expected - tolerance) detection.expected += interval;
  }
  wait(series, detection, services);
}

/** At most so many are listed and notified because of one instance, whose time may be anywhere in past or future. */
const maxAtOnce = 1000;

/** Counts the earliest of many missing data points without listing them. */
function skipUntil(series: Resource, detection: Detection, until: number): void {
  if (detection.expected === undefined) return;
  const { interval } = timingOf(series);
  const number = Math.floor((until - detection.expected) / interval) - maxAtOnce;
  if (number <= 0) return;
  series.values = { ...series.values, mdc: countOf(series, number) };
  detection.expected += number * interval;
}

/** The count with so many more missing: at most the number listed. */
function countOf({ values: { mdc, mdn } }: Resource, more: number): number {
  return Math.min(Number(mdc ?? 0) + more, typeof mdn === 'number' ? mdn : Number.POSITIVE_INFINITY);
}

/** In microseconds. */
function timingOf({ values }: Resource): { interval: number; tolerance: number; timeout: number } {
  const of = (name: string) => Number(values[name] ?? 0) * microsecondsPerMillisecond;
  return { interval: of('pei'), tolerance: of('peid'), timeout: of('mdt') };
}

/** Waits until the next instance is late. */
function wait(series: Resource, detection: Detection, services: Services): void {
  detection.cancel();
  if (detection.expected === undefined) return;
  const { clock } = services.ports;
  const { timeout } = timingOf(series);
  skipUntil(series, detection, clock.now() - timeout);
  const milliseconds = (detection.expected + timeout - clock.now()) / microsecondsPerMillisecond;
  detection.cancel = clock.schedule(Math.max(0, milliseconds), () => {
    recordMissing(series, detection, services);
    wait(series, detection, services);
    return services.notifier.settled();
  });
}

function recordMissing(series: Resource, detection: Detection, { configuration, notifier }: Services): void {
  const { expected } = detection;
  if (expected === undefined) return;
  const { mdlt, mdn } = series.values;
  const time = String(configuration.dialect.write('timestamp', expected));
  const missing = [...((mdlt as readonly string[] | undefined) ?? []), time];
  series.values = {
    ...series.values,
    mdlt: typeof mdn === 'number' ? missing.slice(-mdn) : missing,
    mdc: countOf(series, 1),
  };
  detection.expected = expected + timingOf(series).interval;
  if (series.subscriptions !== undefined) notifier.reportMissing(series, time);
}
