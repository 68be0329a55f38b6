import type { Actor, InboxBlock } from '../grammar/grammar.ts';
import type { Step } from '../grammar/grammar-step.ts';
import {
  administrator,
  checkTexts,
  inboxNames,
  namesIn,
  originatorName,
  requestTexts,
  texts,
} from '../grammar/names.ts';
import { looksAtTls, type Need, needs } from '../grammar/vocabulary.ts';

const implied: Partial<Readonly<Record<Need, Need>>> = {
  'certificate optional': 'https',
  'certificate required': 'https',
  'registration label': 'simulated backend',
};

/** Without repetition, and with the implied ones. */
export function allNeeds(needs: Iterable<Need>): Set<Need> {
  return new Set([...needs].flatMap((need) => [need, implied[need] ?? need]));
}

/** Without those that another one implies. */
export function withoutImplied(needs: readonly Need[]): Need[] {
  const included = new Set(needs.map((need) => implied[need]));
  return needs.filter((need) => !included.has(need));
}

const contradictions: ReadonlyArray<readonly [Need, Need]> = [
  ['plain HTTP', 'https'],
  ['certificate optional', 'certificate required'],
  ['certificate required', 'no originator'],
];

interface Roles {
  readonly actors: Readonly<Record<string, Actor>>;
  readonly inboxes: Readonly<Record<string, InboxBlock>>;
}

/** Needs implied by steps and actors, beside the `declared` ones. */
export function impliedNeeds(steps: readonly Step[], { actors, inboxes }: Roles, declared: readonly Need[]): Need[] {
  const names = namesOf(steps, actors);
  const certified = [...steps, ...Object.values(actors)].some(presentsCertificate);
  const ofInboxes = Object.keys(inboxes).flatMap(inboxNames);
  const receives = steps.some((step) => 'receive' in step);
  const isSimulated = receives || declared.includes('simulated backend');
  const namesBackend = !isSimulated && [...names].some((name) => name.startsWith('backend-'));
  const found: Readonly<Partial<Record<Need, boolean>>> = {
    https: certified || steps.some(needsTls),
    backend: namesBackend || steps.some((step) => 'on' in step && step.on === 'backend'),
    'simulated backend': receives,
    notifications: steps.some((step) => 'notified' in step) || ofInboxes.some((one) => names.has(one)),
    clock: steps.some((step) => 'advance' in step),
    admin: names.has(administrator) || steps.some((step) => 'as' in step && step.as === administrator),
  };
  return needs.filter((need) => found[need]);
}

/** A client presents a certificate over TLS only. */
function presentsCertificate(one: Step | Actor): boolean {
  return 'certificate' in one && one.certificate !== undefined && one.certificate !== 'none';
}

/** A step that insists on TLS can look at it at any target. */
function needsTls(step: Step): boolean {
  if ('over' in step && (step.over === 'TLS 1.2' || step.over === 'TLS 1.3')) return false;
  return Object.values(('check' in step ? step.check : undefined) ?? {})
    .flat()
    .some(looksAtTls);
}

/** The names in the steps, and in the actors that they mention. */
function namesOf(steps: readonly Step[], actors: Roles['actors']): Set<string> {
  const names = new Set(
    steps.flatMap((step) => {
      const checks = [('check' in step && step.check) || {}, ('control' in step && step.control) || {}];
      const ofChecks = checks.flatMap((one) => Object.values(one).flatMap(checkTexts));
      return [...requestTexts(step), ...ofChecks].flatMap(({ text }) => namesIn(text));
    }),
  );
  const acting = new Set(steps.flatMap((step) => ('as' in step && step.as !== undefined ? [step.as] : [])));
  for (const [name, { originator, attributes }] of Object.entries(actors)) {
    if (!acting.has(name) && !names.has(name) && !names.has(originatorName(name))) continue;
    for (const { text } of texts([originator, attributes])) for (const one of namesIn(text)) names.add(one);
  }
  return names;
}

/** Two needs that no target can have together, as a sentence. */
export function contradictionIn(all: ReadonlySet<Need>): string | undefined {
  const pair = contradictions.find((two) => two.every((need) => all.has(need)));
  return pair && `no target has both "${pair[0]}" and "${pair[1]}"`;
}
