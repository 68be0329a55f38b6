/** What the standard says of nodes, broken. */

import { BAD_REQUEST, CONFLICT, DELETED, OK } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codingAs, describingOtherwise, overlooking, rooting, showingAs } from '../vocabulary/standard-changes.ts';
import { all, creates, deletes, gives, readsWhole, updates } from '../vocabulary/standard-wanted.ts';

const creating = creates('m2m:nod');
const reading = readsWhole('m2m:nod');
const changing = updates('m2m:nod');

export const nodes: readonly Fault[] = [
  breaking(
    'std.node.create',
    'long-root',
    'The create of a node is answered below the root m2m:node.',
    rooting(creating, 'm2m:node'),
  ),
  breaking(
    'std.node.create',
    'kind',
    'The create of a node is answered with its kind as a text.',
    showingAs(creating, 'ty', String),
  ),
  breaking(
    'std.node.ni',
    'name',
    'A node that is read tells its name as ni.',
    showingAs(reading, 'ni', (_, { rn }) => rn),
  ),
  breaking(
    'std.node.ni',
    'missing',
    'The create of a node is answered without ni.',
    showingAs(creating, 'ni', () => undefined),
  ),
  breaking('std.node.retrieve', 'long-root', 'A node is read below the root m2m:node.', rooting(reading, 'm2m:node')),
  breaking(
    'std.node.without-ni',
    'taken',
    'A node without ni is taken, with the name node as ni.',
    describingOtherwise(creating, (attributes) => ({ ni: 'node', ...attributes })),
  ),
  breaking(
    'std.node.without-ni',
    'conflict',
    'A node without ni is refused with 4105.',
    codingAs(
      all(creating, (exchange) => !gives('ni')(exchange)),
      BAD_REQUEST,
      CONFLICT,
    ),
  ),
  breaking(
    'std.node.update',
    'not-done',
    'An update of the labels of a node is answered as done, and they stay as they were.',
    overlooking(changing, 'lbl'),
  ),
  breaking(
    'std.node.update.ni',
    'not-done',
    'An update of ni of a node is answered as done, and ni stays as it was.',
    overlooking(changing, 'ni'),
  ),
  breaking(
    'std.node.update.et',
    'not-done',
    'An update of et of a node is answered as done, and et stays as it was.',
    overlooking(changing, 'et'),
  ),
  breaking(
    'std.node.update.et',
    'later',
    'An update of a node is answered with the end of 2199 as its expiration time.',
    showingAs(changing, 'et', () => '21991231T235959'),
  ),
  breaking(
    'std.node.update.hcl',
    'not-done',
    'An update of hcl of a node is answered as done, and hcl stays as it was.',
    overlooking(changing, 'hcl'),
  ),
  breaking(
    'std.node.acpi',
    'not-kept',
    'The create of a node is answered without acpi.',
    showingAs(creating, 'acpi', () => undefined),
  ),
  breaking(
    'std.node.delete',
    'ok',
    'The delete of a node is answered with 2000.',
    codingAs(deletes('m2m:nod'), DELETED, OK),
  ),
];
