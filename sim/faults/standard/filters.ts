/** What filter criteria pick. */

import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { withoutHeaders } from '../vocabulary/changed-answers.ts';
import {
  asking,
  by,
  criteriaIn,
  discoveringOtherwise,
  findingAlso,
  findingOnly,
  ignoring,
} from '../vocabulary/standard-discoveries.ts';
import { afterwards, beforehand, type Exchange } from '../vocabulary/standard-exchanges.ts';

const isOnly =
  (name: string) =>
  ({ about }: Exchange) =>
    about.discovery && criteriaIn(about.query) === name;

const holdsInstances = ({ instances }: Resource) => (instances?.size ?? 0) > 0;
const withoutCriterion = (name: string) => (exchange: Exchange) =>
  withQuery(exchange.request, (query) => query.delete(name));
const lower = (labels: readonly string[]) => labels.map((label) => label.toLowerCase());

const kindsAndLabels: readonly Fault[] = [
  breaking(
    'std.filter.ty',
    'holders',
    'A discovery by ty 4 alone also finds containers that hold content instances, behind these.',
    findingAlso(
      (exchange) => isOnly('ty')(exchange) && exchange.about.query.getAll('ty').join() === '4',
      withoutCriterion('ty'),
      holdsInstances,
    ),
  ),
  breaking(
    'std.filter.ty.several',
    'last-only',
    'Of several ty in the query only the last is looked at.',
    lastOnly('ty'),
  ),
  breaking(
    'std.filter.lbl.several',
    'last-only',
    'Of several lbl in the query only the last is looked at.',
    lastOnly('lbl'),
  ),
  breaking(
    'std.filter.list',
    'first-only',
    'Of several values in one lbl or ty only the first is looked at.',
    discoveringOtherwise(
      () => true,
      (query) => {
        for (const name of ['lbl', 'ty']) {
          const [only, ...others] = query.getAll(name);
          if (only !== undefined && others.length === 0) query.set(name, only.split(' ', 1)[0] ?? '');
        }
      },
    ),
  ),
  breaking(
    'std.filter.lbl.case',
    'same',
    'A discovery by label alone also finds labels in other letters, large for small, behind the others.',
    findingAlso(isOnly('lbl'), withoutCriterion('lbl'), ({ labels = [] }, { about }) =>
      lower(about.query.getAll('lbl')).some((label) => lower(labels).includes(label)),
    ),
  ),
];

function lastOnly(name: string) {
  return discoveringOtherwise(
    (query) => query.getAll(name).length > 1,
    (query) => query.set(name, query.getAll(name).at(-1) ?? ''),
  );
}

const together: readonly Fault[] = [
  breaking(
    'std.filter.and',
    'or',
    'Where fo is not given, and label and kind are, one of the two is enough.',
    discoveringOtherwise((query) => criteriaIn(query) === 'lbl ty' && !query.has('fo'), asking('fo', '2')),
  ),
  breaking(
    'std.filter.or',
    'and',
    'fo 2 is not looked at.',
    ignoring('fo', (query) => query.get('fo') === '2'),
  ),
];

/** A criterion that is not looked at, where it stands alone or with these. */
const ignored = (name: string, ...beside: readonly string[]) =>
  breaking(
    `std.filter.${name}`,
    'ignored',
    `A discovery by ${[name, ...beside].join(' and ')} alone does not look at ${name}.`,
    ignoring(name, (query) => criteriaIn(query) === [name, ...beside].sort().join(' ')),
  );

/** A criterion by which nothing is ever found. */
const nothing = (name: string, ...beside: readonly string[]) =>
  breaking(
    `std.filter.${name}`,
    'nothing',
    `A discovery by ${[name, ...beside].join(' and ')} alone finds nothing.`,
    findingOnly(isOnly([name, ...beside].sort().join(' ')), () => false),
  );

const times: readonly Fault[] = ['cra', 'crb', 'ms', 'us', 'exa', 'exb'].flatMap((name) => [
  breaking(
    `std.filter.${name}`,
    'ignored',
    `A discovery by ${name} alone does not look at ${name} when that is a time.`,
    ignoring(name, (query) => criteriaIn(query) === name && /^\d{8}T/.test(query.get(name) ?? '')),
  ),
  nothing(name),
]);

const sizes: readonly Fault[] = ['sza', 'szb'].flatMap((name) => [ignored(name, 'ty'), nothing(name, 'ty')]);
const stateTags: readonly Fault[] = ['stb', 'sts'].flatMap((name) => [ignored(name, 'ty'), nothing(name, 'ty')]);

const swapped: readonly Fault[] = [
  ...exchanged('sza', 'szb'),
  ...exchanged('stb', 'sts'),
  breaking('std.filter.sts', 'at-most', 'With sts and ty a state tag may be the value of sts.', moreBy('sts', 1)),
  breaking(
    'std.filter.stb',
    'any-at-equality',
    'A discovery by stb and ty does not look at stb where a child of its target has just that state tag.',
    beforehand(({ about, addressed, request, serve }) => {
      const stb = about.discovery ? about.query.get('stb') : null;
      const isOfChild = [...(addressed?.children?.values() ?? [])].some(({ stateTag }) => String(stateTag) === stb);
      return stb !== null && Number(stb) > 1 && isOfChild
        ? serve(withQuery(request, (query) => query.delete('stb')))
        : undefined;
    }),
  ),
  breaking('std.filter.cty', 'ignored', 'A discovery does not look at cty.', ignoring('cty')),
];

function exchanged(one: string, other: string): readonly Fault[] {
  return [
    [one, other],
    [other, one],
  ].map(([name = '', instead = '']) =>
    breaking(
      `std.filter.${name}`,
      `as-${instead}`,
      `A discovery by ${name} and ty takes ${name} for ${instead}.`,
      discoveringOtherwise(by(name, 'ty'), (query) => {
        query.set(instead, query.get(name) ?? '');
        query.delete(name);
      }),
    ),
  );
}

function moreBy(name: string, number: number) {
  return discoveringOtherwise(by(name, 'ty'), (query) => query.set(name, String(Number(query.get(name)) + number)));
}

const byAttribute: readonly Fault[] = [
  breaking('std.filter.attribute', 'ignored', 'A discovery does not look at mni.', ignoring('mni')),
  breaking(
    'std.filter.attribute',
    'nothing',
    'A discovery by mni finds nothing.',
    findingOnly(
      ({ about }) => about.discovery && about.query.has('mni'),
      () => false,
    ),
  ),
  breaking(
    'std.filter.attribute.wildcard',
    'anything',
    'A star in rn stands for any name as a whole.',
    ignoring('rn', (query) => query.get('rn')?.includes('*') === true),
  ),
];

const shifted = (name: string, by: number) =>
  discoveringOtherwise(
    (query) => query.has(name),
    (query) => query.set(name, String(Number(query.get(name)) + by)),
  );

const parts: readonly Fault[] = [
  breaking(
    'std.filter.lim',
    'one-more',
    'A discovery lists one more than lim.',
    discoveringOtherwise(
      (query) => /^\d+$/.test(query.get('lim') ?? ''),
      (query) => query.set('lim', String(Number(query.get('lim')) + 1)),
    ),
  ),
  breaking(
    'std.filter.lim.partial',
    'untold',
    'A list that lim has cut short does not say so.',
    afterwards(({ answer, about }) => (about.discovery ? withoutHeaders(answer, 'X-M2M-CTS', 'X-M2M-CTO') : undefined)),
  ),
  breaking('std.filter.ofst', 'two-more', 'ofst leaves out two more than it says.', shifted('ofst', 2)),
  breaking('std.filter.ofst', 'ignored', 'A discovery does not look at ofst.', ignoring('ofst')),
  breaking('std.filter.lvl', 'from-0', 'The levels of lvl are counted from 0.', shifted('lvl', 1)),
  breaking('std.filter.lvl', 'ignored', 'A discovery does not look at lvl.', ignoring('lvl')),
];

const relatives: readonly Fault[] = [
  breaking('std.filter.arp', 'ignored', 'A discovery does not look at arp.', ignoring('arp')),
  ignored('palb', 'ty'),
  nothing('palb', 'ty'),
  ignored('clbl', 'ty'),
  nothing('clbl', 'ty'),
  ignored('pty'),
  nothing('pty'),
  ignored('chty'),
  nothing('chty'),
];

export const filters: readonly Fault[] = [
  ...kindsAndLabels,
  ...together,
  ...times,
  ...sizes,
  ...stateTags,
  ...swapped,
  ...byAttribute,
  ...parts,
  ...relatives,
];
