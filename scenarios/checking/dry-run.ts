/** The requests that a run would send, in order, without sending them. */

import { defined } from '../engine/basics/defined.ts';
import type { LoadedScenario } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import { type Entry, entriesOf } from '../engine/files/scenario-entries.ts';
import { inboxNames } from '../engine/grammar/names.ts';
import { expectationOf, isSending } from '../engine/grammar/vocabulary.ts';
import { emptyView } from '../engine/judging/answer.ts';
import { capturedBy } from '../engine/judging/expectation.ts';
import { titleOf } from '../engine/judging/sentences.ts';
import { MissingValue, type NamedValue } from '../engine/messages/interpolate.ts';
import { prepare } from '../engine/messages/request.ts';
import type { AnyRequest, Target } from '../engine/messages/target.ts';
import { bareRequest, numberedSpeech, type Speech } from '../engine/messages/usual-headers.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import type { TargetDescription } from '../engine/results/result.ts';
import { deliveryTrials, dependsOnDelivery } from '../engine/running/scenario/delivery.ts';
import { Ledger } from '../engine/running/scenario/ledger.ts';
import { byOneOriginator, registrationsOf } from '../engine/running/scenario/registrations.ts';
import {
  originatorNames,
  type RequestSender,
  type SenderContext,
  senderOf,
} from '../engine/running/scenario/request-sender.ts';
import { labelOf, namesOf } from '../engine/running/scenario/scenario-context.ts';
import { changeOf } from '../engine/running/scenario/sending.ts';
import { recordedSent } from '../engine/targets/exchanging/record.ts';
import { Inboxes } from '../engine/targets/inboxes.ts';
import type { Installation } from '../engine/targets/installation.ts';
import { lifetimeOf, withExpiration } from '../engine/targets/lifetime.ts';
import { inboxHostOf, lackingOf, needsOf } from '../engine/targets/live-needs.ts';
import { senderSettings } from '../engine/targets/reach-url.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { RunSafety, type SafetyChoice } from '../safety/run-safety.ts';

/** A request that would be sent. `${name}` stands for values known only then. */
export interface DryRequest {
  /** Absent before the first and after the last scenario. */
  readonly scenario?: string;
  readonly phase: 'before' | 'given' | 'step' | 'cleanup' | 'after';
  /** Such as `create container in /onem2m`. */
  readonly title: string;
  readonly on?: 'backend';
  readonly request: SentRequest;
  readonly originator?: string;
  readonly certificate?: string;
  /** Why it would not be sent. */
  readonly objection?: string;
  /** True if the reason is that it is known to corrupt or kill a deployed CSE. */
  readonly leftOut?: true;
}

/** The requests of a run, the questions to people, and the skipped scenarios with reasons. */
export interface DryRun {
  readonly requests: readonly DryRequest[];
  readonly questions: ReadonlyArray<{ readonly scenario: string; readonly text: string }>;
  readonly skipped: ReadonlyArray<{
    readonly scenario: string;
    readonly reason: string;
    readonly state: 'not applicable' | 'left out';
  }>;
}

/** Stand for the run's identifier, and for values of the target. */
const placeholder = { run: '${run}', identifier: '${ri}', expiration: '${et}' };

/** Sends nothing. Times, captures, answers of people and other values known only at run time are `${name}`. */
export async function dryRun(plan: Plan, prepared: PreparedUrl, safety: SafetyChoice = {}): Promise<DryRun> {
  const { survey = false } = safety;
  const unguarded = silentInstallation(prepared);
  const guard = new RunSafety(placeholder.run, { ...prepared.choice, ...safety }, unguarded);
  const installation = { ...unguarded, ...guard.targets };
  const requests: DryRequest[] = [];
  const questions: Array<DryRun['questions'][number]> = [];
  const skipped: Array<DryRun['skipped'][number]> = [];
  if (plan.scenarios.some((scenario) => dependsOnDelivery(scenario, installation)))
    for (const trial of deliveryTrials(installation)) requests.push(...(await requestsOf(trial, 0, installation)));
  for (const [at, written] of plan.scenarios.entries()) {
    const scenario = byOneOriginator(written, installation);
    const skip = skipOf(scenario, installation, prepared);
    if (skip === undefined) requests.push(...(await requestsOf(scenario, at + 1, installation)));
    else skipped.push(skip);
    if (skip === undefined) questions.push(...questionsOf(scenario));
  }
  const [before, after] = [edgeRequests('before', installation, survey), edgeRequests('after', installation, survey)];
  return { requests: [...before, ...requests, ...after], questions, skipped };
}

const questionsOf = ({ id, given, steps }: LoadedScenario): DryRun['questions'] =>
  [...given, ...steps].flatMap(({ step }) => ('ask' in step ? [{ scenario: id, text: step.ask }] : []));

/** The skipped scenarios alone. */
export function skippedAt({ scenarios }: Plan, prepared: PreparedUrl): DryRun['skipped'] {
  const installation = silentInstallation(prepared);
  return scenarios.flatMap((one) => skipOf(byOneOriginator(one, installation), installation, prepared) ?? []);
}

function skipOf(scenario: LoadedScenario, installation: Installation, prepared: PreparedUrl) {
  const { id, inapplicable, leftOut } = scenario;
  const reason = inapplicable ?? leftOut ?? lacking(scenario, installation, prepared);
  if (reason === undefined) return undefined;
  return { scenario: id, reason, state: reason === leftOut ? 'left out' : 'not applicable' } as const;
}

function lacking(scenario: LoadedScenario, { has, dialect, originator }: Installation, prepared: PreparedUrl) {
  const missing = [...scenario.needs].filter((need) => !has.has(need));
  if (missing.length > 0) return [...new Set(missing.map(lackingOf(prepared)))].join('; ');
  const several = originator !== undefined && registrationsOf(scenario, dialect).atOnce > 1;
  return several ? 'needs several application entities at the same time' : undefined;
}

/** An installation where every request succeeds, and none is sent. */
function silentInstallation(prepared: PreparedUrl): Installation {
  const { choice, description, backend, certificates } = prepared;
  const targets = { gateway: silent(description), ...(backend && { backend: silent(backend) }) };
  const { lifetime } = lifetimeOf(choice, targets, 0);
  return {
    name: 'target',
    has: needsOf(prepared),
    ...targets,
    certificates,
    inboxes: new Inboxes({ ...(inboxHostOf(choice, description) ?? { wireless: true }), startedAt: 0 }),
    ...senderSettings(prepared),
    ...(lifetime && { lifetime: { ...lifetime, expiration: () => placeholder.expiration } }),
  };
}

function silent(description: TargetDescription): Target {
  return {
    description,
    objection: () => undefined,
    send: async (request) => answered(recordedSent(request)),
    close: async () => {},
  };
}

/** The request to see whether the target answers, and the survey of its resources. */
function edgeRequests(phase: 'before' | 'after', installation: Installation, survey: boolean): DryRequest[] {
  const { gateway, backend, admin, originator, usualCertificate: certificate } = installation;
  const { dialect, release } = installation;
  const speech = { dialect, release, requestIdentifier: () => placeholder.identifier };
  const by = { originator: admin ?? originator, speech };
  const one = (title: string, path: string, on?: 'backend'): DryRequest => {
    const request = bareRequest('GET', path, by);
    return { phase, title, request, ...defined({ on, originator: by.originator, certificate }) };
  };
  const base = `/${gateway.description.base}`;
  const reach = [one('see whether the target answers', base)];
  if (backend) reach.push(one('see whether the backend answers', `/${backend.description.base}`, 'backend'));
  return [
    ...(phase === 'before' ? reach : []),
    ...(survey ? [one('look at what the target holds', `${base}?fu=1`)] : []),
  ];
}

interface DryRunContext extends SenderContext {
  readonly scenario: LoadedScenario;
  readonly speech: Speech;
  readonly ledger: Ledger;
}

async function requestsOf(scenario: LoadedScenario, number: number, installation: Installation): Promise<DryRequest[]> {
  const names = namesOf(scenario, number, placeholder.run, installation);
  for (const name of ['et', ...Object.keys(scenario.inboxes).flatMap(inboxNames)]) stand(names, name);
  const ledger = new Ledger(installation);
  const speech = numberedSpeech(installation, `${labelOf(placeholder.run, number)}-r`);
  const context: DryRunContext = { installation, actors: scenario.actors, names, scenario, speech, ledger };
  for (const [name, value] of await originatorNames(context)) names.set(name, value);
  const found: DryRequest[] = [];
  for (const entry of entriesOf(scenario, installation.dialect, installation.release)) {
    const request = await requestOf(entry, context).catch((error: unknown) => {
      if (error instanceof MissingValue) return undefined;
      throw error;
    });
    if (request !== undefined) found.push({ scenario: scenario.id, ...request });
    for (const [name] of capturedBy(entry.step, emptyView)) stand(names, name);
  }
  return [...found, ...removals(ledger, speech).map((one) => ({ scenario: scenario.id, ...one }))];
}

/** Undefined for a step that sends nothing; rejects with a MissingValue if a name has no value. */
async function requestOf(
  { step, checks, phase, leftOut: marked }: Entry,
  context: DryRunContext,
): Promise<DryRequest | undefined> {
  if (!isSending(step)) return undefined;
  const { names, installation, scenario, speech, ledger } = context;
  const sender = await senderOf({ step, checks }, context);
  if ('missing' in sender) return undefined;
  const { originator } = sender;
  const prepared = prepare(withExpiration(step, scenario, names, installation.lifetime), names, { originator, speech });
  const sent = recordedSent(prepared);
  const request = { ...sent, path: readable(sent.path) };
  const leftOut = marked ?? sender.target.leftOut?.(prepared);
  const objection = leftOut === undefined ? await objectionTo(prepared, sender, request) : `left out: ${leftOut}`;
  const change = objection === undefined && expectationOf(step) !== 'refusal' ? changeOf(step, names) : undefined;
  if (change !== undefined) ledger.note(change, sender, answered(request));
  const isLeftOut = leftOut === undefined ? undefined : true;
  return { phase, title: titleOf(step, names), request, ...by(sender), ...defined({ objection, leftOut: isLeftOut }) };
}

function by({ on, originator, way }: Pick<RequestSender, 'on' | 'originator' | 'way'>): Partial<DryRequest> {
  return { ...(on === 'backend' && { on }), ...defined({ originator, certificate: way.certificate?.name }) };
}

/** Shows the request to the guard; returns why it would not be sent. Addresses known only at run time pass. */
async function objectionTo(request: AnyRequest, { target, way }: RequestSender, { path }: SentRequest) {
  const objection = await target.objection(request, way);
  if (objection === undefined) await target.send(request, way);
  return path.replaceAll(placeholder.run, '').includes('${') ? undefined : objection;
}

/** A name known only at run time stands for itself. */
function stand(names: Map<string, NamedValue>, name: string): void {
  if (!names.has(name)) names.set(name, { value: `\${${name}}` });
}

/** With unknown names written as elsewhere. */
function readable(path: string): string {
  return path.replace(/%24%7B([\w.-]+)%7D/gi, '${$1}');
}

/** A successful exchange. */
function answered(request: SentRequest) {
  const body = request.method === 'POST' ? JSON.stringify({ created: { ri: placeholder.identifier } }) : '';
  return { request, answer: { status: 200, headers: [], body }, at: 0, took: 0, curl: '' };
}

function removals(ledger: Ledger, speech: Speech): DryRequest[] {
  return [...ledger.toRemove()].map(({ path, on, originator, way }) => {
    const readablePath = readable(path);
    return {
      phase: 'cleanup',
      title: `delete ${readablePath}`,
      request: bareRequest('DELETE', readablePath, { originator, speech }),
      ...by({ on, originator, way }),
    };
  });
}
