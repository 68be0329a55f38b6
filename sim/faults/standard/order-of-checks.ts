/** What the standard says of the order in which a request is looked at, broken. */

import {
  BAD_REQUEST,
  CONFLICT,
  INVALID_CHILD_RESOURCE_TYPE,
  NOT_FOUND,
  ORIGINATOR_HAS_NO_PRIVILEGE,
} from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codingAs } from '../vocabulary/standard-changes.ts';
import { all, creates, reads, updates, type Which } from '../vocabulary/standard-wanted.ts';

/** The kind that is described has an attribute that nobody gives. */
const givesWhatIsTheCses =
  (operation: 'create' | 'update'): Which =>
  ({ sent, core }) => {
    const { attributes } = core.configuration.kinds.find(({ root }) => root === sent?.root) ?? {};
    return Object.keys(sent?.attributes ?? {}).some((name) => attributes?.[name]?.[operation] === 'not permitted');
  };

const misplaced: Which = ({ sent, target, core }) => {
  const kind = core.configuration.kinds.find(({ root }) => root === sent?.root);
  return kind !== undefined && target !== undefined && !target.type.children.includes(kind.ty);
};

const taken: Which = ({ namesake }) => namesake !== undefined;

/** Nothing is there, below something that has access control policies of its own, which the originator did not create. */
const belowGuarded: Which = ({ target, above, originator }) =>
  target === undefined && above?.values.acpi !== undefined && above.creator !== originator;

export const orderOfChecks: readonly Fault[] = [
  breaking(
    'std.order.existence-before-right',
    'right-first',
    'Who has not created a resource with access control policies of its own is refused with 4103 where nothing is below it.',
    codingAs(all(reads(), belowGuarded), NOT_FOUND, ORIGINATOR_HAS_NO_PRIVILEGE),
  ),
  breaking(
    'std.order.right-before-attributes.create',
    'attributes-first',
    'Who may not create a container hears with 4000 that an attribute is not for it to give.',
    codingAs(all(creates('m2m:cnt'), givesWhatIsTheCses('create')), ORIGINATOR_HAS_NO_PRIVILEGE, BAD_REQUEST),
  ),
  breaking(
    'std.order.right-before-attributes.update',
    'attributes-first',
    'Who may not update a container hears with 4000 that an attribute is not for it to give.',
    codingAs(all(updates('m2m:cnt'), givesWhatIsTheCses('update')), ORIGINATOR_HAS_NO_PRIVILEGE, BAD_REQUEST),
  ),
  breaking(
    'std.order.right-before-child',
    'child-first',
    'Who may not create a container hears with 4108 that it does not stand there.',
    codingAs(all(creates('m2m:cnt'), misplaced), ORIGINATOR_HAS_NO_PRIVILEGE, INVALID_CHILD_RESOURCE_TYPE),
  ),
  breaking(
    'std.order.right-before-name',
    'name-first',
    'Who may not create a container hears with 4105 that its name is taken.',
    codingAs(all(creates('m2m:cnt'), taken), ORIGINATOR_HAS_NO_PRIVILEGE, CONFLICT),
  ),
  breaking(
    'std.order.attributes-before-name',
    'name-first',
    'A container with a name that is taken and an attribute that nobody gives is refused with 4105.',
    codingAs(all(creates('m2m:cnt'), taken, givesWhatIsTheCses('create')), BAD_REQUEST, CONFLICT),
  ),
];
