/** Rights by the only applicable policy (TS-0001 9.6.2, 9.6.7; TS-0004 7.3.3.15). */

import { isObject } from '../../engine/basics/body.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import { isSame, isThere, type KnownResource } from '../observation/known-resource.ts';
import type { Observation } from '../observation/observation.ts';
import { isPermitted, isUsuallySaid } from '../observation/permitted.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';

/** The operations of accessControlOperations (TS-0001 9.6.2.3). */
const bits: Readonly<Record<string, number>> = { create: 1, retrieve: 2, update: 4, delete: 8, discover: 32 };

/** Resource types to which policies alone give rights. */
const guarded: ReadonlySet<string> = new Set(['container', 'content-instance', 'flex-container', 'group', 'policy']);

/** An AE-ID that stands for a single application entity. */
const plainIdentifier = /^C[\w-]+$/;

interface Rule {
  readonly acor: readonly unknown[];
  readonly acop: number;
}

/** For a registered originator other than the creator; undefined if anything else may decide. */
function rightOf(
  seen: SeenExchange,
  { index, looksAtPolicies }: Observation,
): 'right' | 'other rights' | 'none' | undefined {
  const { request, resource, sender, exchange, isOrdinary, isAuthenticated } = seen;
  const { [request.operation]: bit } = bits;
  const { originator } = sender;
  if (resource === undefined || bit === undefined || request.virtual !== undefined || !guarded.has(resource.type))
    return undefined;
  if (!looksAtPolicies || !isOrdinary || !isAuthenticated || request.trailingSlash || !isUsuallySaid(seen))
    return undefined;
  const isAnother =
    originator !== undefined &&
    plainIdentifier.test(originator) &&
    index.registeredBy(originator).some((one) => isThere(one, exchange.at));
  if (!isAnother || isSame(resource.createdBy, sender) || !isThere(resource, exchange.at)) return undefined;
  const own = rulesFor(resource, index, exchange.at)?.filter(({ acor }) => acor.includes(originator));
  if (own === undefined) return undefined;
  if (own.length === 0) return 'none';
  return own.some(({ acop }) => (acop & bit) !== 0) ? 'right' : 'other rights';
}

function rulesFor(resource: KnownResource, index: Observation['index'], at: number): readonly Rule[] | undefined {
  const own = resource.type === 'content-instance' ? resource.parent : resource;
  const isShared = ['cstn', 'daci'].some((name) => own?.requested.has(name) || own?.updated.has(name));
  const acpi: unknown = own?.updated.has('acpi') || isShared ? undefined : own?.requested.get('acpi');
  const named = Array.isArray(acpi) && acpi.length === 1 ? index.identified(String(acpi[0])) : undefined;
  const policy = resource.type === 'policy' ? resource : named;
  if (policy?.type !== 'policy' || !isThere(policy, at)) return undefined;
  return rulesIn(policy.requested.get(policy === resource ? 'pvs' : 'pv'));
}

/** Undefined if any rule holds more than originators and operations. */
export function rulesIn(rights: unknown): readonly Rule[] | undefined {
  const rules = isObject(rights) && Array.isArray(rights.acr) ? rights.acr : [];
  return rules.length > 0 && rules.every(isPlainRule) ? rules : undefined;
}

function isPlainRule(rule: unknown): rule is Rule {
  if (!isObject(rule)) return false;
  const { acor, acop, ...others } = rule;
  const isNamed = Array.isArray(acor) && acor.every((one) => plainIdentifier.test(String(one)));
  return isNamed && typeof acop === 'number' && Object.keys(others).length === 0;
}

/** For all but policies, whose own pvs applies. */
const having =
  (rights: readonly unknown[], demand: Check): Judgement =>
  (seen, _, observation) =>
    seen.resource?.type !== 'policy' && rights.includes(rightOf(seen, observation)) ? demand : undefined;

const refused: Check = { rsc: 4103 };
const denied: ReadonlySet<ReturnType<typeof rightOf>> = new Set(['none', 'other rights']);

/** References in a creation or an update may need more rights, and a subscription does (TS-0004 7.4.8.2.1). */
const allowed: Judgement = (seen, ...more) => {
  const { operation, type, attributes = {} } = seen.request;
  const isPlain = Object.keys(attributes).every((name) => ['rn', 'con', 'cnf', 'lbl'].includes(name));
  const isSimple = isPlain && (operation !== 'create' || type === 'content-instance');
  return isSimple ? having(['right'], { rsc: { not: 4103 } })(seen, ...more) : undefined;
};
const itself: Judgement = (seen, _, observation) =>
  seen.resource?.type === 'policy' && denied.has(rightOf(seen, observation)) ? refused : undefined;

/** Only for labels: other policies may apply to policies and members that an update names. */
const byCreator: Judgement = (seen) => {
  const names = Object.keys(seen.request.attributes ?? {});
  return names.join() === 'lbl' && isPermitted(seen) ? { rsc: { not: 4103 } } : undefined;
};

/** Not where children may have rights of their own. */
const undiscovered: Judgement = (seen, _, observation) => {
  const isBare =
    seen.resource?.isComplete === true && seen.resource.children.every(({ type }) => type === 'content-instance');
  if (!isBare || !denied.has(rightOf(seen, observation))) return undefined;
  const source = 'TS-0004 7.3.3.14; TS-0001 10.2.6';
  return {
    'one of': [
      { rsc: 4103, source },
      { rsc: 2000, found: { length: 0 }, source },
    ],
  };
};

export const ofRights: Readonly<Record<string, Judgement>> = {
  'an originator with the right is permitted': allowed,
  'an originator with other rights is refused': having(['other rights'], refused),
  'an originator without rights is refused': having(['none'], refused),
  'the creator is permitted': byCreator,
  'an originator who may not change the policy is refused': itself,
  'an originator without the right to discover finds nothing': undiscovered,
};
