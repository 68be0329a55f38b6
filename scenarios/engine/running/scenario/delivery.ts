/**
 * The form of notification targets that a CSE delivers to. Usually a URL in `nu`; some CSEs deliver only to an application entity,
 * at its point of access. Notifications are checked over the way that a target delivers them.
 */
import type { LoadedCheck, LoadedScenario } from '../../files/load.ts';
import { ownScenario, registeredActors, uncheckedStep, usualRegistration } from '../../files/scenario-entries.ts';
import type { Expectation } from '../../grammar/grammar-check.ts';
import type { CreateStep, Step } from '../../grammar/grammar-step.ts';
import { inboxTargetName, inboxUrlName, namesIn, requestTexts } from '../../grammar/names.ts';
import { permittedBy } from '../../grammar/vocabulary.ts';
import { isParameter } from '../../messages/primitive.ts';
import type { ScenarioResult } from '../../results/result.ts';
import type { Installation } from '../../targets/installation.ts';
import { allowsMoreAes } from '../../targets/live-needs.ts';

/** `nothing`: no way has delivered anything. */
export type NotificationWay = 'URL' | 'point of access' | 'connection' | 'polling channel' | 'nothing';

type Speaker = Pick<Installation, 'dialect' | 'release' | 'originator'>;

/** The inboxes that a scenario names as notification targets, by default in the form that the CSE delivers to. */
function targetsIn({ inboxes, actors, given, steps }: LoadedScenario, form = inboxTargetName): string[] {
  const texts = [...given, ...steps].flatMap(({ step }) => requestTexts(step)).map(({ text }) => text);
  const names = [...texts, JSON.stringify(actors)].flatMap(namesIn);
  return Object.keys(inboxes).filter((inbox) => names.includes(form(inbox)));
}

/** Whether a scenario depends on the way of delivery, which is not known yet. */
export function dependsOnDelivery(scenario: LoadedScenario, { inboxes, settled }: Installation): boolean {
  if (inboxes === undefined || settled !== undefined) return false;
  return targetsIn(scenario).length > 0 || (!inboxes.listens && Object.keys(scenario.inboxes).length > 0);
}

/** Adds an application entity for each inbox that is a notification target, where the CSE delivers only to such. */
export function deliveredBy(scenario: LoadedScenario, delivery: NotificationWay, speaker: Speaker): LoadedScenario {
  const targets = targetsIn(scenario);
  if (targets.length === 0) return scenario;
  if (delivery === 'connection' || delivery === 'polling channel')
    return deliveredOver(scenario, targets, delivery, speaker);
  if (delivery !== 'point of access') return scenario;
  const [actor] = registeredActors(scenario, speaker.dialect);
  const [inbox = ''] = targets;
  // With one identity for all there can be one application entity only: the one that the scenario registers itself.
  if (speaker.originator !== undefined && targets.length === 1 && actor !== undefined)
    return withPointOfAccess(scenario, actor, inbox);
  const hosts = targets.map((name) =>
    uncheckedStep(hostOf(name, speaker, { poa: [`\${${inboxUrlName(name)}}`] }), scenario.place),
  );
  return { ...withHosts(scenario, targets, speaker), given: [...hosts, ...scenario.given] };
}

function hostOf(
  inbox: string,
  speaker: Speaker,
  reached: { readonly poa: string[] } | { readonly rr: boolean },
): CreateStep {
  const name = `\${name}-${inbox}`;
  const usual = usualRegistration(inbox, speaker.dialect, speaker.release);
  return {
    create: 'ae',
    in: '/${base}',
    note: `where ${inbox} is notified`,
    attributes: { rn: name, ...usual, ...reached },
    capture: { [inboxTargetName(inbox)]: 'aei' },
    ...asHost(inbox, speaker),
  };
}

/** Adds actors that register the application entities of inboxes, where any originator may be used. */
function withHosts(scenario: LoadedScenario, targets: readonly string[], speaker: Speaker): LoadedScenario {
  if (!allowsMoreAes(speaker)) return scenario;
  const hosts = targets.map((inbox) => [`${inbox}-host`, { registered: false, originator: `C\${name}-${inbox}` }]);
  return { ...scenario, actors: { ...scenario.actors, ...Object.fromEntries(hosts) } };
}

function asHost(inbox: string, speaker: Speaker): Pick<CreateStep, 'as'> {
  return allowsMoreAes(speaker) ? { as: `${inbox}-host` } : {};
}

/**
 * Each inbox polls its channel, or receives over the connection of its application entity. Checks of HTTP itself do not apply; a
 * scenario that names a URL is left unchanged.
 */
function deliveredOver(
  scenario: LoadedScenario,
  targets: readonly string[],
  delivery: 'connection' | 'polling channel',
  speaker: Speaker,
): LoadedScenario {
  if (targetsIn(scenario, inboxUrlName).length > 0) return scenario;
  const prepared = (step: Step) => uncheckedStep(step, scenario.place);
  const reached =
    delivery === 'connection'
      ? targets.map((inbox) => ({ ...prepared(hostOf(inbox, speaker, { rr: true })), receives: inbox }))
      : [
          ...targets.map((inbox) => prepared(hostOf(inbox, speaker, { rr: false }))),
          ...targets.map((inbox) => ({ ...prepared(channelOf(inbox, speaker)), polls: inbox })),
        ];
  const why = `it came through a ${delivery}, where it is no HTTP request`;
  const applied = (loaded: LoadedCheck) =>
    permittedBy(loaded.check).some(looksAtHttp) ? { ...loaded, inapplicable: why } : loaded;
  const steps = scenario.steps.map((step) => ({ ...step, checks: step.checks.map(applied) }));
  return { ...withHosts(scenario, targets, speaker), given: [...reached, ...scenario.given], steps };
}

function channelOf(inbox: string, speaker: Speaker): CreateStep {
  const parent = `/\${base}/\${name}-${inbox}`;
  return { create: 'polling channel', in: parent, attributes: { rn: 'channel' }, ...asHost(inbox, speaker) };
}

function looksAtHttp({ malformed, notification: { path, header = {} } = {} }: Expectation): boolean {
  return malformed !== undefined || path !== undefined || !Object.keys(header).every(isParameter);
}

function withPointOfAccess(scenario: LoadedScenario, actor: string, inbox: string): LoadedScenario {
  const { attributes, ...ownSettings } = scenario.actors[actor] ?? {};
  const poa = [`\${${inboxUrlName(inbox)}}`];
  const look: Step = { retrieve: `/\${base}/\${${actor}}`, as: actor, capture: { [inboxTargetName(inbox)]: 'aei' } };
  return {
    ...scenario,
    actors: { ...scenario.actors, [actor]: { ...ownSettings, attributes: { ...attributes, poa } } },
    given: [uncheckedStep(look, scenario.place), ...scenario.given],
  };
}

const app = '/${base}/${app}';
const readings = `${app}/readings`;

/** Subscribes in these forms, and sees what a new content instance brings. */
function trialOf(id: string, forms: Readonly<Record<string, string>>, speaker: Speaker): LoadedScenario {
  const inboxes = Object.keys(forms);
  const steps: readonly Step[] = [
    { create: 'container', in: app, as: 'app', attributes: { rn: 'readings' } },
    ...Object.entries(forms).map(
      ([inbox, target]): Step => ({
        create: 'subscription',
        in: readings,
        as: 'app',
        attributes: { rn: inbox, nu: [`\${${target}}`], enc: { net: [3] } },
        expect: 'either',
      }),
    ),
    { create: 'content instance', in: readings, as: 'app', attributes: { con: '1', cnf: 'text/plain:0' } },
    ...inboxes.map((inbox, n): Step => ({ notified: inbox, within: n === 0 ? '3s' : '1s', expect: 'either' })),
  ];
  return ownScenario({
    ...{ id, feature: 'Delivery', title: 'How notifications are delivered', dialect: speaker.dialect },
    needs: new Set(['notifications']),
    actors: { app: {} },
    inboxes: Object.fromEntries(inboxes.map((inbox) => [inbox, {}])),
    steps: steps.map((step) => uncheckedStep(step)),
  });
}

/**
 * Scenarios without checks that find out how a target delivers, one after the other until one shows it. With a single identity
 * there is no application entity to spare for a polling channel.
 */
export function deliveryTrials(speaker: Speaker & Pick<Installation, 'inboxes'>): LoadedScenario[] {
  const reached = { url: inboxUrlName('url'), point: inboxTargetName('point') };
  const overHttp = () => deliveredBy(trialOf('delivery', reached, speaker), 'point of access', speaker);
  const through = (delivery: 'connection' | 'polling channel', inbox: string) =>
    deliveredBy(trialOf(`delivery-${inbox}`, { [inbox]: inboxTargetName(inbox) }, speaker), delivery, speaker);
  if (!allowsMoreAes(speaker)) return speaker.inboxes?.listens ? [overHttp()] : [];
  return [
    ...(speaker.inboxes?.listens ? [overHttp()] : []),
    ...(speaker.inboxes?.connects ? [through('connection', 'connected')] : []),
    through('polling channel', 'polled'),
  ];
}

/** The result of a trial; a URL where the HTTP trial did not finish, as without a trial. */
export function deliveryOf({ id, steps }: Pick<ScenarioResult, 'id' | 'steps'>): NotificationWay {
  const looks = steps.flatMap(({ notifications }) => notifications ?? []);
  const received = (name: string) => looks.some(({ inbox, count }) => inbox === name && count > 0);
  if (received('connected')) return 'connection';
  if (received('polled')) return 'polling channel';
  if (received('url') || (id === 'delivery' && looks.length === 0)) return 'URL';
  return received('point') ? 'point of access' : 'nothing';
}
