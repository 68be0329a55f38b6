/** Pseudorandom numbers, the same for the same seed. */

/** From 0 to below 1. */
export type NextNumber = () => number;

const golden = 0x9e3779b9;

/** Each stream of a seed has its own sequence. */
export function seededNumbers(seed: number, stream = 0): NextNumber {
  let state = mixed(seed + Math.imul(stream + 1, golden));
  return () => {
    state = (state + golden) | 0;
    return (mixed(state) >>> 0) / 2 ** 32;
  };
}

/** Each bit of the result depends on each of the 32 bits given: an xor-shift-multiply finaliser with the constants of MurmurHash3. */
function mixed(bits: number): number {
  let mix = bits | 0;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}

export function between(next: NextNumber, from: number, to: number): number {
  return from + next() * (to - from);
}

/** The 99th percentile of the normal distribution, in standard deviations from the mean. */
const reach99 = 2.3263478740408408;

/** A number of the log-normal distribution with this median and 99th percentile. */
export function longTailed(next: NextNumber, median: number, p99: number): number {
  const spread = Math.log(p99 / median) / reach99;
  return median * Math.exp(spread * normal(next));
}

/** Box and Muller's transform of two numbers. */
function normal(next: NextNumber): number {
  const radius = Math.sqrt(-2 * Math.log(1 - next()));
  return radius * Math.cos(2 * Math.PI * next());
}
