/** What the standard says of retrieves that ask for attributes by name, and of what stands directly below the CSE base, broken. */

import { BAD_REQUEST, NOT_FOUND, OK, ORIGINATOR_HAS_NO_PRIVILEGE, UPDATED } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { elsewhere } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import {
  answering,
  asIf,
  codingAs,
  failure,
  overlooking,
  refusingThose,
  rewriting,
  rooting,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { all, creates, reads, readsWhole, updates, type Which } from '../vocabulary/standard-wanted.ts';

const atBase: Which = ({ target, core }) => target?.parent === core.tree.base;
const deeper: Which = ({ target, core }) => target !== undefined && target.parent !== core.tree.base;

const byFragment: Which = ({ path }) => path.includes('%23');
const named = ({ query }: Parameters<Which>[0]) => (query.get('atrl') ?? '').split(/[ +]/).filter(Boolean);
const byName: Which = (exchange) => named(exchange).length === 1;
const byNames: Which = (exchange) => named(exchange).length > 1;

/** Some of the attributes asked for are not set. */
const unset: Which = ({ target, query }) =>
  (query.get('atrl') ?? '').split(/[ +]/).includes('lbl') && target?.labels === undefined;

const group = reads('m2m:grp');
const wholeInstead = (which: Which) =>
  rewriting(which, ({ request, path }) => elsewhere(request, path.replace(/%23.*$/, '')));
const firstAlone = (which: Which) =>
  rewriting(which, (exchange) =>
    elsewhere({ ...exchange.request, target: exchange.path }, `${exchange.path}?atrl=${named(exchange)[0]}`),
  );

export const partialRetrieval: readonly Fault[] = [
  breaking(
    'std.partial.fragment',
    'not-found',
    'An attribute behind the address of an application entity is not found.',
    refusingThose(all(reads('m2m:ae'), byFragment), NOT_FOUND),
  ),
  breaking(
    'std.partial.fragment.nothing-else',
    'all',
    'An attribute behind the address of a group is answered with all others, but for a group directly below the CSE base.',
    wholeInstead(all(group, deeper, byFragment)),
  ),
  breaking(
    'std.partial.one',
    'not-found',
    'One attribute of an application entity that atrl names is not found.',
    refusingThose(all(reads('m2m:ae'), byName), NOT_FOUND),
  ),
  breaking(
    'std.partial.several',
    'first',
    'Of several attributes of an application entity that atrl names the first is answered alone.',
    firstAlone(all(reads('m2m:ae'), byNames)),
  ),
  breaking(
    'std.partial.nothing-else',
    'all',
    'One attribute of an application entity that atrl names is answered with all others.',
    asIf(all(reads('m2m:ae'), byName), 'atrl'),
  ),
  breaking(
    'std.partial.absent',
    'bad-request',
    'One attribute that atrl names and that a group has not is refused with 4000.',
    refusingThose(all(group, byName, unset), BAD_REQUEST),
  ),
  breaking(
    'std.partial.absent',
    'null',
    'Labels alone that atrl names and that a group has not are answered as null.',
    answering(all(group, byName, unset), (answer) =>
      withBody(recoded(answer, 200, 2000), { 'm2m:grp': { lbl: null } }),
    ),
  ),
  breaking(
    'std.partial.absent-among-several',
    'bad-request',
    'Several attributes that atrl names of which a group has not one are refused with 4000.',
    refusingThose(all(group, byNames, unset), BAD_REQUEST),
  ),
  breaking(
    'std.partial.unknown',
    'all',
    'A name that no attribute of a container has is not looked at in atrl: all attributes are answered.',
    asIf(
      all(
        reads('m2m:cnt'),
        byName,
        ({ query, target }) => target?.type.attributes[query.get('atrl') ?? 'ri'] === undefined,
      ),
      'atrl',
    ),
  ),
  breaking(
    'std.partial.unknown',
    'fails',
    'A name that no attribute of a container has is answered with 5000 in atrl.',
    codingAs(all(reads('m2m:cnt'), byName), BAD_REQUEST, failure),
  ),
];

const below = (root: string): Which => all(reads(root), atBase);

export const baseChildren: readonly Fault[] = [
  breaking(
    'std.base-child.create',
    'long-root',
    'The create of a group directly below the CSE base is answered below the root m2m:group.',
    rooting(
      all(creates('m2m:grp'), ({ target, core }) => target === core.tree.base),
      'm2m:group',
    ),
  ),
  breaking(
    'std.base-child.create',
    'no-right',
    'Nobody creates a group directly below the CSE base: 4103.',
    refusingThose(
      all(creates('m2m:grp'), ({ target, core }) => target === core.tree.base),
      ORIGINATOR_HAS_NO_PRIVILEGE,
    ),
  ),
  breaking(
    'std.base-child.retrieve',
    'kind',
    'A group directly below the CSE base that is read tells its kind as a text.',
    showingAs(all(readsWhole('m2m:grp'), atBase), 'ty', String),
  ),
  breaking(
    'std.base-child.privilege',
    'not-found',
    'Who may not read a group directly below the CSE base does not find it: 4004.',
    codingAs(below('m2m:grp'), ORIGINATOR_HAS_NO_PRIVILEGE, NOT_FOUND),
  ),
  breaking(
    'std.base-child.privilege',
    'read',
    'Everybody may read a group directly below the CSE base.',
    rewriting(below('m2m:grp'), ({ request, core }) => ({
      ...request,
      headers: { ...request.headers, 'x-m2m-origin': core.configuration.accessControl.admin },
    })),
  ),
  breaking(
    'std.base-child.fragment',
    'all',
    'An attribute behind the address of a group directly below the CSE base is answered with all others.',
    wholeInstead(all(below('m2m:grp'), byFragment)),
  ),
  breaking(
    'std.base-child.one',
    'all',
    'One attribute of a group directly below the CSE base that atrl names is answered with all others.',
    asIf(
      all(below('m2m:grp'), byName, ({ query }) => query.get('atrl') !== 'lbl'),
      'atrl',
    ),
  ),
  breaking(
    'std.base-child.several',
    'first',
    'Of several attributes of a node that atrl names the first is answered alone.',
    firstAlone(all(reads('m2m:nod'), byNames)),
  ),
  breaking(
    'std.base-child.update',
    'not-done',
    'An update of the labels of a group directly below the CSE base is answered as done, and they stay as they were.',
    overlooking(all(updates('m2m:grp'), atBase), 'lbl'),
  ),
  breaking(
    'std.base-child.update',
    'ok',
    'An update of a group directly below the CSE base is answered with 2000.',
    codingAs(all(updates('m2m:grp'), atBase), UPDATED, OK),
  ),
];
