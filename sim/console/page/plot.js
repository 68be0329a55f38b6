// @ts-check
/** A small picture of the latest numbers in a container. */
import { numberIn } from './content.js';
import { h } from './preact.js';
import { timeOfDay } from './words.js';

const [width, height, edge] = [320, 96, 6];

/** Nothing where there are fewer than two numbers. @param {{ at: number, con: unknown, cnf: unknown }[]} instances */
export function plot(instances) {
  const numbers = instances.flatMap(({ at, con, cnf }) => {
    const found = numberIn(con, cnf);
    return found === undefined ? [] : [{ at, ...found }];
  });
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined || numbers.length < 2) return null;
  const values = numbers.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (/** @type {number} */ at) => edge + ((at - first.at) / (last.at - first.at || 1)) * (width - 2 * edge);
  const y = (/** @type {number} */ value) => height - edge - ((value - low) / (high - low || 1)) * (height - 2 * edge);
  const points = numbers.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const says = `${numbers.length} numbers from ${low} to ${high}, the latest ${last.value}`;
  return h(
    'figure',
    { class: 'plot' },
    h(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': says, preserveAspectRatio: 'none' },
      h('polyline', { points: points.join(' ') }),
    ),
    h(
      'figcaption',
      {},
      h('strong', {}, String(last.value), last.name === undefined ? '' : ` ${last.name}`),
      h(
        'span',
        { class: 'muted' },
        ` latest of ${numbers.length}, ${low} to ${high}, ${timeOfDay(first.at).slice(0, 8)} to ${timeOfDay(last.at).slice(0, 8)}`,
      ),
    ),
  );
}
