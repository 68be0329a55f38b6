/** Management objects (TS-0001, clause 9.6.15; the specialisations of annex D): one type for each definition. */
import type { AttributeType } from '../core/attribute-types.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable, TabledAttribute } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import type { RequestedAttributes } from '../core/validate.ts';
import { optional, optionalOnce, readOnly, required, requiredOnce, updateOnly } from './attribute-forms.ts';
import { announceable, common, controlled, location } from './common.ts';
import { listDevice, unlistDevice } from './node.ts';

/** Behaviour of a definition beyond its attributes. */
interface Behaviour {
  /** Pairs of switches that an update may not set together. */
  readonly switches?: readonly (readonly [string, string])[];
  /** Initial values. */
  readonly initial?: Resource['values'];
  /** Default values, restored after each change. */
  readonly resting?: Readonly<Record<string, boolean>>;
  /** Values that result from setting a switch: simulated actions complete at once. */
  readonly effects?: Readonly<Record<string, Resource['values']>>;
  readonly hooks?: Pick<ResourceTypeTable, 'stored' | 'removed'>;
}

const actionStatus: AttributeType = {
  members: { acn: { type: 'text', long: 'action' }, sus: { type: { oneOf: [0, 1, 2, 3] }, long: 'status' } },
};

const nothingDone = { acn: '', sus: 0 } as const;
const successful = (acn: string) => ({ acn, sus: 1 });
const [logStarted, logStopped] = [1, 2];

const link: AttributeType = {
  members: {
    nm: { type: 'text', long: 'name', mandatory: true },
    typ: { type: 'integer', long: 'type', mandatory: true },
    val: { type: 'text', long: 'value' },
  },
};

const shared = {
  mgd: requiredOnce('integer', 'mgmtDefinition', { announced: 'always' }),
  obis: optionalOnce('list of text', 'objectIDs'),
  obps: optionalOnce('list of text', 'objectPaths'),
  dc: optional('text', 'description'),
  mgs: optionalOnce('text', 'mgmtSchema', { announced: 'always' }),
  cmlk: optional({ listOf: link }, 'mgmtLink'),
} as const satisfies Record<string, TabledAttribute>;

/** By short name; other definitions only have attributes. */
const behaviours: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries<Behaviour>({
    fwr: { initial: { uds: nothingDone } },
    swr: {
      switches: [
        ['in', 'un'],
        ['act', 'dea'],
      ],
      initial: { in: false, un: false, ins: nothingDone, act: false, dea: false, acts: nothingDone },
      effects: {
        in: { ins: successful('install') },
        un: { ins: successful('uninstall') },
        act: { acts: successful('activate') },
        dea: { acts: successful('deactivate') },
      },
    },
    andi: { hooks: { stored: listDevice, removed: unlistDevice } },
    dvc: {
      switches: [['ena', 'dis']],
      resting: { ena: true, dis: true },
      effects: { ena: { cas: successful('enable'), cus: true }, dis: { cas: successful('disable'), cus: false } },
    },
    rbo: { switches: [['rbo', 'far']], resting: { rbo: false, far: false } },
    evl: {
      switches: [['lga', 'lgo']],
      initial: { lga: true, lgo: true },
      effects: { lga: { lgst: logStarted }, lgo: { lgst: logStopped } },
    },
  }),
);

export const managementObjects: readonly ResourceTypeTable[] = [
  managementObject(1001, 'fwr', 'firmware', {
    vr: required('text', 'version'),
    fwn: required('text', 'firmwareName'),
    url: required('text', 'URL'),
    uds: updateOnly(actionStatus, 'updateStatus'),
    ud: required('boolean', 'update'),
  }),
  managementObject(1002, 'swr', 'software', {
    vr: required('text', 'version'),
    swn: required('text', 'softwareName'),
    url: required('text', 'URL'),
    ins: readOnly(actionStatus, 'installStatus'),
    acts: readOnly(actionStatus, 'activeStatus'),
    in: updateOnly('boolean', 'install'),
    un: updateOnly('boolean', 'uninstall'),
    act: updateOnly('boolean', 'activate'),
    dea: updateOnly('boolean', 'deactivate'),
  }),
  managementObject(1003, 'mem', 'memory', {
    mma: required('integer', 'memAvailable'),
    mmt: required('integer', 'memTotal'),
  }),
  managementObject(1004, 'ani', 'areaNwkInfo', {
    ant: required('text', 'areaNwkType'),
    ldv: optional('list of text', 'listOfDevices'),
  }),
  managementObject(1005, 'andi', 'areaNwkDeviceInfo', {
    dvd: required('text', 'devId'),
    dvt: required('text', 'devType'),
    awi: required('text', 'areaNwkId'),
    sli: optional('integer', 'sleepInterval'),
    sld: optional('integer', 'sleepDuration'),
    ss: optional('text', 'devStatus'),
    lnh: optional('list of text', 'listOfNeighbors'),
  }),
  managementObject(1006, 'bat', 'battery', {
    btl: required('integer', 'batteryLevel'),
    bts: required({ oneOf: [1, 2, 3, 4, 5, 6, 7] }, 'batteryStatus'),
  }),
  managementObject(1007, 'dvi', 'deviceInfo', {
    dlb: required('text', 'deviceLabel'),
    man: required('text', 'manufacturer'),
    mfdl: optional('text', 'manufacturerDetailsLink'),
    mfd: optional('absolute or relative timestamp', 'manufacturingDate'),
    mod: required('text', 'model'),
    smod: optional('text', 'subModel'),
    dty: required('text', 'deviceType'),
    dvnm: optional('text', 'deviceName'),
    fwv: optional('text', 'fwVersion'),
    swv: optional('text', 'swVersion'),
    hwv: optionalOnce('text', 'hwVersion'),
    osv: optional('text', 'osVersion'),
    cnty: optionalOnce('text', 'country'),
    syst: optional('absolute or relative timestamp', 'systemTime'),
    spur: optional('text', 'supportURL'),
    purl: optional('text', 'presentationURL'),
    ptl: optional('list of text', 'protocol'),
    ...location,
  }),
  managementObject(1008, 'dvc', 'deviceCapability', {
    can: required('text', 'capabilityName'),
    att: required('boolean', 'attached'),
    cas: required(actionStatus, 'capabilityActionStatus'),
    ena: optional('boolean', 'enable'),
    dis: optional('boolean', 'disable'),
    cus: required('boolean', 'currentState'),
  }),
  managementObject(1009, 'rbo', 'reboot', {
    rbo: optional('boolean', 'reboot'),
    far: optional('boolean', 'factoryReset'),
  }),
  managementObject(1010, 'evl', 'eventLog', {
    lgt: required({ oneOf: [1, 2, 3, 4, 5] }, 'logTypeId'),
    lgd: required('text', 'logData'),
    lgst: required({ oneOf: [1, 2, 3, 4, 5] }, 'logStatus'),
    lga: optional('boolean', 'logStart'),
    lgo: optional('boolean', 'logStop'),
  }),
];

/** The type whose `mgd` is this number. */
function managementObject(
  number: number,
  short: string,
  longName: string,
  attributes: Readonly<Record<string, TabledAttribute>>,
): ResourceTypeTable {
  const behaviour = behaviours.get(short) ?? {};
  const present = { ...behaviour.initial, ...behaviour.resting };
  return {
    ty: 13,
    root: `m2m:${short}`,
    longName,
    definition: number,
    children: [23],
    attributes: { ...common, ...shared, ...attributes, ...controlled, ...announceable },
    assign({ values }) {
      for (const [name, value] of Object.entries(present)) values[name] ??= value;
      if (values.mgd === number) return;
      throw new CseError('BAD_REQUEST', `mgd of m2m:${short} must be ${number}, not ${JSON.stringify(values.mgd)}.`);
    },
    updating: (_resource, requested) => change(behaviour, requested),
    ...behaviour.hooks,
  };
}

function change({ switches = [], resting = {}, effects = {} }: Behaviour, requested: RequestedAttributes): void {
  for (const pair of switches) {
    if (pair.some((name) => requested.values[name] !== true)) continue;
    throw new CseError('BAD_REQUEST', `${pair.join(' and ')} cannot be true at the same time.`);
  }
  for (const name in effects) if (requested.values[name] === true) Object.assign(requested.values, effects[name]);
  for (const name in resting) if (requested.values[name] !== undefined) requested.values[name] = resting[name] ?? false;
}
