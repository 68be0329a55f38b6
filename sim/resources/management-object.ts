/** Management objects (TS-0001, clause 9.6.15; the specialisations of annex D): one kind for each definition. */
import type { AttributeType } from '../core/attribute-types.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable, TabledAttribute } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import type { GivenAttributes } from '../core/validate.ts';
import { free, later, needed, neededOnce, ofCse, once } from './attribute-forms.ts';
import { announceable, common, controlled, location } from './common.ts';
import { listDevice, unlistDevice } from './node.ts';

/** What an object of a definition does beyond having attributes. */
interface Behaviour {
  /** Pairs of switches of which an update may set one at a time. */
  readonly switches?: readonly (readonly [string, string])[];
  /** What the object has at first. */
  readonly initial?: Resource['values'];
  /** What the object has where nothing is said, and again after each change. */
  readonly resting?: Readonly<Record<string, boolean>>;
  /** What comes of a switch that an update sets: what is simulated has happened as soon as it is asked for. */
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
  mgd: neededOnce('integer', 'mgmtDefinition', { announced: 'always' }),
  obis: once('list of text', 'objectIDs'),
  obps: once('list of text', 'objectPaths'),
  dc: free('text', 'description'),
  mgs: once('text', 'mgmtSchema', { announced: 'always' }),
  cmlk: free({ listOf: link }, 'mgmtLink'),
} as const satisfies Record<string, TabledAttribute>;

/** By short name; the others only have attributes. */
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
    vr: needed('text', 'version'),
    fwn: needed('text', 'firmwareName'),
    url: needed('text', 'URL'),
    uds: later(actionStatus, 'updateStatus'),
    ud: needed('boolean', 'update'),
  }),
  managementObject(1002, 'swr', 'software', {
    vr: needed('text', 'version'),
    swn: needed('text', 'softwareName'),
    url: needed('text', 'URL'),
    ins: ofCse(actionStatus, 'installStatus'),
    acts: ofCse(actionStatus, 'activeStatus'),
    in: later('boolean', 'install'),
    un: later('boolean', 'uninstall'),
    act: later('boolean', 'activate'),
    dea: later('boolean', 'deactivate'),
  }),
  managementObject(1003, 'mem', 'memory', {
    mma: needed('integer', 'memAvailable'),
    mmt: needed('integer', 'memTotal'),
  }),
  managementObject(1004, 'ani', 'areaNwkInfo', {
    ant: needed('text', 'areaNwkType'),
    ldv: free('list of text', 'listOfDevices'),
  }),
  managementObject(1005, 'andi', 'areaNwkDeviceInfo', {
    dvd: needed('text', 'devId'),
    dvt: needed('text', 'devType'),
    awi: needed('text', 'areaNwkId'),
    sli: free('integer', 'sleepInterval'),
    sld: free('integer', 'sleepDuration'),
    ss: free('text', 'devStatus'),
    lnh: free('list of text', 'listOfNeighbors'),
  }),
  managementObject(1006, 'bat', 'battery', {
    btl: needed('integer', 'batteryLevel'),
    bts: needed({ oneOf: [1, 2, 3, 4, 5, 6, 7] }, 'batteryStatus'),
  }),
  managementObject(1007, 'dvi', 'deviceInfo', {
    dlb: needed('text', 'deviceLabel'),
    man: needed('text', 'manufacturer'),
    mfdl: free('text', 'manufacturerDetailsLink'),
    mfd: free('absolute or relative timestamp', 'manufacturingDate'),
    mod: needed('text', 'model'),
    smod: free('text', 'subModel'),
    dty: needed('text', 'deviceType'),
    dvnm: free('text', 'deviceName'),
    fwv: free('text', 'fwVersion'),
    swv: free('text', 'swVersion'),
    hwv: once('text', 'hwVersion'),
    osv: free('text', 'osVersion'),
    cnty: once('text', 'country'),
    syst: free('absolute or relative timestamp', 'systemTime'),
    spur: free('text', 'supportURL'),
    purl: free('text', 'presentationURL'),
    ptl: free('list of text', 'protocol'),
    ...location,
  }),
  managementObject(1008, 'dvc', 'deviceCapability', {
    can: needed('text', 'capabilityName'),
    att: needed('boolean', 'attached'),
    cas: needed(actionStatus, 'capabilityActionStatus'),
    ena: free('boolean', 'enable'),
    dis: free('boolean', 'disable'),
    cus: needed('boolean', 'currentState'),
  }),
  managementObject(1009, 'rbo', 'reboot', { rbo: free('boolean', 'reboot'), far: free('boolean', 'factoryReset') }),
  managementObject(1010, 'evl', 'eventLog', {
    lgt: needed({ oneOf: [1, 2, 3, 4, 5] }, 'logTypeId'),
    lgd: needed('text', 'logData'),
    lgst: needed({ oneOf: [1, 2, 3, 4, 5] }, 'logStatus'),
    lga: free('boolean', 'logStart'),
    lgo: free('boolean', 'logStop'),
  }),
];

/** The kind whose `mgd` is this number. */
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
    updating: (_resource, given) => change(behaviour, given),
    ...behaviour.hooks,
  };
}

function change({ switches = [], resting = {}, effects = {} }: Behaviour, given: GivenAttributes): void {
  for (const pair of switches) {
    if (pair.some((name) => given.values[name] !== true)) continue;
    throw new CseError('BAD_REQUEST', `${pair.join(' and ')} cannot be true at the same time.`);
  }
  for (const name in effects) if (given.values[name] === true) Object.assign(given.values, effects[name]);
  for (const name in resting) if (given.values[name] !== undefined) given.values[name] = resting[name] ?? false;
}
