/** When and for what rules of policies hold. */

import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { isObject } from '../vocabulary/representations.ts';
import { takingRule } from '../vocabulary/standard-taken.ts';

/** The contexts of a rule, changed; none left over means that it always holds. */
function takingContexts(change: (contexts: readonly Attributes[]) => readonly Attributes[]) {
  return takingRule((rule) => {
    if (!Array.isArray(rule.acco)) return rule;
    const { acco, ...others } = rule;
    const taken = change(acco as readonly Attributes[]);
    return taken.length > 0 ? { ...others, acco: taken } : others;
  });
}

/** Whether a context asks for one thing only, and it is this. */
const asksOnlyFor = (name: string) => (context: Attributes) => Object.keys(context).join() === name;
const never: Attributes = { actw: ['* * * * * * 1970'] };

/** A rule with one context that asks for one thing only: that always holds. */
const ignoring = (name: string) =>
  takingContexts((contexts) => (contexts.length === 1 && contexts.every(asksOnlyFor(name)) ? [] : contexts));

const circumstances: readonly Fault[] = [
  breaking(
    'std.access.time.inside',
    'never',
    'A rule of pv with one context that has one time window, and nothing else, never holds.',
    takingContexts((all) => {
      const [only] = all.filter(asksOnlyFor('actw'));
      return all.length === 1 && Array.isArray(only?.actw) && only.actw.length === 1 ? [never] : all;
    }),
  ),
  breaking(
    'std.access.time.outside',
    'always',
    'A rule of pv with one context that has only time windows always holds.',
    ignoring('actw'),
  ),
  breaking(
    'std.access.time.one-of-several',
    'first-only',
    'Of several time windows of a context of pv only the first is looked at.',
    takingContexts((all) =>
      all.map((context) => (Array.isArray(context.actw) ? { ...context, actw: context.actw.slice(0, 1) } : context)),
    ),
  ),
  breaking(
    'std.access.region.outside',
    'always',
    'A rule of pv with one context that has only a region always holds.',
    ignoring('aclr'),
  ),
  breaking(
    'std.access.address.listed',
    'without-prefix',
    'Addresses in a rule of pv are single ones: what stands behind their slash is not looked at.',
    takingContexts((all) =>
      all.map(({ acip, ...context }) => (isObject(acip) ? { ...context, acip: singleAddresses(acip) } : context)),
    ),
  ),
  breaking(
    'std.access.address.not-listed',
    'always',
    'A rule of pv with one context that has only addresses always holds.',
    ignoring('acip'),
  ),
  breaking(
    'std.access.context.all',
    'one-is-enough',
    'It is enough that one of the things that a context of pv asks for is met.',
    takingContexts((all) =>
      all.flatMap((context) => Object.entries(context).map(([name, value]): Attributes => ({ [name]: value }))),
    ),
  ),
  breaking(
    'std.access.context.one',
    'first-only',
    'Of several contexts of a rule of pv only the first is looked at.',
    takingContexts((all) => all.slice(0, 1)),
  ),
];

function singleAddresses(networks: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(networks).map(([name, list]) => [
      name,
      Array.isArray(list) ? list.map((network: string) => network.replace(/\/.*$/, '')) : list,
    ]),
  );
}

const objects: readonly Fault[] = [
  breaking(
    'std.access.kind.listed',
    'none',
    'A rule of pv for certain kinds of children allows to create none.',
    takingRule((rule) => (Array.isArray(rule.acod) ? { ...rule, acop: Number(rule.acop) & ~1 } : rule)),
  ),
  breaking(
    'std.access.kind.not-listed',
    'any',
    'A rule of pv for certain kinds of children allows to create all kinds.',
    takingRule(({ acod, ...rule }) => (JSON.stringify(acod)?.includes('"chty"') ? rule : { ...rule, acod })),
  ),
];

export const contexts: readonly Fault[] = [...circumstances, ...objects];
