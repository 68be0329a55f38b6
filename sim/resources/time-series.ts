import type { Resource } from '../core/resource.ts';
import type { HookContext, ResourceTypeTable } from '../core/resource-type.ts';
import { BAD_REQUEST, CONFLICT, CseError } from '../core/status.ts';
import type { GivenAttributes } from '../core/validate.ts';
import { free, neededOnce, ofCse, once } from './attribute-forms.ts';
import { contentLength } from './byte-length.ts';
import { announceable, common, controlled, creator, location, retention } from './common.ts';
import { contentInfo } from './content-instance.ts';
import { detectMissingData, instanceArrived, stopDetection, timeOf } from './missing-data.ts';
import { admitInstance, keepWithinLimits } from './retention.ts';

/** Attributes by which missing data is found; they stay as they are while it is looked for (TS-0004, clause 7.4.38). */
const settings = ['pei', 'peid', 'mdn', 'mdt'] as const;

/** Time series (TS-0001, clause 9.6.36). */
export const timeSeries: ResourceTypeTable = {
  ty: 29,
  root: 'm2m:ts',
  prefix: 'ts',
  longName: 'timeSeries',
  children: [23, 30],
  operations: ['retrieve', 'update', 'delete'],
  holdsInstances: true,
  attributes: {
    ...common,
    ...creator,
    ...retention,
    pei: free('positive integer', 'periodicInterval'),
    peid: free('integer', 'periodicIntervalDelta'),
    mdd: { ...free('boolean', 'missingDataDetect'), kept: true },
    mdn: free('positive integer', 'missingDataMaxNr'),
    mdlt: ofCse('list of text', 'missingDataList'),
    mdc: ofCse('integer', 'missingDataCurrentNr'),
    mdt: free('positive integer', 'missingDataDetectTimer'),
    cnf: { ...once('text', 'contentInfo'), form: contentInfo },
    or: free('text', 'ontologyRef'),
    ...controlled,
    ...announceable,
    ...location,
  },
  assign({ values }) {
    values.mdd ??= false;
    if (typeof values.pei === 'number') values.peid ??= Math.floor(values.pei / 2);
    checkSettings(values);
    if (values.mdd === true) values.mdc = 0;
  },
  admit(parent, child, context) {
    if (child.type.isInstance) admitInstance(parent, child, context);
  },
  stored: detectMissingData,
  restored: detectMissingData,
  updating: checkChange,
  updated(resource, context, changed) {
    keepWithinLimits(resource, context);
    if (!changed.includes('mdd')) return;
    if (resource.values.mdd === true) {
      const { mdlt: _before, ...others } = resource.values;
      resource.values = { ...others, mdc: 0 };
    }
    detectMissingData(resource);
  },
  removed: stopDetection,
};

/** Instance of a time series (TS-0001, clause 9.6.37). */
export const timeSeriesInstance: ResourceTypeTable = {
  ty: 30,
  root: 'm2m:tsi',
  prefix: 'tsi',
  longName: 'timeSeriesInstance',
  children: [],
  operations: ['retrieve', 'delete'],
  isInstance: true,
  attributes: {
    ...common,
    ...creator,
    dgt: neededOnce('absolute or relative timestamp', 'dataGenerationTime'),
    con: { ...once('any', 'content'), type: { documented: 'text', onem2m: 'any' } },
    cs: ofCse('integer', 'contentSize'),
    snr: once('integer', 'sequenceNr'),
    ...announceable,
    ...location,
  },
  assign(resource, context) {
    const { values, parent } = resource;
    values.cs = values.con === undefined ? 0 : contentLength(values.con);
    if (parent !== undefined) checkUnique(resource, parent, context);
  },
  stored(resource, { services }) {
    keepTime(resource, services);
    if (resource.parent !== undefined) instanceArrived(resource.parent, resource, services);
  },
  removed: forgetTime,
};

function checkSettings({ pei, peid, mdd, mdt }: Resource['values']): void {
  if (typeof peid === 'number' && peid > Number(pei ?? 0) / 2) {
    throw new CseError(BAD_REQUEST, `peid is ${peid}, more than half of pei.`);
  }
  if (mdd === true && mdt === undefined) {
    throw new CseError(BAD_REQUEST, 'mdd needs mdt, the time after which data is missing.');
  }
}

function checkChange(resource: Resource, { values, removed }: GivenAttributes): void {
  const changing = settings.filter((name) => values[name] !== undefined || removed.includes(name));
  if (changing.length > 0 && (resource.values.mdd === true || values.mdd !== undefined)) {
    throw new CseError(BAD_REQUEST, `${changing.join(', ')} cannot change while missing data is looked for (mdd).`);
  }
  const after = { ...resource.values, ...values };
  for (const name of removed) delete after[name];
  checkSettings(after);
}

/** The times of generation that a series holds. */
const generated = new WeakMap<Resource, Set<unknown>>();

/** TS-0004, clause 7.4.39.2.1: two instances of one time series are not of the same time. */
function checkUnique({ values }: Resource, series: Resource, { configuration }: HookContext): void {
  if (!generated.get(series)?.has(timeOf(values.dgt, configuration))) return;
  throw new CseError(CONFLICT, `There is an instance of ${String(values.dgt)} already (dgt).`);
}

function keepTime({ values, parent }: Resource, { configuration }: Pick<HookContext, 'configuration'>): void {
  if (parent === undefined) return;
  const times = generated.get(parent) ?? new Set();
  generated.set(parent, times.add(timeOf(values.dgt, configuration)));
}

function forgetTime({ values, parent }: Resource, { configuration }: Pick<HookContext, 'configuration'>): void {
  if (parent !== undefined) generated.get(parent)?.delete(timeOf(values.dgt, configuration));
}
