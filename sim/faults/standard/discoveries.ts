/** What discoveries answer. */

import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { foundIn, isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, refused, withBody } from '../vocabulary/changed-answers.ts';
import { isObject, jsonIn } from '../vocabulary/representations.ts';
import { asking, by, discoveringOtherwise, findingOnly, parametersIn } from '../vocabulary/standard-discoveries.ts';
import { afterwards, beforehand, type Exchange, originatorOf } from '../vocabulary/standard-exchanges.ts';

const isDirect = ({ addressed }: Exchange, { parent }: Resource) => parent === addressed;
const isPlain = ({ about }: Exchange) => about.discovery && parametersIn(about.query) === '';
const isByLabel = ({ about }: Exchange) => about.discovery && by('lbl')(about.query);
const isAdministrator = (exchange: Exchange) =>
  originatorOf(exchange) === exchange.core.configuration.accessControl.admin;
const isAtBase = ({ addressed, core }: Exchange) => addressed === core.tree.base;

export const discoveries: readonly Fault[] = [
  breaking(
    'std.discovery.answer',
    'code',
    'A discovery without criteria below an application entity is answered by the code 2001.',
    afterwards((exchange) =>
      isPlain(exchange) && exchange.addressed?.type.root === 'm2m:ae' && isSuccess(exchange.answer)
        ? recoded(exchange.answer, 200, 2001)
        : undefined,
    ),
  ),
  breaking(
    'std.discovery.all',
    'children-only',
    'A discovery without criteria lists only the children of its target.',
    findingOnly(isPlain, (resource, exchange) => isDirect(exchange, resource)),
  ),
  breaking(
    'std.discovery.all',
    'nothing-of-one-s-own',
    'An application entity discovers nothing, whatever it asks for.',
    findingOnly(
      (exchange) => exchange.about.discovery && !isAdministrator(exchange),
      () => false,
    ),
  ),
  breaking(
    'std.discovery.none',
    'not-found',
    'A discovery below an application entity, by label alone, that finds nothing is answered by 4004.',
    afterwards((exchange) => {
      const isNothing = isByLabel(exchange) && foundIn(exchange.answer.body)?.length === 0;
      return isNothing && exchange.addressed?.type.root === 'm2m:ae' ? refused(404, 4004, exchange.request) : undefined;
    }),
  ),
  breaking(
    'std.discovery.label',
    'of-several',
    'Below anything but the CSE base a discovery by label alone leaves out what carries other labels, too.',
    findingOnly(
      (exchange) => isByLabel(exchange) && !isAtBase(exchange) && exchange.about.query.getAll('lbl').length === 1,
      ({ labels = [] }) => labels.length === 1,
    ),
  ),
  breaking(
    'std.discovery.from-base',
    'two-levels',
    'A discovery by label from the CSE base finds only what is one or two levels below it.',
    findingOnly(
      (exchange) => isByLabel(exchange) && isAtBase(exchange),
      ({ parent }, { core }) => parent === core.tree.base || parent?.parent === core.tree.base,
    ),
  ),
  breaking(
    'std.discovery.unstructured',
    'ignored',
    'Where drt is 2 a discovery lists paths of names all the same.',
    discoveringOtherwise((query) => query.get('drt') === '2', asking('drt', '1')),
  ),
  breaking(
    'std.discovery.structured',
    'identifiers',
    'Where drt is 1 a discovery lists resource identifiers.',
    discoveringOtherwise((query) => query.get('drt') === '1', asking('drt', '2')),
  ),
  breaking(
    'std.discovery.not-found',
    'empty',
    'A discovery below what is not there is answered by an empty list.',
    afterwards(({ about, answer, code, addressed }) =>
      about.discovery && code === 4004 && addressed === undefined
        ? withBody(recoded(answer, 200, 2000), { 'm2m:uril': [] })
        : undefined,
    ),
  ),
  breaking(
    'std.discovery.rcn.6',
    'children',
    'With rcn 6 a discovery answers its references below m2m:rrf.',
    afterwards(({ about, answer }) => {
      const value = about.discovery && about.query.get('rcn') === '6' ? jsonIn(answer.body) : undefined;
      return isObject(value) ? withBody(answer, { 'm2m:rrf': value['m2m:rrl'] }) : undefined;
    }),
  ),
  breaking(
    'std.discovery.rcn.1',
    'attributes',
    'With rcn 1 a discovery answers the attributes of its target.',
    beforehand(({ about, request, serve }) =>
      about.discovery && about.query.get('rcn') === '1'
        ? serve({ ...request, target: `${about.path}?rcn=1` })
        : undefined,
    ),
  ),
];
