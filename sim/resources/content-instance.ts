import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import { optionalOnce, readOnly, unannounced } from './attribute-forms.ts';
import { contentLength } from './byte-length.ts';
import { announceable, common, creator, location, stateTag } from './common.ts';

/** TS-0004, contentInfo: media type, encoding 0 to 2, optionally a content security digit. */
export const contentInfo = {
  pattern: /^[^\s:/]+\/[^:]+:[0-9](:[0-9])?$/,
  problem: 'must look like <media type>:<digit>, such as text/plain:0',
};

/** Content instance (TS-0001, clause 9.6.7): written once, never updated. */
export const contentInstance: ResourceTypeTable = {
  ty: 4,
  root: 'm2m:cin',
  longName: 'contentInstance',
  operations: ['retrieve', 'delete'],
  isInstance: true,
  attributes: {
    ...common,
    ...creator,
    cnf: optionalOnce('text', 'contentInfo', { form: contentInfo }),
    con: optionalOnce('any', 'content', { documented: { type: 'text', create: 'mandatory' } }),
    cs: readOnly('integer', 'contentSize'),
    ...stateTag,
    or: optionalOnce('text', 'ontologyRef'),
    conr: optionalOnce('any', 'contentRef', { only: 'onem2m' }),
    dcnt: optionalOnce('positive integer', 'deletionCnt', { ...unannounced, only: 'onem2m' }),
    dgt: optionalOnce('absolute or relative timestamp', 'dataGenerationTime', { ...unannounced, only: 'onem2m' }),
    ...announceable,
    ...location,
  },
  assign(instance, { configuration, announcer }) {
    const { values } = instance;
    if (configuration.dialect.name === 'documented') values.cnf ??= 'text/plain:0';
    else {
      // TS-0004, contentInfo: 0 plain, 1 base64 of a text, 2 base64 of binary data.
      if (values.cnf !== undefined && !/:[0-2](:[0-5])?$/.test(String(values.cnf))) {
        throw new CseError('BAD_REQUEST', `cnf has an unknown encoding: ${JSON.stringify(values.cnf)}.`);
      }
      if (values.at !== undefined) announcer.checkHolder(instance);
    }
    values.cs = values.con === undefined ? 0 : contentLength(values.con);
  },
  retrieving: checkRetrievable,
  removing: checkRetrievable,
  retrieved: countDown,
};

/** `disr` of the container: its instances can be neither retrieved nor deleted (TS-0004, clauses 7.4.7.2.2 and 7.4.7.2.4). */
function checkRetrievable({ parent }: Resource): void {
  if (parent?.values.disr !== true) return;
  throw new CseError(
    'OPERATION_NOT_ALLOWED',
    `The instances of ${parent.path} can be neither retrieved nor deleted (disr).`,
    { allow: [] },
  );
}

/** `dcnt`: the instance is removed after so many retrievals (TS-0001, table 9.6.7-2). */
function countDown(instance: Resource, { tree }: Services): void {
  const left = instance.values.dcnt;
  if (typeof left !== 'number') return;
  if (left > 1) instance.values = { ...instance.values, dcnt: left - 1 };
  else tree.remove(instance);
}
