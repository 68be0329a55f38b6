import { getOrInsert } from '../core/memoize.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { updated } from '../core/validate.ts';
import { optional, optionalOnce, readOnly, requiredOnce } from './attribute-forms.ts';
import { contentLength } from './byte-length.ts';
import { announceable, common, controlled, creator, location, retention } from './common.ts';
import { contentInfo } from './content-instance.ts';
import { detectMissingData, instanceArrived, stopDetection, timeOf } from './missing-data.ts';
import { admitInstance, enforceLimits } from './retention.ts';

/** Settings of the missing data detection, which cannot change during it (TS-0004, clause 7.4.38). */
const settings = ['pei', 'peid', 'mdn', 'mdt'] as const;

/** Time series (TS-0001, clause 9.6.36). */
export const timeSeries: ResourceTypeTable = {
  ty: 29,
  root: 'm2m:ts',
  longName: 'timeSeries',
  children: [23, 30],
  holdsInstances: true,
  attributes: {
    ...common,
    ...creator,
    ...retention,
    pei: optional('positive integer', 'periodicInterval'),
    peid: optional('integer', 'periodicIntervalDelta'),
    mdd: optional('boolean', 'missingDataDetect', { permanent: true }),
    mdn: optional('positive integer', 'missingDataMaxNr'),
    mdlt: readOnly('list of text', 'missingDataList'),
    mdc: readOnly('integer', 'missingDataCurrentNr'),
    mdt: optional('positive integer', 'missingDataDetectTimer'),
    cnf: optionalOnce('text', 'contentInfo', { form: contentInfo }),
    or: optional('text', 'ontologyRef'),
    ...controlled,
    ...announceable,
    ...location,
  },
  assign({ values }) {
    values.mdd ??= false;
    if (typeof values.pei === 'number') values.peid ??= toleranceOf(values.pei, values.mdt);
    checkSettings(values);
    values.mdc = 0;
  },
  admit: admitInstance,
  stored: detectMissingData,
  restored: detectMissingData,
  updating(resource, requested) {
    const { values, removed } = requested;
    const changing = settings.filter((name) => values[name] !== undefined || removed.includes(name));
    if (changing.length > 0 && (resource.values.mdd === true || values.mdd !== undefined)) {
      throw new CseError('BAD_REQUEST', `${changing.join(', ')} cannot change while missing data is detected (mdd).`);
    }
    const { pei } = values;
    if (typeof pei === 'number') values.peid ??= toleranceOf(pei, values.mdt ?? resource.values.mdt);
    checkSettings(updated(requested, resource.values));
  },
  updated(resource, changed, services) {
    enforceLimits(resource, services);
    const starts = changed.includes('mdd') && resource.values.mdd === true;
    // Detected missing data is dropped when detection restarts or its settings change (TS-0001, clause 10.2.4.29).
    if (starts || settings.some((name) => changed.includes(name))) {
      const { mdlt: _before, ...others } = resource.values;
      resource.values = { ...others, mdc: 0 };
    }
    if (changed.includes('mdd')) detectMissingData(resource);
  },
  removed: stopDetection,
};

/** Instance of a time series (TS-0001, clause 9.6.37). */
export const timeSeriesInstance: ResourceTypeTable = {
  ty: 30,
  root: 'm2m:tsi',
  longName: 'timeSeriesInstance',
  operations: ['retrieve', 'delete'],
  isInstance: true,
  attributes: {
    ...common,
    ...creator,
    dgt: requiredOnce('absolute or relative timestamp', 'dataGenerationTime'),
    con: optionalOnce('any', 'content', { documented: { type: 'text' } }),
    cs: readOnly('integer', 'contentSize'),
    snr: optionalOnce('integer', 'sequenceNr'),
    ...announceable,
    ...location,
  },
  assign(resource, services) {
    const { values, parent } = resource;
    values.cs = values.con === undefined ? 0 : contentLength(values.con);
    // TS-0004, clause 7.4.39.2.1: no two instances of a time series have the same time.
    if (parent && generated.get(parent)?.has(timeOf(values.dgt, services.configuration))) {
      throw new CseError('CONFLICT', `There is an instance with dgt ${String(values.dgt)} already.`);
    }
    if (values.at !== undefined) services.announcer.checkHolder(resource);
  },
  stored(resource, services) {
    const { values, parent } = resource;
    if (parent === undefined) return;
    getOrInsert(generated, parent, () => new Set()).add(timeOf(values.dgt, services.configuration));
    instanceArrived(parent, resource, services);
  },
  removed({ values, parent }, { configuration }) {
    if (parent !== undefined) generated.get(parent)?.delete(timeOf(values.dgt, configuration));
  },
};

/** The default tolerance: half of the interval, and less than the time after which data is missing. */
function toleranceOf(pei: number, mdt: unknown): number {
  const half = Math.floor(pei / 2);
  return typeof mdt === 'number' ? Math.min(half, mdt - 1) : half;
}

/** TS-0004, clauses 7.4.38.2.1 and 7.4.38.2.3. */
function checkSettings({ pei, peid, mdd, mdt }: Resource['values']): void {
  if (typeof pei === 'number' && typeof peid === 'number' && peid > pei / 2) {
    throw new CseError('BAD_REQUEST', `peid is ${peid}, more than half of pei.`);
  }
  if (mdd !== true) return;
  if (mdt === undefined) throw new CseError('BAD_REQUEST', 'mdd needs mdt, the time after which data is missing.');
  if (typeof peid === 'number' && Number(mdt) <= peid) {
    throw new CseError('BAD_REQUEST', `mdt is ${String(mdt)}, and must be greater than peid, which is ${peid}.`);
  }
}

/** Generation times of the instances of each series. */
const generated = new WeakMap<Resource, Set<unknown>>();
