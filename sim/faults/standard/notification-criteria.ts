/** What the standard says of the criteria of events, broken: mostly by not looking at one of them. */

import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { isObject } from '../vocabulary/representations.ts';
import { without } from '../vocabulary/standard-exchanges.ts';
import { isEvent, retelling, subscribingOtherwise, withCriteria } from '../vocabulary/standard-notifications.ts';

const criteria = (change: (enc: Attributes) => Attributes | undefined) =>
  subscribingOtherwise((attributes) => withCriteria(attributes, change));

/** Whether there is nothing in the criteria but event types and this. */
const isAlone = (enc: Attributes, name: string) =>
  enc.net !== undefined && Object.keys(enc).every((one) => one === 'net' || one === name);

interface Row {
  readonly requirement: string;
  readonly criterion: string;
  readonly says: string;
}

const rows: readonly Row[] = [
  { requirement: 'attribute.others', criterion: 'atr', says: 'which attributes are listed' },
  { requirement: 'size-above', criterion: 'sza', says: 'what sizeAbove says' },
  { requirement: 'size-below', criterion: 'szb', says: 'what sizeBelow says' },
  { requirement: 'state-tag-bigger', criterion: 'stb', says: 'what stateTagBigger says' },
  { requirement: 'state-tag-smaller', criterion: 'sts', says: 'what stateTagSmaller says' },
  { requirement: 'created', criterion: 'crb', says: 'what createdBefore says' },
  { requirement: 'expires', criterion: 'exb', says: 'what expireBefore says' },
  { requirement: 'modified', criterion: 'us', says: 'what unmodifiedSince says' },
  { requirement: 'created', criterion: 'cra', says: 'what createdAfter says' },
  { requirement: 'expires', criterion: 'exa', says: 'what expireAfter says' },
  { requirement: 'modified', criterion: 'ms', says: 'what modifiedSince says' },
  { requirement: 'child-type', criterion: 'chty', says: 'what childResourceType says' },
];

const ignored = ({ requirement, criterion, says }: Row): Fault =>
  breaking(
    `std.criteria.${requirement}`,
    `${criterion}-ignored`,
    `Where it is the only criterion beside net, ${says} is not looked at.`,
    criteria((enc) => (enc[criterion] !== undefined && isAlone(enc, criterion) ? without(enc, criterion) : undefined)),
  );

/** The criterion with which a size is compared in the other way at the limit. */
const offByOne = (name: 'sza' | 'szb') =>
  criteria((enc) =>
    enc[name] !== undefined && isAlone(enc, name) ? { ...enc, [name]: Number(enc[name]) + 1 } : undefined,
  );

export const notificationCriteria: readonly Fault[] = [
  ...rows.map(ignored),
  breaking(
    'std.criteria.attribute',
    'last-only',
    'Of several attributes in atr only the last one is looked at.',
    criteria((enc) => (Array.isArray(enc.atr) && enc.atr.length > 1 ? { ...enc, atr: enc.atr.slice(-1) } : undefined)),
  ),
  breaking(
    'std.criteria.size-above',
    'not-the-size-itself',
    'With sizeAbove alone an instance of just that size is not notified.',
    offByOne('sza'),
  ),
  breaking(
    'std.criteria.size-below',
    'the-size-itself',
    'With sizeBelow alone an instance of just that size is notified, too.',
    offByOne('szb'),
  ),
  breaking(
    'std.criteria.operation-monitor',
    'of-anybody',
    'With operationMonitor the creations of every originator are notified, where nothing else is monitored.',
    criteria((enc) =>
      Array.isArray(enc.om) && enc.om.some((one) => isObject(one) && one.or !== undefined && one.ops === 1)
        ? { ...enc, om: enc.om.map((one) => without(one, 'or')) }
        : undefined,
    ),
  ),
  breaking(
    'std.criteria.operation-monitor.tells',
    'not-told',
    'What is notified because of operationMonitor does not tell the operation and its originator.',
    retelling(isEvent, (signal) => ({ ...signal, nev: without(isObject(signal.nev) ? signal.nev : {}, 'om') })),
  ),
  breaking(
    'std.criteria.all',
    'attributes-only',
    'Where criteria name attributes, what stateTagBigger says is not looked at.',
    criteria((enc) => (enc.atr !== undefined && enc.stb !== undefined ? without(enc, 'stb') : undefined)),
  ),
  breaking(
    'std.criteria.any',
    'all-instead',
    'With filterOperation OR all criteria have to be met.',
    criteria((enc) => (enc.fo === 2 ? without(enc, 'fo') : undefined)),
  ),
];
