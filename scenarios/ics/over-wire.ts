/** Adapts a plan to the binding of a target. */

import type { Requirement } from '../engine/files/catalogue.ts';
import type { LoadedCheck, LoadedScenario, LoadedStep } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import type { WireName } from '../engine/results/exchange.ts';

type Binding = WireName | 'HTTP';

/** Requirements of no binding that cannot be tested over a wire. */
const others: Readonly<Record<Binding, ReadonlyArray<readonly [id: RegExp, reason: string]>>> = {
  HTTP: [],
  MQTT: [
    [
      /^std\.access\.address\./,
      'is about the address of the sender, and over MQTT a CSE sees that of the server alone',
    ],
    unansweredOver('MQTT'),
  ],
  WebSocket: [unansweredOver('WebSocket')],
  CoAP: [unansweredOver('CoAP')],
};

function unansweredOver(wire: WireName) {
  const reason = `is about an answer that does not come, which over ${wire} is no answer at all`;
  return [/^std\.request\.no-response$/, reason] as const;
}

/**
 * Makes checks and rules of other bindings (TS-0009, or a document about HTTP; TS-0008, TS-0010, TS-0020) not applicable, with the
 * reason.
 */
export function overWire(plan: Plan, wire: Binding): Plan {
  const { requirements } = plan.catalogue;
  const left = (check: LoadedCheck): LoadedCheck => {
    const reason = check.inapplicable ?? reasonOf(requirements.get(check.requirement), wire);
    return reason === undefined ? check : { ...check, inapplicable: reason };
  };
  const among = (some: readonly LoadedScenario[]): LoadedScenario[] =>
    some.map((scenario) => {
      const steps = scenario.steps.map((step) => ({ ...step, checks: step.checks.map(left) }));
      const inapplicable = scenario.inapplicable ?? elsewhere(steps, wire);
      return { ...scenario, steps, ...(inapplicable !== undefined && { inapplicable }) };
    });
  return { ...plan, scenarios: among(plan.scenarios), others: among(plan.others) };
}

/** Why a scenario is not sent over HTTP: it is only about another wire. Over other wires it is sent for rules to check. */
function elsewhere(steps: readonly LoadedStep[], wire: Binding): string | undefined {
  if (wire !== 'HTTP') return undefined;
  const wires = new Set(steps.flatMap(({ checks }) => checks.map(({ requirement }) => wireOf(requirement))));
  const [own] = wires;
  if (own === undefined || wires.size > 1) return undefined;
  return isOfAnother(own, wire);
}

function reasonOf(requirement: Requirement | undefined, wire: Binding): string | undefined {
  if (requirement === undefined) return undefined;
  const { id, source } = requirement;
  const own = isOfHttp(source) ? 'HTTP' : wireOf(id);
  if (own !== undefined && own !== wire) return isOfAnother(own, wire);
  return others[wire].find(([id]) => id.test(requirement.id))?.[1];
}

/** Whether a requirement can be checked over a wire. */
export const appliesOver = (requirement: Requirement, wire: Binding): boolean =>
  reasonOf(requirement, wire) === undefined;

/** The same for all requirements of a binding, so that reports group them. */
const isOfAnother = (own: Binding, wire: Binding): string =>
  `it belongs to the ${own} binding, and the target is reached over ${wire}`;

/** A clause without a document belongs to the previous one. */
export function isOfHttp(source: string): boolean {
  const documents = source.split(/;\s*/).flatMap((clause) => /^(?:TS-\d+|RFC \d+)/.exec(clause) ?? []);
  return documents.length > 0 && documents.every((one) => one === 'TS-0009' || one.startsWith('RFC'));
}

/** Whether a requirement is about a single binding. */
export const isOfBinding = ({ id, source }: Pick<Requirement, 'id' | 'source'>): boolean =>
  isOfHttp(source) || wireOf(id) !== undefined;

/** Requirements of TS-0010, TS-0020 and TS-0008, and of TS-0004 on complete primitives. */
const ownWires: ReadonlyArray<readonly [prefix: string, wire: WireName]> = [
  ['std.mqtt.', 'MQTT'],
  ['std.ws.', 'WebSocket'],
  ['std.coap.', 'CoAP'],
];

const wireOf = (requirement: string): WireName | undefined =>
  ownWires.find(([prefix]) => requirement.startsWith(prefix))?.[1];
