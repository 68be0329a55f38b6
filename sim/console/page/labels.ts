/** Labels and texts of the page. */
import type { MessageSummary } from '../traffic.ts';

const types = new Map([
  ['cb', 'CSE base'],
  ['ae', 'application'],
  ['cnt', 'container'],
  ['cin', 'instance'],
  ['sub', 'subscription'],
  ['grp', 'group'],
  ['acp', 'access policy'],
  ['csr', 'remote CSE'],
  ['pch', 'polling channel'],
  ['nod', 'node'],
  ['fcnt', 'flexible container'],
  ['ts', 'time series'],
  ['tsi', 'time series instance'],
]);

/** Of a short name: `cnt`. */
export const typeName = (short: string): string => types.get(short) ?? short;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `14:03:59.120` of microseconds, in UTC as everything in a CSE. */
export const timeOfDay = (at: number): string => new Date(at / 1000).toISOString().slice(11, 23);

/** `2026-03-02 14:03:59` */
export const dateAndTime = (at: number): string => new Date(at / 1000).toISOString().slice(0, 19).replace('T', ' ');

export const tookText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** Sender and receiver, and the wire where it is not HTTP. */
export const routeText = ({ from, to, wire }: MessageSummary): string =>
  `${from} to ${to}${wire ? ` over ${wire}` : ''}`;

/** How well an exchange went, as a class of the style sheet. */
export function toneOf({ status, problem }: MessageSummary): 'bad' | 'open' | 'good' | 'quiet' {
  if (problem !== undefined) return 'bad';
  if (status === undefined) return 'quiet';
  if (status >= 500) return 'bad';
  return status >= 400 ? 'open' : 'good';
}

/** The words of a search, in small letters. */
export const searchWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
