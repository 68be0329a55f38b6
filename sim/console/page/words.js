// @ts-check
/** How things are said on the page. */

/** @type {Record<string, string>} */
const kinds = {
  cb: 'CSE base',
  ae: 'application',
  cnt: 'container',
  cin: 'instance',
  sub: 'subscription',
  grp: 'group',
  acp: 'access policy',
  csr: 'remote CSE',
  pch: 'polling channel',
  nod: 'node',
  fcnt: 'flexible container',
  ts: 'time series',
  tsi: 'time series instance',
};

/** @param {string} kind */
export const kindName = (kind) => kinds[kind] ?? kind;

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `14:03:59.120` of microseconds, in UTC as everything in a CSE. @param {number} at */
export const timeOfDay = (at) => new Date(at / 1000).toISOString().slice(11, 23);

/** `2026-03-02 14:03:59` @param {number} at */
export const dateAndTime = (at) => new Date(at / 1000).toISOString().slice(0, 19).replace('T', ' ');

/** @param {number} milliseconds */
export const tookText = (milliseconds) =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * How well an exchange went, as a class of the style sheet.
 * @param {{ status?: number, problem?: string }} summary
 */
export function toneOf({ status, problem }) {
  if (problem !== undefined) return 'bad';
  if (status === undefined) return 'quiet';
  if (status >= 500) return 'bad';
  return status >= 400 ? 'open' : 'good';
}
