/**
 * In which form a target is to be named what it notifies. A URL in `nu` is the usual one; some CSEs deliver only to an
 * application entity, at its point of access. What is said of notifications is judged by the way that a target delivers.
 */
import type { LoadedScenario, LoadedStep } from '../files/load.ts';
import type { CreateStep, Step } from '../grammar/grammar-step.ts';
import { inboxTargetName, inboxUrlName, namesIn, requestTexts } from '../grammar/names.ts';
import type { ScenarioResult } from '../result.ts';
import { registeredActors } from './actors.ts';
import type { Installation } from './installation.ts';
import { usualRegistration } from './scenario-entries.ts';

/** `nothing`: neither way has brought anything. */
export type Delivery = 'URL' | 'point of access' | 'nothing';

type Speaker = Pick<Installation, 'dialect' | 'release' | 'originator'>;

/** The inboxes that a scenario names as a target of notifications, in whatever form the CSE delivers to. */
function targetsIn({ inboxes, given, steps }: LoadedScenario): string[] {
  const names = [...given, ...steps].flatMap(({ step }) => requestTexts(step)).flatMap(({ text }) => namesIn(text));
  return Object.keys(inboxes).filter((inbox) => names.includes(inboxTargetName(inbox)));
}

/** Whether it matters to a scenario how the target delivers, and that is still to be found out. */
export function asksForDelivery(scenario: LoadedScenario, { inboxes, settled }: Installation): boolean {
  return inboxes !== undefined && settled === undefined && targetsIn(scenario).length > 0;
}

/** The scenario with an application entity for each inbox that is named as a target, where the CSE delivers only to such. */
export function deliveredBy(scenario: LoadedScenario, delivery: Delivery, speaker: Speaker): LoadedScenario {
  const targets = targetsIn(scenario);
  if (delivery !== 'point of access' || targets.length === 0) return scenario;
  const [actor] = registeredActors(scenario, speaker.dialect);
  const [inbox = ''] = targets;
  // With one identity for all there is room for one application entity: that which the scenario registers itself.
  if (speaker.originator !== undefined && targets.length === 1 && actor !== undefined)
    return withPointOfAccess(scenario, actor, inbox);
  const hosts = targets.map((name) => preparing(hostOf(name, speaker), scenario));
  return { ...scenario, given: [...hosts, ...scenario.given] };
}

function hostOf(inbox: string, { dialect, release, originator }: Speaker): CreateStep {
  const name = `\${name}-${inbox}`;
  const usual = usualRegistration(inbox, dialect, release);
  const own = dialect === 'onem2m' && originator === undefined;
  return {
    create: 'ae',
    in: '/${base}',
    note: `where ${inbox} is notified`,
    attributes: { rn: name, ...usual, poa: [`\${${inboxUrlName(inbox)}}`] },
    capture: { [inboxTargetName(inbox)]: 'aei' },
    ...(own && { headers: { 'X-M2M-Origin': `C${name}` } }),
  };
}

function withPointOfAccess(scenario: LoadedScenario, actor: string, inbox: string): LoadedScenario {
  const { attributes, ...described } = scenario.actors[actor] ?? {};
  const poa = [`\${${inboxUrlName(inbox)}}`];
  const look: Step = { retrieve: `/\${base}/\${${actor}}`, as: actor, capture: { [inboxTargetName(inbox)]: 'aei' } };
  return {
    ...scenario,
    actors: { ...scenario.actors, [actor]: { ...described, attributes: { ...attributes, poa } } },
    given: [preparing(look, scenario), ...scenario.given],
  };
}

function preparing(step: Step, { place }: Pick<LoadedScenario, 'place'>): LoadedStep {
  return { step, place, checks: [] };
}

const place = { file: '', line: 1, column: 1 };
const app = '/${base}/${app}';
const readings = `${app}/readings`;

/** Subscribes in both forms, and looks at what a new content instance brings. */
const trial: readonly Step[] = [
  { create: 'container', in: app, as: 'app', attributes: { rn: 'readings' } },
  ...(['url.url', 'point.nu'] as const).map(
    (target): Step => ({
      create: 'subscription',
      in: readings,
      as: 'app',
      attributes: { rn: target.replace('.', '-'), nu: [`\${${target}}`], enc: { net: [3] } },
      expect: 'either',
    }),
  ),
  { create: 'content instance', in: readings, as: 'app', attributes: { con: '1', cnf: 'text/plain:0' } },
  { notified: 'url', within: '3s', expect: 'either' },
  { notified: 'point', within: '1s', expect: 'either' },
];

/** By which it is found out how a target delivers. Nothing is judged by it. */
export function deliveryTrial(speaker: Speaker): LoadedScenario {
  const scenario: LoadedScenario = {
    id: 'delivery',
    feature: 'Delivery',
    title: 'How notifications are delivered',
    tags: [],
    dialects: new Set([speaker.dialect]),
    needs: new Set(['notifications']),
    place,
    file: '',
    actors: { app: {} },
    inboxes: { url: {}, point: {} },
    given: [],
    steps: trial.map((step) => preparing(step, { place })),
  };
  return deliveredBy(scenario, 'point of access', speaker);
}

/** What the trial has shown; a URL where it came to no end, as if there had been no trial. */
export function shownBy({ steps }: Pick<ScenarioResult, 'steps'>): Delivery {
  const looks = steps.flatMap(({ notifications }) => notifications ?? []);
  const [url, point] = ['url', 'point'].map((name) => looks.find(({ inbox }) => inbox === name));
  if (url === undefined || url.count > 0) return 'URL';
  return point !== undefined && point.count > 0 ? 'point of access' : 'nothing';
}
