import { ownValue } from '../../basics/own-value.ts';
import type { LoadedScenario, LoadedStep } from '../../files/load.ts';
import { registeredActors } from '../../files/scenario-entries.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import type { SendingStep, Step } from '../../grammar/grammar-step.ts';
import { isSending } from '../../grammar/vocabulary.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';

interface Registration {
  readonly path: string;
  readonly certificate: string | undefined;
  /** False when a refusal is expected. */
  readonly stays: boolean;
}

/** The scenario for a single originator, if there is one: actors with a substitute are replaced by it. */
export function byOneOriginator(
  scenario: LoadedScenario,
  { originator }: Pick<Installation, 'originator'>,
): LoadedScenario {
  const others = new Map(
    Object.entries(scenario.actors).flatMap(([name, { or }]) => (or === undefined ? [] : [[name, or]])),
  );
  if (originator === undefined || others.size === 0) return scenario;
  const instead = (name: string) => others.get(name) ?? name;
  const inText = (text: string) => text.replace(/(?<=\$\{)[a-z][a-z0-9]*(?=[.}])/g, instead);
  const standIn = (step: LoadedStep): LoadedStep =>
    JSON.parse(JSON.stringify(step), (key, value) => {
      if (typeof value !== 'string') return value;
      return key === 'as' ? instead(value) : inText(value);
    });
  return { ...scenario, given: scenario.given.map(standIn), steps: scenario.steps.map(standIn) };
}

/**
 * Registrations with the client's own identity, which can be used once at each CSE, counted in the steps as written: the most at
 * the same time at one CSE, where every request carries that identity, and whether any carries a certificate even where
 * requests need not.
 */
export function registrationsOf(scenario: LoadedScenario, dialect: Dialect) {
  const living = new Set<string>();
  const certificates = new Set<string | undefined>();
  let atOnce = 0;
  const add = ({ path, certificate, stays }: Registration) => {
    certificates.add(certificate);
    if (certificate !== undefined && certificate !== 'own') return;
    const member = memberOf(path);
    const beside = [...living].filter((one) => one !== path && one.startsWith(`${member} `)).length;
    atOnce = Math.max(atOnce, beside + 1);
    if (stays) living.add(path);
  };
  for (const actor of registeredActors(scenario, dialect)) {
    const path = canonical('gateway', `/\${base}/\${${actor}}`);
    add({ path, certificate: ownValue(scenario.actors, actor)?.certificate, stays: true });
  }
  for (const { step } of [...scenario.given, ...scenario.steps]) {
    if ('delete' in step) living.delete(canonical(step.on ?? 'gateway', step.delete));
    const registration = registrationIn(step, scenario);
    if (registration !== undefined) add(registration);
  }
  return { atOnce, withCertificate: [...certificates].some((name) => name !== undefined && name !== 'none') };
}

function registrationIn(step: Step, { actors }: LoadedScenario): Registration | undefined {
  if (!isSending(step)) return undefined;
  const path = registeredPath(step);
  if (path === undefined) return undefined;
  const certificate = step.certificate ?? (step.as === undefined ? undefined : ownValue(actors, step.as)?.certificate);
  return { path: canonical(step.on ?? 'gateway', path), certificate, stays: step.expect !== 'refusal' };
}

/** The CSE where a step registers an application entity; undefined when it does not. */
export function memberOfRegistration(step: SendingStep): MemberName | undefined {
  const path = registeredPath(step);
  return path === undefined ? undefined : memberOf(canonical(step.on ?? 'gateway', path));
}

/** The path of the application entity that a step registers; undefined when it does not. */
function registeredPath(step: SendingStep): string | undefined {
  if ('create' in step) return step.create === 'ae' ? `${step.in}/${String(step.attributes?.rn)}` : undefined;
  if (!('raw' in step) || !JSON.stringify(step.raw).includes('m2m:ae')) return undefined;
  const creates = 'bytes' in step.raw || step.raw.method === 'POST';
  return creates ? (step.creates ?? JSON.stringify(step.raw)) : undefined;
}

const forwarded: ReadonlyArray<readonly [MemberName, RegExp]> = [
  ['backend', /^\/(~|_\/\$\{backend-sp\})\/\$\{backend-cse\}/],
  ['gateway', /^\/(~|_\/\$\{sp\})\/\$\{cse\}/],
];

function memberOf(canonicalPath: string): MemberName {
  return canonicalPath.startsWith('backend ') ? 'backend' : 'gateway';
}

/** The CSE that a path leads to, and the path there. */
function canonical(on: MemberName, path: string): string {
  const [member, way] = forwarded.find(([, start]) => start.test(path)) ?? [on, /^/];
  return `${member} ${path.replace(way, '')}`;
}
