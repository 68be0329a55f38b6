/** What a CSE announces at others. */

import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { type Announcing, announcing, type Instead } from '../vocabulary/standard-announcements.ts';
import { without } from '../vocabulary/standard-exchanges.ts';

const container = 'm2m:cntA';

const creates = ({ method }: Announcing) => method === 'POST';
const updates = ({ method }: Announcing) => method === 'PUT';

/** The attributes without these; nothing is sent where none is left. */
function lacking(attributes: Attributes, leaves: (name: string, value: unknown) => boolean): Instead {
  const left = Object.entries(attributes).filter(([name, value]) => leaves(name, value));
  return left.length === 0 ? 'nothing' : Object.fromEntries(left);
}

const causedBy =
  (method: string) =>
  ({ cause }: Announcing) =>
    cause?.about.method === method;

const causeGives = ({ cause }: Announcing, name: string) => name in (cause?.given?.attributes ?? {});

const content: readonly Fault[] = [
  {
    ...breaking(
      'std.announced.link',
      'parent',
      'An announced container leads to what holds its original.',
      announcing(({ attributes, original, root, ...sent }, { configuration }) =>
        sent.method === 'POST' && root === container
          ? { ...attributes, lnk: `/${configuration.cseId}/${original?.parent?.id}` }
          : undefined,
      ),
    ),
    // Whoever follows the link reads something else.
    also: ['std.announced.original'],
  },
  breaking(
    'std.announced.labels',
    'first-only',
    'Only the first label of a resource is announced.',
    announcing((sent) =>
      creates(sent) && Array.isArray(sent.attributes.lbl)
        ? { ...sent.attributes, lbl: sent.attributes.lbl.slice(0, 1) }
        : undefined,
    ),
  ),
  breaking(
    'std.announced.not-asked-for',
    'all-the-same',
    'The mni of a container is announced also where nobody asked for that.',
    announcing((sent) =>
      creates(sent) && sent.root === container ? { ...sent.attributes, mni: sent.original?.values.mni } : undefined,
    ),
  ),
  breaking(
    'std.announcement.container',
    'without-labels',
    'A container with no attribute that is to be announced is announced without its labels.',
    announcing((sent) =>
      creates(sent) && sent.root === container && sent.original?.values.aa === undefined
        ? without(sent.attributes, 'lbl')
        : undefined,
    ),
  ),
  breaking(
    'std.announcement.attribute',
    'left-out',
    'The attributes of a container that are to be announced are not sent with its announcement.',
    announcing((sent) =>
      creates(sent) && sent.root === container
        ? without(sent.attributes, ...((sent.original?.values.aa ?? []) as readonly string[]))
        : undefined,
    ),
  ),
  breaking(
    'std.announced.content-instance',
    'without-content',
    'A content instance is announced without its content.',
    announcing((sent) => (sent.root === 'm2m:cinA' ? without(sent.attributes, 'con') : undefined)),
  ),
  breaking(
    'std.announced.application-entity.link',
    'base',
    'An announced application entity leads to the CSE base of its original.',
    announcing((sent, { configuration, tree }) =>
      creates(sent) && sent.root === 'm2m:aeA'
        ? { ...sent.attributes, lnk: `/${configuration.cseId}/${tree.base.name}` }
        : undefined,
    ),
  ),
  breaking(
    'std.announcement.base',
    'link',
    'The announced CSE base leads to a CSE that nobody knows.',
    announcing((sent) => (sent.root === 'm2m:cbA' ? { ...sent.attributes, lnk: '/nobody/base' } : undefined)),
  ),
  breaking(
    'std.announcement.identifiers',
    'bare',
    'The policies of an announced container are named without its CSE.',
    announcing((sent) =>
      sent.root === container && Array.isArray(sent.attributes.acpi)
        ? { ...sent.attributes, acpi: sent.attributes.acpi.map((one: string) => one.replace(/^\/[^/]+\//, '')) }
        : undefined,
    ),
  ),
];

const follows: readonly Fault[] = [
  breaking(
    'std.announced.update',
    'labels-only',
    'Of an update of a container only labels, and what is announced from then on, reach the announced one.',
    announcing((sent) =>
      updates(sent) && sent.root === container && !causeGives(sent, 'aa')
        ? lacking(sent.attributes, (name, value) => name === 'lbl' || value === null)
        : undefined,
    ),
  ),
  breaking(
    'std.announcement.update',
    'without-labels',
    'New labels of a container do not reach the announced one.',
    announcing((sent) =>
      updates(sent) && sent.root === container ? lacking(sent.attributes, (name) => name !== 'lbl') : undefined,
    ),
  ),
  breaking(
    'std.announced.attribute-added',
    'not-sent',
    'What an update of aa adds does not reach the announced resource.',
    announcing((sent) =>
      updates(sent) && causeGives(sent, 'aa') ? lacking(sent.attributes, (_name, value) => value === null) : undefined,
    ),
  ),
  breaking(
    'std.announced.attribute-withdrawn',
    'not-sent',
    'What an update takes away does not go from the announced resource.',
    announcing((sent) => (updates(sent) ? lacking(sent.attributes, (_name, value) => value !== null) : undefined)),
  ),
  breaking(
    'std.announced.application-entity',
    'not-sent',
    'Updates of an application entity do not reach the announced one.',
    announcing((sent) => (updates(sent) && sent.root === 'm2m:aeA' ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announced.later',
    'not-sent',
    'A resource that asks for its announcement by an update is not announced.',
    announcing((sent) => (creates(sent) && causedBy('PUT')(sent) ? 'nothing' : undefined)),
  ),
];

const deletes = ({ method }: Announcing) => method === 'DELETE';

const comesAndGoes: readonly Fault[] = [
  breaking(
    'std.announced.gone-with-parent',
    'stays',
    'What goes because something above it is deleted stays announced.',
    announcing((sent) => (deletes(sent) && sent.cause === undefined ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announcement.removed',
    'stays',
    'What is deleted itself stays announced.',
    announcing((sent) => (deletes(sent) && causedBy('DELETE')(sent) ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announcement.withdrawn',
    'stays',
    'What an update takes from at stays announced.',
    announcing((sent) => (deletes(sent) && causedBy('PUT')(sent) ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announcement.content-instance',
    'not-sent',
    'Content instances are not announced.',
    announcing(({ root }) => (root === 'm2m:cinA' ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announcement.application-entity',
    'not-sent',
    'Application entities are not announced.',
    announcing((sent) => (creates(sent) && sent.root === 'm2m:aeA' ? 'nothing' : undefined)),
  ),
  breaking(
    'std.announced.below-parent',
    'below-base',
    'What stands below an announced resource is announced where that one is.',
    {
      wrapSender: (sender) => {
        let place: string | undefined;
        return {
          send: (baseUrl, request, signal) => {
            const isFirst = request.method === 'POST' && request.headers['Content-Type']?.includes('ty=10003') === true;
            if (isFirst) place ??= request.target;
            return sender.send(baseUrl, isFirst ? { ...request, target: place ?? request.target } : request, signal);
          },
        };
      },
    },
  ),
];

export const announcements: readonly Fault[] = [...content, ...follows, ...comesAndGoes];
