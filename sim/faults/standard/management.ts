/** Management objects. */

import { CREATED, OK, UPDATED } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { findingOnly } from '../vocabulary/standard-discoveries.ts';
import {
  type Arrival,
  afterwards,
  answeredWith,
  asItIs,
  type Exchange,
  giving,
} from '../vocabulary/standard-exchanges.ts';
import { showing } from '../vocabulary/standard-shown.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';

const managementObject = 13;

const kinds = [
  { root: 'm2m:fwr', name: 'firmware', called: 'a firmware' },
  { root: 'm2m:swr', name: 'software', called: 'a software' },
  { root: 'm2m:mem', name: 'memory', called: 'a memory' },
  { root: 'm2m:ani', name: 'area-network-info', called: 'an area network info' },
  { root: 'm2m:andi', name: 'area-network-device-info', called: 'an area network device info' },
  { root: 'm2m:bat', name: 'battery', called: 'a battery' },
  { root: 'm2m:dvi', name: 'device-info', called: 'a device info' },
  { root: 'm2m:dvc', name: 'device-capability', called: 'a device capability' },
  { root: 'm2m:rbo', name: 'reboot', called: 'a reboot' },
  { root: 'm2m:evl', name: 'event-log', called: 'an event log' },
] as const;

const shows = (root: string) => (exchange: Exchange) =>
  exchange.about.method === 'POST' && exchange.shown?.root === root;

const created: readonly Fault[] = kinds.flatMap(({ root, name, called }) => [
  breaking(
    `std.management.${name}`,
    'generic-root',
    `The answer to the creation of ${called} has the root m2m:mgo.`,
    afterwards((exchange) =>
      isSuccess(exchange.answer) && shows(root)(exchange)
        ? withBody(exchange.answer, { 'm2m:mgo': exchange.shown?.attributes })
        : undefined,
    ),
  ),
  breaking(
    `std.management.${name}`,
    'type-lost',
    `The answer to the creation of ${called} tells its definition as its type.`,
    showing(shows(root), (attributes) => ({ ...attributes, ty: attributes.mgd })),
  ),
]);

const isOne = ({ addressed }: Arrival) => addressed?.type.ty === managementObject;
const at = (method: string) => (arrival: Arrival) => arrival.about.method === method && isOne(arrival);

const handled: readonly Fault[] = [
  breaking(
    'std.management.retrieve',
    'generic-root',
    'A management object is read below m2m:mgo.',
    afterwards((exchange) =>
      isSuccess(exchange.answer) && at('GET')(exchange) && exchange.shown !== undefined
        ? withBody(exchange.answer, { 'm2m:mgo': exchange.shown.attributes })
        : undefined,
    ),
  ),
  breaking(
    'std.management.retrieve',
    'definition-text',
    'A management object that is read tells its definition as a text.',
    showing(at('GET'), (attributes) => ({ ...attributes, mgd: String(attributes.mgd) })),
  ),
  breaking(
    'std.management.update',
    'ok',
    'An update of a management object is answered by the code 2000.',
    answeredWith(OK.http, OK.code, at('PUT')),
  ),
  breaking(
    'std.management.definition-stays',
    'ignored',
    'An update of mgd is answered as done, though it changes nothing.',
    afterwards(async (exchange) => {
      if (!at('PUT')(exchange) || !giving('mgd')(exchange) || isSuccess(exchange.answer)) return undefined;
      return recoded(await asItIs(exchange), UPDATED.http, UPDATED.code);
    }),
  ),
  breaking(
    'std.management.delete',
    'created',
    'The deletion of a management object is answered by the code 2001.',
    answeredWith(OK.http, CREATED.code, at('DELETE')),
  ),
  breaking(
    'std.management.discovered',
    'nothing',
    'A discovery by ty 13 finds nothing.',
    findingOnly(
      ({ about }) => about.query.get('ty') === '13',
      () => false,
    ),
  ),
];

const usual: readonly { readonly root: string; readonly name: string; readonly value: unknown }[] = [
  { root: 'm2m:fwr', name: 'fwn', value: '' },
  { root: 'm2m:mem', name: 'mmt', value: 0 },
  { root: 'm2m:bat', name: 'bts', value: 1 },
];

const mandatory: readonly Fault[] = usual.map(({ root, name, value }) =>
  breaking(
    'std.management.mandatory',
    `${name}-filled-in`,
    `What is created below ${root} without ${name} is taken, and tells none.`,
    takingOtherwise((given, _core, { method }) =>
      method === 'POST' && given.root === root && given.attributes[name] === undefined
        ? { ...given.attributes, [name]: value }
        : undefined,
    ),
  ),
);

const switches = [
  ['in', 'un'],
  ['act', 'dea'],
  ['ena', 'dis'],
  ['rbo', 'far'],
  ['lga', 'lgo'],
] as const;

const exclusive: readonly Fault[] = switches.map(([first, second]) =>
  breaking(
    'std.management.exclusive',
    `${first}-and-${second}`,
    `Where an update sets ${first} and ${second} at once, the second is not looked at.`,
    takingOtherwise(({ attributes: { [second]: other, ...attributes } }, _core, { method }) =>
      method === 'PUT' && attributes[first] === true && other === true ? attributes : undefined,
    ),
  ),
);

const network = 'm2m:ani';

const networks: readonly Fault[] = [
  breaking(
    'std.management.network.lists',
    'nothing',
    'An area network that is read lists no devices.',
    showing(
      ({ about, shown }) => about.method === 'GET' && shown?.root === network,
      (attributes) => ({ ...attributes, ldv: [] }),
    ),
  ),
  breaking(
    'std.management.network.forgets',
    'remembers',
    'An area network that was read goes on to list the devices that it listed then.',
    remembering(),
  ),
];

function remembering(): NonNullable<Fault['wrap']> {
  return (service, core) => {
    const listed = new Map<unknown, ReadonlySet<unknown>>();
    const wrap = showing(
      ({ about, shown }) => about.method === 'GET' && shown?.root === network,
      (attributes) => {
        const present: readonly unknown[] = Array.isArray(attributes.ldv) ? attributes.ldv : [];
        const all = new Set([...(listed.get(attributes.ri) ?? []), ...present]);
        listed.set(attributes.ri, all);
        return { ...attributes, ldv: [...all] } satisfies Attributes;
      },
    );
    return wrap(service, core);
  };
}

export const management: readonly Fault[] = [...created, ...handled, ...mandatory, ...exclusive, ...networks];
