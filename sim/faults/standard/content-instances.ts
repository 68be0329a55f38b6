/** What the standard says of content instances, broken. */

import { BAD_REQUEST, CREATED, INVALID_CHILD_RESOURCE_TYPE, OK, OPERATION_NOT_ALLOWED } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { bytesOf, latin1Of } from '../vocabulary/bytes.ts';
import {
  amending,
  codingAs,
  failure,
  overlooking,
  refusingThose,
  rooting,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { all, creates, gives, reads, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';

const creating = creates('m2m:cin');
const reading = readsWhole('m2m:cin');
const shownAnyhow: Which = (exchange) => creating(exchange) || reads('m2m:cin')(exchange);
const nameless: Which = ({ sent }) => sent !== undefined && !('rn' in sent.attributes);

const holding =
  (isMeant: (content: unknown) => boolean): Which =>
  ({ sent }) =>
    isMeant(sent?.attributes.con);

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
const beyondAscii = /[^\x00-\x7f]/gu;

export const contentInstances: readonly Fault[] = [
  breaking(
    'std.content-instance.create',
    'long-root',
    'The create of a content instance without a name is answered below the root m2m:contentInstance.',
    rooting(all(creating, nameless), 'm2m:contentInstance'),
  ),
  breaking(
    'std.content-instance.create',
    'ok',
    'The create of a content instance without a name that gives nothing but content 21 is answered with 2000.',
    codingAs(
      all(
        creating,
        nameless,
        holding((con) => con === '21'),
      ),
      CREATED,
      OK,
    ),
  ),
  breaking(
    'std.content-instance.retrieve',
    'long-root',
    'A content instance is read by its own path below the root m2m:contentInstance.',
    rooting(reading, 'm2m:contentInstance'),
  ),
  breaking(
    'std.content-instance.optional',
    'content-info',
    'A content instance that is read by its own path lacks cnf.',
    showingAs(reading, 'cnf', () => undefined),
  ),
  breaking(
    'std.content-instance.optional',
    'labels',
    'The create of a content instance is answered without lbl.',
    showingAs(creating, 'lbl', () => undefined),
  ),
  breaking(
    'std.content-instance.kept',
    'number',
    'Content that is a text of digits is a number when it is read by the path of its content instance.',
    showingAs(reading, 'con', (con) => (typeof con === 'string' && /^\d+$/.test(con) ? Number(con) : con)),
  ),
  breaking(
    'std.content-instance.kept',
    'missing',
    'A content instance whose content has two letters and no more is read by its own path without it.',
    showingAs(reading, 'con', (con) => (String(con).length === 2 ? undefined : con)),
  ),
  breaking(
    'std.content-instance.st',
    'one-behind',
    'The answer that shows a content instance tells a state tag one less than it has.',
    showingAs(shownAnyhow, 'st', (st) => Number(st) - 1),
  ),
  breaking(
    'std.content-instance.st.grows',
    'always-one',
    'The answer that shows a content instance tells 1 as its state tag.',
    showingAs(shownAnyhow, 'st', () => 1),
  ),
  breaking(
    'std.content-instance.cs',
    'without-point',
    'The create of a content instance is answered with a cs that does not count points.',
    amending(creating, (attributes) => {
      attributes.cs = Number(attributes.cs) - String(attributes.con).split('.').length + 1;
    }),
  ),
  breaking(
    'std.content-instance.cs',
    'missing',
    'The create of a content instance whose content has a point is answered without cs.',
    showingAs(creating, 'cs', (cs, { con }) => (String(con).includes('.') ? undefined : cs)),
  ),
  breaking(
    'std.content-instance.cs.bytes',
    'characters',
    'cs of a content instance that is read counts characters.',
    amending(reads('m2m:cin'), (attributes) => {
      if (typeof attributes.con === 'string') attributes.cs = attributes.con.length;
    }),
  ),
  breaking(
    'std.content-instance.con.text',
    'number',
    'Content that is a text of digits with a point between them is answered as a number.',
    showingAs(shownAnyhow, 'con', (con) => (typeof con === 'string' && /^\d+\.\d+$/.test(con) ? Number(con) : con)),
  ),
  breaking(
    'std.content-instance.con.utf-8',
    'question-marks',
    'For each letter beyond ASCII there is a question mark in content that is read.',
    showingAs(reads('m2m:cin'), 'con', (con) => (typeof con === 'string' ? con.replace(beyondAscii, '?') : con)),
  ),
  breaking(
    'std.content-instance.con.utf-8',
    'latin',
    'Content that is read has its bytes taken for letters of Latin-1.',
    showingAs(reads('m2m:cin'), 'con', (con) => (typeof con === 'string' ? latin1Of(bytesOf(con)) : con)),
  ),
  breaking(
    'std.content-instance.con.number',
    'refused',
    'Content that is a number is refused with 4000.',
    refusingThose(
      all(
        creating,
        holding((con) => typeof con === 'number'),
      ),
      BAD_REQUEST,
    ),
  ),
  breaking(
    'std.content-instance.con.number',
    'integer',
    'Content that is a number is answered without what follows its point.',
    showingAs(creating, 'con', (con) => (typeof con === 'number' ? Math.trunc(con) : con)),
  ),
  breaking(
    'std.content-instance.without-con',
    'fails',
    'A content instance without content is answered with 5000.',
    refusingThose(
      all(creating, (exchange) => !gives('con')(exchange)),
      failure,
    ),
  ),
  breaking(
    'std.content-instance.pi',
    'path',
    'The create of a content instance is answered with the path of its container as its parent.',
    amending(creating, (attributes, { target }) => {
      attributes.pi = target?.path;
    }),
  ),
  breaking(
    'std.content-instance.no-acpi',
    'empty',
    'The create of a content instance is answered with an empty list of access control policies.',
    showingAs(creating, 'acpi', () => []),
  ),
  breaking(
    'std.content-instance.acpi-refused',
    'left-out',
    'Access control policies of a new content instance are not looked at.',
    overlooking(creating, 'acpi'),
  ),
  breaking(
    'std.content-instance.no-children',
    'not-allowed',
    'A content instance below another is refused with 4005.',
    codingAs(
      all(creating, ({ target }) => target?.type.root === 'm2m:cin'),
      INVALID_CHILD_RESOURCE_TYPE,
      OPERATION_NOT_ALLOWED,
    ),
  ),
];
