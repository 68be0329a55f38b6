import type { Fault, Wrap } from './fault.ts';
import type { Attributes } from './vocabulary/asked.ts';
import { changingResources } from './vocabulary/blocks.ts';

type Entry = Record<string, unknown>;

/** Changes the list of children of application entities where there is one. */
function changingChildren(change: (entries: Entry[], parent: Attributes) => unknown): Wrap {
  return changingResources('m2m:ae', (attributes) => {
    if (Array.isArray(attributes.ch)) attributes.ch = change(attributes.ch as Entry[], attributes);
    if (attributes.ch === undefined) delete attributes.ch;
  });
}

function without(name: string, entry: Entry): Entry {
  const { [name]: _left, ...others } = entry;
  return others;
}

const lacking: readonly Fault[] = ['typ', 'nm', 'val'].map((name) => ({
  id: `ae.ch.${name}.missing`,
  violates: `ae.ch.${name}`,
  says: `Entries of ch of an application entity lack ${name}.`,
  wrap: changingChildren((entries) => entries.map((entry) => without(name, entry))),
}));

/** The list of children that a retrieved application entity has in ch. */
export const childrenLists: readonly Fault[] = [
  ...lacking,
  {
    id: 'ae.ch.only-child',
    violates: 'ae.ch',
    says: 'An application entity with more than one child is answered without ch.',
    wrap: changingChildren((entries) => (entries.length > 1 ? undefined : entries)),
  },
  {
    id: 'ae.ch.typ.text',
    violates: 'ae.ch.typ',
    says: 'Entries of ch of an application entity give typ as a text.',
    wrap: changingChildren((entries) => entries.map((entry) => ({ ...entry, typ: String(entry.typ) }))),
  },
  {
    id: 'ae.ch.typ.of-parent',
    violates: 'ae.ch.typ',
    says: 'Entries of ch of an application entity give its own type number in typ.',
    wrap: changingChildren((entries) => entries.map((entry) => ({ ...entry, typ: 2 }))),
  },
  {
    id: 'ae.ch.nm.identifier',
    violates: 'ae.ch.nm',
    says: 'Entries of ch of an application entity give the identifier of the child in nm.',
    wrap: changingChildren((entries) => entries.map((entry) => ({ ...entry, nm: entry.val }))),
  },
  {
    id: 'ae.ch.val.of-first',
    violates: 'ae.ch.val',
    says: 'All entries of ch of an application entity give the identifier of the first child in val.',
    wrap: changingChildren((entries) => entries.map((entry) => ({ ...entry, val: entries[0]?.val }))),
  },
  {
    id: 'ae.ch.val.of-last',
    violates: 'ae.ch.val',
    says: 'All entries of ch of an application entity give the identifier of the last child in val.',
    wrap: changingChildren((entries) => entries.map((entry) => ({ ...entry, val: entries.at(-1)?.val }))),
  },
  {
    id: 'ae.ch.val.of-parent',
    violates: 'ae.ch.val',
    says: 'Entries of ch of an application entity give its own identifier in val.',
    wrap: changingChildren((entries, { ri }) => entries.map((entry) => ({ ...entry, val: ri }))),
  },
];
