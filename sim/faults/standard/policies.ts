/** Access control policies themselves. */

import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess, resourceAtPath } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import { pathOf } from '../vocabulary/changed-requests.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  type Arrival,
  afterwards,
  answeredWith,
  asAdministrator,
  creating,
  type Exchange,
  insteadOfRefusing,
  originatorOf,
  reading,
  rejecting,
  removing,
  without,
} from '../vocabulary/standard-exchanges.ts';
import { names } from '../vocabulary/standard-rights.ts';
import { showing } from '../vocabulary/standard-shown.ts';
import { rulesIn, takingOtherwise, takingRules } from '../vocabulary/standard-taken.ts';

const policy = 'm2m:acp';
const everything = 63;
const badRequest = { status: 400, code: 4000 };

const shownFirst = (set: unknown) => ({ acr: rulesIn(set)?.slice(0, 1) ?? [] });

const isOfEntity = ({ addressed }: Arrival) => addressed?.parent?.type.root === 'm2m:ae';
const isNew = (attributes: Attributes) => attributes.lt === attributes.ct;

const asResources: readonly Fault[] = [
  breaking(
    'std.policy.create',
    'ok',
    'The creation of an access control policy without a name is answered by 200 and 2000.',
    answeredWith(200, 2000, (exchange) => creating(policy)(exchange) && exchange.given?.attributes.rn === undefined),
  ),
  breaking(
    'std.policy.retrieve',
    'root',
    'An access control policy below an application entity is read below m2m:accessControlPolicy.',
    afterwards(({ answer, shown, ...arrival }) =>
      isSuccess(answer) && shown?.root === policy && reading()(arrival) && isOfEntity(arrival)
        ? withBody(answer, { 'm2m:accessControlPolicy': shown.attributes })
        : undefined,
    ),
  ),
  breaking(
    'std.policy.delete',
    'ok',
    'The deletion of an access control policy is answered by 2000.',
    answeredWith(200, 2000, removing(policy)),
  ),
  breaking(
    'std.policy.optional',
    'labels-not-read',
    'An access control policy that is read lacks its labels until it is changed.',
    showing(reading(policy), (attributes) => (isNew(attributes) ? without(attributes, 'lbl') : attributes)),
  ),
  breaking(
    'std.policy.kept',
    'rules-for-itself-hidden',
    'An access control policy that is read lacks pvs until it is changed.',
    showing(reading(policy), (attributes) => (isNew(attributes) ? without(attributes, 'pvs') : attributes)),
  ),
];

/** Whether a policy is created with several rules there. */
const severalIn = (which: 'pv' | 'pvs') => (arrival: Pick<Exchange, 'about' | 'given'>) =>
  arrival.about.method === 'POST' &&
  arrival.given?.root === policy &&
  (rulesIn(arrival.given.attributes[which])?.length ?? 0) > 1;

const several: readonly Fault[] = [
  breaking(
    'std.policy.several-rules',
    'refused',
    'An access control policy with several rules in pv is refused with 4000.',
    rejecting(badRequest, severalIn('pv')),
  ),
  breaking(
    'std.policy.several-rules.kept',
    'first-told',
    'The answer to the creation of an access control policy tells only the first rule of pv.',
    showing(creating(policy), (attributes) => ({ ...attributes, pv: shownFirst(attributes.pv) })),
  ),
  breaking(
    'std.policy.several-self-rules',
    'refused',
    'An access control policy with several rules in pvs is refused with 4000.',
    rejecting(badRequest, severalIn('pvs')),
  ),
  breaking(
    'std.policy.several-self-rules.kept',
    'first-told',
    'The answer to the creation of an access control policy tells only the first rule of pvs.',
    showing(creating(policy), (attributes) => ({ ...attributes, pvs: shownFirst(attributes.pvs) })),
  ),
];

const isEmpty = (set: unknown) => rulesIn(set) === undefined || rulesIn(set)?.length === 0;
const ofOriginator = (originator = '') => ({ acr: [{ acor: [originator], acop: everything }] });

/** The rules for itself are those for its originator, where the method and what is given say so. */
const ownRules = (method: string, when: (given: unknown) => boolean) =>
  takingOtherwise(({ root, attributes }, _core, request) =>
    root === policy && request.method === method && when(attributes.pvs)
      ? { ...attributes, pvs: ofOriginator(request.headers['x-m2m-origin']) }
      : undefined,
  );

const checked: readonly Fault[] = [
  breaking(
    'std.policy.no-rules',
    'refused',
    'An access control policy is refused with 4000 when its pv has no rules.',
    rejecting(badRequest, (arrival) => creating(policy)(arrival) && isEmpty(arrival.given?.attributes.pv)),
  ),
  breaking(
    'std.policy.no-self-rules',
    'taken',
    'An access control policy whose pvs has no rules is created, and its originator has all rights to it.',
    ownRules('POST', (pvs) => isObject(pvs) && isEmpty(pvs)),
  ),
  breaking(
    'std.policy.self-rules-mandatory',
    'taken',
    'An access control policy without pvs is created, and its originator has all rights to it.',
    ownRules('POST', (pvs) => pvs === undefined),
  ),
  breaking(
    'std.policy.no-self-rules.update',
    'taken',
    'An update that takes all rules from pvs is taken, and its originator has all rights to the policy.',
    ownRules('PUT', (pvs) => isObject(pvs) && isEmpty(pvs)),
  ),
  breaking(
    'std.policy.rules-mandatory',
    'taken',
    'An access control policy without pv is created, and allows nothing.',
    takingOtherwise(({ root, attributes }, _core, { method }) =>
      root === policy && method === 'POST' && attributes.pv === undefined ? { ...attributes, pv: {} } : undefined,
    ),
  ),
  breaking(
    'std.policy.rule-complete',
    'everything',
    'A rule without operations is taken, and allows everything.',
    takingRules('both', (rules) => rules.map((rule) => ({ acop: everything, ...rule }))),
  ),
  breaking(
    'std.policy.object-details.complete',
    'any-kind',
    'A rule for kinds that does not name the kinds of children is taken, and holds for all kinds.',
    takingRules('both', (rules) =>
      rules.map(({ acod, ...rule }) =>
        JSON.stringify(acod)?.includes('"chty"') || acod === undefined ? { ...rule, acod } : rule,
      ),
    ),
  ),
];

const forWhom: readonly Fault[] = [
  breaking(
    'std.policy.itself.pv',
    'counts',
    'Who is named in pv may do everything with the policy itself.',
    insteadOfRefusing(
      4103,
      (exchange) =>
        exchange.addressed?.type.root === policy &&
        (rulesIn(exchange.addressed.values.pv) ?? []).some((rule) => names(rule, originatorOf(exchange))),
      asAdministrator,
    ),
  ),
  breaking(
    'std.policy.others.pvs',
    'counts',
    'The rules of pvs hold for what refers to the policy, too.',
    takingOtherwise(({ root, attributes: { pv, pvs, ...attributes } }) =>
      root === policy && pv !== undefined ? { ...attributes, pv: together(pv, pvs), pvs } : undefined,
    ),
  ),
  breaking(
    'std.policy.itself.pvs',
    'first-only',
    'Of the rules of pvs only the first is looked at.',
    takingRules('pvs', (rules) => rules.slice(0, 1)),
  ),
  breaking(
    'std.policy.itself.operation',
    'any',
    'A rule of pvs allows everything, whatever its operations.',
    takingRules('pvs', (rules) => rules.map((rule) => ({ ...rule, acop: everything }))),
  ),
  breaking(
    'std.policy.changed',
    'not-in-force',
    'An update of pv is told from then on, but the rules that hold stay those from before.',
    takingOtherwise(({ attributes }, core, request) => {
      const { pv } = resourceAtPath(pathOf(request), core)?.values ?? {};
      return request.method === 'PUT' && attributes.pv !== undefined && pv !== undefined
        ? { ...attributes, pv }
        : undefined;
    }),
  ),
];

function together(one: unknown, other: unknown) {
  return { acr: [...(rulesIn(one) ?? []), ...(rulesIn(other) ?? [])] };
}

export const policies: readonly Fault[] = [...asResources, ...several, ...checked, ...forWhom];
