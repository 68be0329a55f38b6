import { defined } from '../../basics/defined.ts';
import type { Entry } from '../../files/scenario-entries.ts';
import type { AdvanceStep, AskStep, NotifiedStep, ReceiveStep, Step } from '../../grammar/grammar-step.ts';
import { milliseconds } from '../../grammar/names.ts';
import { isSending } from '../../grammar/vocabulary.ts';
import { type AnswerObservation, emptyView, observationOfAnswer, viewOfRequest } from '../../judging/answer.ts';
import type { Block } from '../../judging/check.ts';
import { match } from '../../judging/matchers.ts';
import { interpolateMatcher, interpolateToText, type Names } from '../../messages/interpolate.ts';
import { now, since } from '../../messages/target.ts';
import type { ReceivedRequest } from '../../results/exchange.ts';
import type { StepResult } from '../../results/result.ts';
import type { TargetClock } from '../../targets/exchanging/clocks.ts';
import { recordedNotifications, recordedRequest } from '../../targets/exchanging/record.ts';
import type { HarnessInbox } from '../../targets/inbox.ts';
import type { Installation } from '../../targets/installation.ts';
import type { SimulatedBackend } from '../../targets/simulated-backend.ts';
import { awaitNotifications } from './notifications.ts';
import type { Ask } from './scenario-context.ts';

export type WaitingStep = ReceiveStep | NotifiedStep | AdvanceStep | AskStep;

/** The outcome of a waiting step: why it could not wait, or its facts and what its checks look at. */
export type WaitResult =
  | 'interrupted'
  | Block
  | {
      readonly facts: Pick<StepResult, 'received' | 'notifications' | 'passed' | 'asked'>;
      readonly observation: AnswerObservation;
    };

interface WaitContext {
  readonly installation: Installation;
  readonly names: Names;
  readonly inbox: (name: string) => HarnessInbox | undefined;
  readonly signal: AbortSignal;
  /** Scenario id. */
  readonly scenario: string;
  /** Absent where nobody can be asked. */
  readonly ask?: Ask | undefined;
}

export function isWaiting(step: Step): step is WaitingStep {
  return !isSending(step);
}

/** The steps of one scenario that send nothing, but wait for requests of the target, for time or for a person. */
export class Waits {
  readonly #context: WaitContext;
  /** Position from which the next request of the target is awaited. */
  #nextRequest = 0;

  constructor(context: WaitContext) {
    this.#context = context;
  }

  await({ step, checks }: Entry<WaitingStep>): Promise<WaitResult> {
    if ('receive' in step) return this.#receive(step);
    if ('ask' in step) return this.#ask(step);
    return 'notified' in step ? this.#notified(step, checks) : this.#advance(step);
  }

  async #receive(step: ReceiveStep): Promise<WaitResult> {
    const { installation, names, signal } = this.#context;
    // Milliseconds, for a target known to be quicker than the step allows.
    const { simulated, longestWait = Number.POSITIVE_INFINITY } = installation;
    if (simulated === undefined) return { reason: 'needs the harness as the backend', kind: 'not applicable' };
    const { within: longest = usualWait } = step;
    const within = simulated.waitedInVain ? 0 : Math.min(milliseconds(longest), longestWait);
    const found = await simulated.log.next(fitting(step, names), { from: this.#nextRequest, within, signal });
    if (found === undefined) {
      if (signal.aborted) return 'interrupted';
      const observation = missed(longest, simulated);
      return simulated.expected ? { facts: {}, observation } : { reason: observation.summary, kind: 'blocked' };
    }
    this.#nextRequest = found.index + 1;
    const { request } = found;
    const observation = { view: viewOfRequest(request), summary: `${request.method} ${request.path}`, success: true };
    return { facts: { received: recordedRequest(request) }, observation };
  }

  async #notified(step: NotifiedStep, checks: Entry['checks']): Promise<WaitResult> {
    const { installation, signal } = this.#context;
    const { settled, inboxes, longestWait } = installation;
    const inbox = this.#context.inbox(step.notified);
    if (inbox === undefined || inboxes === undefined)
      return { reason: 'needs a target that reaches the harness', kind: 'not applicable' };
    const hasty = longestWait !== undefined;
    const watching = { ...defined({ settled }), hasty, silence: inboxes.silence, signal };
    const { received, waited, observation } = await awaitNotifications(step, checks, inbox, watching);
    // An interrupted silence proves nothing.
    if (signal.aborted && (observation.noAnswer !== undefined || step.until === 0)) return 'interrupted';
    // Nor does that of a target that cannot reach the harness.
    const unreached = received.length === 0 && inbox.channel === undefined ? neverReached(installation) : undefined;
    if (unreached !== undefined) return unreached;
    const requests = received.map(({ request }) => request);
    const seen = { inbox: step.notified, url: inbox.channel ?? inbox.url, waited, count: received.length };
    return { facts: { notifications: { ...seen, shown: recordedNotifications(requests) } }, observation };
  }

  async #advance({ advance: duration, countdown }: AdvanceStep): Promise<WaitResult> {
    const { installation, signal } = this.#context;
    const { clock } = installation;
    if (clock === undefined) return { reason: 'needs a target whose time can pass', kind: 'not applicable' };
    const how = clock.virtual ? 'virtual' : 'waited';
    const text = countdown === undefined || clock.virtual ? undefined : countdown;
    const ended = text === undefined ? undefined : await this.#countdown(duration, text, clock);
    if (text === undefined) await clock.advance(duration, signal);
    if (signal.aborted) return 'interrupted';
    const observation = { view: emptyView, summary: `${duration} passed`, success: true };
    return { facts: { passed: { duration, how, ...defined({ ended }) } }, observation };
  }

  /** Milliseconds until a person ended it; undefined where nobody did. */
  async #countdown(duration: string, template: string, clock: TargetClock): Promise<number | undefined> {
    const { names, signal, scenario, ask } = this.#context;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const began = now();
    const text = interpolateToText(template, names);
    const answer = ask?.({ scenario, name: '', text, countdown: milliseconds(duration) }, either).then(({ by }) => {
      if (by === undefined || either.aborted) return undefined;
      over.abort();
      return since(began);
    });
    const passing = clock.advance(duration, either).finally(() => over.abort());
    const [ended] = await Promise.all([answer, passing]);
    return ended;
  }

  async #ask({ ask: template, answer: name, choice, upload }: AskStep): Promise<WaitResult> {
    const { names, signal, ask, scenario } = this.#context;
    const question = interpolateToText(template, names);
    const answered = await ask?.({ scenario, name, text: question, choice, upload }, signal);
    if (signal.aborted) return 'interrupted';
    const asked = { name, question, ...answered };
    return { facts: { asked }, observation: observationOfAnswer(asked) };
  }
}

/** Excuses a target that has sent nothing at all, unless it is said to reach the harness. */
export function neverReached({ dialect, inboxes, reachesInboxes = false }: Installation): Block | undefined {
  if (reachesInboxes || inboxes === undefined || inboxes.used) return undefined;
  const polling = dialect === 'onem2m' ? ', nor through a polling channel' : '';
  const tried = `neither to a URL in nu nor to the point of access of an application entity${polling}`;
  const reason = `nothing has come to the harness from this target, ${tried}; whether it can reach the harness is not known. Where it does not by 127.0.0.1, give --inbox-host HOST`;
  return { reason, kind: 'blocked', final: true };
}

const usualWait = '30s';

/** Whether a request is the one that a step waits for. */
function fitting({ receive }: ReceiveStep, names: Names): (request: ReceivedRequest) => boolean {
  const path = receive.path === undefined ? undefined : interpolateMatcher(receive.path, names);
  const root = receive.root === undefined ? undefined : interpolateMatcher(receive.root, names);
  return (request) => {
    if (receive.method !== undefined && receive.method !== request.method) return false;
    if (path !== undefined && match(path, request.path) !== 'passed') return false;
    return root === undefined || match(root, viewOfRequest(request).root) === 'passed';
  };
}

function missed(within: string, { expected, description }: SimulatedBackend): AnswerObservation {
  const nothing = `no such request came within ${within}`;
  const unknown = `; the harness, which listens at ${description.url}, cannot know whether the target is to register there`;
  const summary = expected ? nothing : nothing + unknown;
  return { view: emptyView, summary, noAnswer: summary, success: false };
}
