import { resourceType } from '../core/resource-type.ts';
import { common, stateTag } from './common.ts';

/** Content instance (TS-0001, clause 9.6.7): written once, never updated. */
export const contentInstance = resourceType({
  ty: 4,
  root: 'm2m:cin',
  prefix: 'cin',
  longName: 'contentInstance',
  children: [],
  operations: ['retrieve', 'delete'],
  isInstance: true,
  attributes: {
    ...common,
    cnf: {
      type: 'text',
      create: 'optional',
      update: 'not permitted',
      // TS-0004, contentInfo: media type, encoding 0 to 2, optionally a content security digit.
      form: {
        pattern: /^[^\s:/]+\/[^:]+:[0-9](:[0-9])?$/,
        says: 'must look like <media type>:<digit>, such as text/plain:0',
      },
    },
    con: { type: 'text', create: 'mandatory', update: 'not permitted' },
    cs: { type: 'integer', create: 'not permitted', update: 'not permitted' },
    ...stateTag,
    or: { type: 'text', create: 'optional', update: 'not permitted' },
  },
  assign({ values }) {
    values.cnf ??= 'text/plain:0';
    values.cs = utf8Length(String(values.con));
  },
});

/** Bytes of the text in UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place);
    if (unit > 0x7ff) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
    // A surrogate pair is four bytes for two units; its second unit has nothing to add to the first one's three.
    if (unit >= 0xd800 && unit <= 0xdbff) place++;
  }
  return bytes;
}
