/** Flexible containers: what they tell, and what changes them. */

import { CREATED, OK, UPDATED } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { findingOnly } from '../vocabulary/standard-discoveries.ts';
import { afterwards, answeredWith, asItIs, type Exchange, giving } from '../vocabulary/standard-exchanges.ts';
import { atFlexContainer, createsFlexContainer, isFlexContainer, ownNames } from '../vocabulary/standard-flex.ts';
import { showing, tellingFromThenOn } from '../vocabulary/standard-shown.ts';

/** What a flexible container tells when it is read. */
const reads = (change: (attributes: Attributes) => Attributes) => showing(atFlexContainer('GET'), change);

/** Another root for what is shown. */
const rooted = (when: (exchange: Exchange) => boolean, root: string) =>
  afterwards((exchange) =>
    isSuccess(exchange.answer) && when(exchange) && exchange.shown !== undefined
      ? withBody(exchange.answer, { [root]: exchange.shown.attributes })
      : undefined,
  );

const shown: readonly Fault[] = [
  breaking(
    'std.flex-container.create',
    'generic-root',
    'The answer to the creation of a flexible container has the root m2m:fcnt.',
    rooted(createsFlexContainer, 'm2m:fcnt'),
  ),
  breaking(
    'std.flex-container.retrieve',
    'generic-root',
    'A flexible container is read below m2m:fcnt.',
    rooted(atFlexContainer('GET'), 'm2m:fcnt'),
  ),
  breaking(
    'std.flex-container.cnd',
    'absent',
    'A flexible container that is read lacks its definition.',
    reads(({ cnd: _absent, ...others }) => others),
  ),
  breaking(
    'std.flex-container.cs',
    'absent',
    'A flexible container that is read lacks the size of its content.',
    reads(({ cs: _absent, ...others }) => others),
  ),
  breaking(
    'std.flex-container.st.zero',
    'one',
    'The state tag of a flexible container that is read is one more than it should be.',
    reads((attributes) => ({ ...attributes, st: Number(attributes.st) + 1 })),
  ),
  breaking(
    'std.flex-container.st.grows',
    'stays',
    'The state tag of a flexible container that is read is always 0.',
    reads((attributes) => ({ ...attributes, st: 0 })),
  ),
];

const changed: readonly Fault[] = [
  breaking(
    'std.flex-container.update',
    'ok',
    'An update of a flexible container is answered by the code 2000.',
    answeredWith(OK.http, OK.code, atFlexContainer('PUT')),
  ),
  breaking(
    'std.flex-container.update.others-stay',
    'replaced',
    'After an update of a flexible container it tells no attribute of its definition that the update did not give.',
    tellingFromThenOn(({ about, given, core, addressed }) => {
      if (about.method !== 'PUT' || given === undefined || !isFlexContainer(addressed)) return undefined;
      const names = ownNames(given.root, core);
      if (!names.some((name) => name in given.attributes)) return undefined;
      return Object.fromEntries(names.map((name) => [name, given.attributes[name]]));
    }),
  ),
  breaking(
    'std.flex-container.definition-stays',
    'ignored',
    'An update of cnd is answered as done, though it changes nothing.',
    pretending((exchange) => atFlexContainer('PUT')(exchange) && giving('cnd')(exchange)),
  ),
  breaking(
    'std.flex-container.foreign',
    'ignored',
    'An update of an attribute that neither the definition of a flexible container has nor all have is answered as done.',
    pretending(
      ({ given, addressed, ...others }) =>
        atFlexContainer('PUT')({ given, addressed, ...others }) &&
        Object.keys(given?.attributes ?? {}).some((name) => !(name in (addressed?.type.attributes ?? {}))),
    ),
  ),
  breaking(
    'std.flex-container.instance.update',
    'ignored',
    'An update of the newest instance of a flexible container is answered as done, though it changes nothing.',
    pretending(({ about }) => about.method === 'PUT' && about.virtual),
  ),
];

/** What is refused is answered as done, with the resource as it is. */
function pretending(when: (exchange: Exchange) => boolean) {
  return afterwards(async (exchange) => {
    if (isSuccess(exchange.answer) || !when(exchange)) return undefined;
    return recoded(await asItIs(exchange), UPDATED.http, UPDATED.code);
  });
}

const handled: readonly Fault[] = [
  breaking(
    'std.flex-container.discovered',
    'nothing',
    'A discovery by ty 28 finds nothing.',
    findingOnly(
      ({ about }) => about.query.get('ty') === '28',
      () => false,
    ),
  ),
  breaking(
    'std.flex-container.delete',
    'created',
    'The deletion of a flexible container is answered by the code 2001.',
    answeredWith(OK.http, CREATED.code, atFlexContainer('DELETE')),
  ),
];

export const flexContainers: readonly Fault[] = [...shown, ...changed, ...handled];
