/** Deviations that were drawn, in the words of rows: what a CSE does with them is said there. */
import type { Row } from '../language/schema.ts';
import { type Does, type DrawnDeviation, type LetterClass, type When, wordsFor } from './drawn-deviation.ts';
import { installedIn } from './outgoing-operators.ts';

/** The row, to be given to a CSE or written into a file. */
export function rowOf(deviation: DrawnDeviation): Row {
  const { when, does } = deviation;
  const says = wordsFor(deviation);
  const installed = installedIn(deviation);
  if (installed !== undefined) return { id: idFor(says), says, ...installed.part };
  const { after, ...what } = effectOf(does as Does, when.type ?? 'any');
  return {
    id: idFor(says),
    says,
    when: { ...selectorOf(when), ...after },
    ...(when.nth && { nth: when.nth }),
    does: what,
  };
}

const idFor = (says: string) => `drawn.${says.replace(/[^\w.-]+/g, '-')}`;

const methods = { create: 'POST', retrieve: 'GET', update: 'PUT', delete: 'DELETE', notify: 'POST' } as const;

function selectorOf({ operation, type, address, by }: When): Record<string, unknown> {
  return {
    ...(operation && { method: methods[operation] }),
    ...(type && aboutType(type, operation === undefined ? undefined : operation === 'create')),
    ...(address && { form: address }),
    ...(by && { 'target.creator': by === 'creator' ? '$from' : { not: '$from' } }),
  };
}

/** The type of what is created, or of what is addressed. */
function aboutType(type: string, creates: boolean | undefined): Record<string, unknown> {
  if (creates !== undefined) return { [creates ? 'root' : 'target.root']: type };
  return {
    either: [
      { method: 'POST', root: type },
      { method: { not: 'POST' }, 'target.root': type },
    ],
  };
}

const spellings: Readonly<Record<LetterClass, object>> = {
  'upper case': { lower: true },
  'beyond ASCII': { replace: ['[^\\x00-\\x7f]', '?'] },
  'white space': { replace: ['^\\s+|\\s+$', ''] },
  digits: { replace: ['^0+(?=\\d)', ''] },
};

type Effect = Record<string, unknown> & { readonly after?: Record<string, unknown> };

/** What is done, and what more has to be so of the answer. */
function effectOf(does: Does, type: string): Effect {
  if ('drop' in does || 'ignore' in does) return does;
  if ('succeed' in does) return { after: { done: true }, code: does.succeed };
  if ('refuse' in does) return { after: { code: does.refuse[0] }, code: does.refuse[1] };
  if ('reject' in does) return { refuse: does.reject };
  if ('pretend' in does) return pretending(does.pretend === 'update' ? 2004 : 2002);
  if ('stale' in does) return { stale: true };
  if ('trust' in does) return { after: { code: 4103 }, retry: { as: 'administrator' } };
  if ('lose' in does)
    return { lists: { if: [{ count: { above: does.above ?? 0 } }, { [`without-${does.lose}`]: 1 }] } };
  if ('repeat' in does) return { lists: { append: { [does.repeat]: 1 } } };
  if ('freeze' in does) return { 'show-all': { [type]: { [does.freeze]: `$first.${does.freeze}` } } };
  if ('borrow' in does)
    return {
      'show-all': { [type]: { [does.borrow]: { 'first-of': [`$last.${does.borrow}`, `$one.${does.borrow}`] } } },
    };
  return { show: shownBy(does) };
}

type ShowDoes = Extract<
  Does,
  { swap: readonly [string, string] } | { truncate: string } | { in: string } | { to: string } | { at: number }
>;

function shownBy(does: ShowDoes): Record<string, unknown> {
  if ('swap' in does) {
    const [one, other] = does.swap;
    return { [one]: { if: ['present', `$shown.${other}`] }, [other]: { if: ['present', `$shown.${one}`] } };
  }
  if ('letters' in does) return { [does.in]: spellings[does.letters] };
  if ('add' in does) return { [does.to]: { if: [{ above: does.above ?? 0 }, { plus: does.add }] } };
  if ('truncate' in does) return { [does.truncate]: { cut: does.at } };
  return 'stop' in does ? { [does.stop]: { 'at-most': does.at } } : { [does.wrap]: { modulo: does.at } };
}

/** The resource is shown as it is, with the code of what was to be done. */
function pretending(code: number): Effect {
  return { after: { done: true }, method: 'GET', ask: { rcn: null }, hear: { 'content-type': null }, code };
}
