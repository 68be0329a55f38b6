/** Attributes that are answered, but with another value than the interface documents. */

import type { Fault } from './fault.ts';
import { type Asked, type Attributes, areaOf, type Kind, nameOf } from './vocabulary/asked.ts';
import { changingResources } from './vocabulary/blocks.ts';

interface Row {
  readonly kind: Kind;
  readonly attribute: string;
  /** Last part of the id. */
  readonly named: string;
  /** Completes "Answers that show <kind> give <attribute> …". */
  readonly as: string;
  readonly value: (attributes: Attributes) => unknown;
  readonly violates?: string;
  /** Only in some answers; completes the sentence. */
  readonly only?: { readonly says: string; readonly where: (about: Asked) => boolean };
}

const asText = (name: string) => ({
  attribute: name,
  named: 'text',
  as: 'as a text',
  value: (attributes: Attributes) => String(attributes[name]),
});
const asNumber = (name: string) => ({
  attribute: name,
  named: 'number',
  as: 'as a number',
  value: (attributes: Attributes) => Number(attributes[name]),
});
const onCreation = { says: 'on creation', where: ({ method }: Asked) => method === 'POST' };
const onReading = { says: 'on reading', where: ({ method }: Asked) => method === 'GET' };
const typeNumber = (kind: Kind, number: number): Row => ({
  kind,
  attribute: 'ty',
  named: 'other-number',
  as: `as ${number}`,
  value: () => number,
  violates: `${areaOf[kind]}.type-number`,
});

const rows: readonly Row[] = [
  {
    kind: 'm2m:cin',
    attribute: 'ri',
    named: 'number',
    as: 'as a number, without its prefix',
    value: ({ ri }) => Number(String(ri).replace(/\D/g, '')),
    violates: 'content-instance.ri.shape',
  },
  { kind: 'm2m:ae', ...asText('ty') },
  { kind: 'm2m:cnt', ...asText('ty') },
  { kind: 'm2m:cin', ...asText('ty') },
  typeNumber('m2m:ae', 1),
  typeNumber('m2m:cnt', 4),
  typeNumber('m2m:cin', 3),
  {
    kind: 'm2m:ae',
    attribute: 'rn',
    named: 'capitals',
    as: 'in capital letters',
    value: ({ rn }) => String(rn).toUpperCase(),
  },
  {
    kind: 'm2m:cnt',
    attribute: 'rn',
    named: 'capitals',
    as: 'in capital letters',
    value: ({ rn }) => String(rn).toUpperCase(),
  },
  {
    kind: 'm2m:cin',
    attribute: 'rn',
    named: 'capitals',
    as: 'in capital letters, unless the service made it up',
    value: ({ rn }) => (String(rn).startsWith('contentInstance-') ? rn : String(rn).toUpperCase()),
    violates: 'content-instance.rn.given',
  },
  {
    kind: 'm2m:ae',
    attribute: 'api',
    named: 'cut',
    as: 'only up to its first dot',
    value: ({ api }) => String(api).split('.')[0],
  },
  {
    kind: 'm2m:ae',
    attribute: 'rr',
    named: 'text',
    as: 'as the text TRUE or FALSE',
    value: ({ rr }) => String(rr).toUpperCase(),
  },
  { kind: 'm2m:ae', attribute: 'rr', named: 'always-false', as: 'as false', value: () => false },
  { kind: 'm2m:ae', attribute: 'nl', named: 'null', as: 'as null', value: () => null },
  {
    kind: 'm2m:ae',
    attribute: 'aei',
    named: 'always-the-same',
    as: 'as C0, whichever it is',
    value: () => 'C0',
    violates: 'ae.aei.distinct',
  },
  {
    kind: 'm2m:ae',
    attribute: 'aei',
    named: 'changes',
    as: 'with one more letter',
    value: ({ aei }) => `${aei}x`,
    violates: 'ae.aei.stable',
    only: onReading,
  },
  {
    kind: 'm2m:cnt',
    attribute: 'cr',
    named: 'anonymous',
    as: 'as anonymous where it is nobody',
    value: ({ cr }) => (cr === 'nobody' ? 'anonymous' : cr),
    violates: 'container.cr.nobody',
  },
  {
    kind: 'm2m:cnt',
    attribute: 'cr',
    named: 'empty',
    as: 'as an empty text where it is nobody',
    value: ({ cr }) => (cr === 'nobody' ? '' : cr),
    violates: 'container.cr.nobody',
  },
  { kind: 'm2m:cnt', ...asText('cni') },
  { kind: 'm2m:cnt', ...asText('cbs') },
  { kind: 'm2m:cnt', ...asNumber('st') },
  { kind: 'm2m:cin', ...asNumber('st') },
  { kind: 'm2m:cin', ...asText('cs') },
  ...(['cni', 'cbs', 'st'] as const).map(
    (attribute): Row => ({
      kind: 'm2m:cnt',
      attribute,
      named: 'starts-at-one',
      as: 'one too high',
      value: ({ [attribute]: value }) => (attribute === 'st' ? String(Number(value) + 1) : Number(value) + 1),
      violates: `container.${attribute}.zero-on-creation`,
      only: onCreation,
    }),
  ),
  {
    kind: 'm2m:cin',
    attribute: 'st',
    named: 'one',
    as: 'as the text 1',
    value: () => '1',
    violates: 'content-instance.st.zero',
  },
  {
    kind: 'm2m:cin',
    attribute: 'cnf',
    named: 'always-plain',
    as: 'as text/plain:0, whatever was sent',
    value: () => 'text/plain:0',
  },
  {
    kind: 'm2m:cin',
    attribute: 'cnf',
    named: 'without-encoding',
    as: 'without the encoding digit',
    value: ({ cnf }) => String(cnf).replace(/:\d$/, ''),
  },
];

export const attributeValues: readonly Fault[] = rows.map(({ kind, attribute, named, as, value, violates, only }) => ({
  id: `${areaOf[kind]}.${attribute}.${named}`,
  violates: violates ?? `${areaOf[kind]}.${attribute}`,
  says: `Answers that show ${nameOf[kind]} give ${attribute} ${as}${only ? ` ${only.says}` : ''}.`,
  wrap: changingResources(
    kind,
    (attributes) => {
      attributes[attribute] = value(attributes);
    },
    only?.where,
  ),
}));
