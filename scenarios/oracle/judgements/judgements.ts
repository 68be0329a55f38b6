/** Demands of rules that no matcher can express. */

import type { Check } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import type { Subject } from '../observation/facts.ts';
import { isThere, type KnownResource } from '../observation/known-resource.ts';
import type { Observation } from '../observation/observation.ts';
import { typeFacts } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import { ofAttributes } from './attributes.ts';
import { ofCoap } from './coap.ts';
import { ofCriteria } from './criteria.ts';
import { ofFanOut } from './fan-out.ts';
import { ofLimits } from './limits.ts';
import { ofLists } from './lists.ts';
import { ofRequests } from './requests.ts';
import { ofResultContent } from './result-content.ts';
import { ofRights } from './rights.ts';

/** Undefined if nothing can be demanded. */
export type Judgement = (seen: SeenExchange, subject: Subject, observation: Observation) => Check | undefined;

/** A body without a type is fine here. */
const noOtherType: Judgement = (_, { resource }) => {
  const others = Object.values(typeFacts).filter(({ name }) => name !== resource?.type);
  return { root: { not: { 'one of': ['m2m:cb', ...others.map(({ root }) => root)] } } };
};

/** The specification does not show other texts than TRUE. */
const sameBoolean: Judgement = (_, { requested }) => {
  const rr = requested.get('rr');
  return typeof rr === 'boolean' ? { attributes: { rr } } : undefined;
};

/** The form of the name is not specified: its last part, or an identifier of its AE. */
const creator: Judgement = ({ sender }, { resource }, { index }) => {
  const { originator } = resource?.createdBy ?? sender;
  const last = originator?.split('/').at(-1);
  if (originator === undefined || !last) return undefined;
  const called = index
    .registeredBy(originator)
    .flatMap(({ returned }) => [returned.get('ri'), returned.get('aei')])
    .filter((one) => typeof one === 'string');
  return {
    attributes: { cr: { 'when present': { 'one of': [{ 'ends with': last }, ...called, { not: { is: 'text' } }] } } },
  };
};

/** Of a request through another CSE, over plain HTTP: the originator with the service provider. */
const creatorThrough: Judgement = (_, { resource }, { isSecure }) => {
  const last = resource?.createdBy.through?.split('/').at(-1);
  if (last === undefined || isSecure) return undefined;
  const named = { 'all of': [{ 'starts with': '//' }, { 'ends with': `/${last}` }] };
  return { attributes: { cr: { 'when present': { 'one of': [named, { not: { is: 'text' } }] } } } };
};

/** Optional attributes of any resource type. */
const optional = new Set(['lbl', 'apn', 'or']);

const removedAttributes: Judgement = (_, { resource }) => {
  const removed = [...(resource?.updated ?? [])].filter(([name, value]) => value === null && optional.has(name));
  if (removed.length === 0) return undefined;
  return { attributes: Object.fromEntries(removed.map(([name]) => [name, { is: 'absent' }])) };
};

/** It differs from those of all existing resources. Reuse after a deletion is not specified. */
const distinct =
  (name: 'ri' | 'aei'): Judgement =>
  ({ exchange }, { resource }, { all, index }) => {
    const value = viewOf(exchange).attributes?.[name];
    const isOther = (one: KnownResource) => one !== resource && isThere(one, exchange.at);
    const alike = typeof value === 'string' ? index.identifiedAll(name, value) : all;
    const same = alike.find((one) => one.returned.get(name) === value && isOther(one));
    const other = same ?? all.findLast((one) => typeof one.returned.get(name) === 'string' && isOther(one));
    const known = other?.returned.get(name);
    if (typeof known !== 'string') return undefined;
    return { attributes: { [name]: { 'when present': { not: { equals: known } } } } };
  };

/** Content that no request gave is left alone. */
const newest: Judgement = ({ exchange }, { resource, requested }) => {
  const content = requested.get('con');
  const shown = viewOf(exchange).attributes?.con;
  const others = (resource?.parent?.children ?? []).map((one) => one.requested.get('con'));
  const older = others.filter((one): one is string => typeof one === 'string' && one !== content);
  const another = older.find((one) => one === shown) ?? older.at(-1);
  if (content === undefined || another === undefined) return undefined;
  return { attributes: { con: { 'when present': { not: { equals: another } } } } };
};

export const judgements: ReadonlyMap<string, Judgement> = new Map(
  Object.entries({
    'no other resource type is returned': noOtherType,
    'the requested boolean is returned': sameBoolean,
    'cr names the originator': creator,
    'ri is unique': distinct('ri'),
    'attributes removed by an update are absent': removedAttributes,
    'no older content is returned': newest,
    'aei is unique': distinct('aei'),
    'cr names the originator of the forwarded request': creatorThrough,
    ...ofAttributes,
    ...ofLimits,
    ...ofRequests,
    ...ofRights,
    ...ofLists,
    ...ofCriteria,
    ...ofFanOut,
    ...ofResultContent,
    ...ofCoap,
  }),
);
