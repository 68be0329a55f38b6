import type { NotifiedStep } from '../../engine/grammar/grammar-step.ts';
import { nothingSeen, viewOf } from '../../engine/judging/answer.ts';
import type { Outcome } from '../../engine/judging/matchers.ts';
import type { Exchange } from '../../engine/messages/exchange.ts';
import { prepare } from '../../engine/messages/request.ts';
import type { Speech } from '../../engine/messages/usual-headers.ts';
import { removeCreated } from '../../engine/running/cleanup.ts';
import type { Installation } from '../../engine/running/installation.ts';
import { Ledger } from '../../engine/running/ledger.ts';
import { changeOf, missesReceiver } from '../../engine/running/sending.ts';
import type { Site } from '../../engine/running/site.ts';
import { neverReached } from '../../engine/running/waits.ts';
import type { OpenInboxes } from '../../engine/targets/inboxes.ts';
import { judge } from '../judge.ts';
import type { Expected } from '../model/expected.ts';
import type { AttemptStep } from '../moves/move.ts';
import { deathIn, type Failure, outcomeOf, type SequenceOptions, type SequenceOutcome } from '../sequence-run.ts';
import { groundAt } from './ground.ts';
import { originatorOf } from './model/originator.ts';
import {
  inboxNames,
  inboxOf,
  type StandardAttempt,
  type StandardCame,
  type StandardGround,
  type StandardMove,
  type StandardWatch,
} from './moves/move.ts';
import { comeTo, judgeNotified, lookInto } from './notified.ts';
import type { StandardOperation } from './operations/operation.ts';
import { plainly, type StandardPlay } from './play.ts';
import { drawn } from './scenario.ts';

/** A request that was sent, a look into an inbox, or time that was let pass. */
export type StandardPerformed =
  | { readonly attempt: StandardAttempt; readonly exchange: Exchange; readonly outcome: StandardCame['outcome'] }
  | { readonly step: NotifiedStep }
  | { readonly advance: string };

/** Operations after which everything is looked at; it is at the end as well. */
const betweenLooks = 12;

/** Runs one sequence of the onem2m dialect. Rejects with TargetLost when the target cannot be reached. */
export class StandardRun {
  readonly #options: SequenceOptions;
  readonly #play: StandardPlay;
  readonly #ledger: Ledger;
  readonly #performed: StandardPerformed[] = [];
  #inboxes: OpenInboxes | undefined;
  readonly #speech: Speech;
  #requests = 0;
  #failure: Failure | undefined;
  #last: Exchange | undefined;

  constructor(options: SequenceOptions, play: (groundAt: (site: Site) => StandardGround) => StandardPlay = plainly) {
    this.#options = options;
    const { installation, label } = options;
    const { gateway, backend, dialect, release } = installation;
    this.#speech = { dialect, release, requestIdentifier: () => `${label}-r${++this.#requests}` };
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
    this.#play = play((site) => groundAt(site, installation, label));
  }

  async run(operations: readonly StandardOperation[]): Promise<SequenceOutcome> {
    const { installation, label, cleans } = this.#options;
    this.#inboxes = await installation.inboxes?.open(label, inboxesOf(installation));
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % betweenLooks === 0 && !(await this.#make(this.#play.look()))) break;
      }
      if (this.#goesOn()) await this.#make(this.#play.look());
      if (this.#goesOn()) await this.#make(this.#play.watch(true));
    } finally {
      if (cleans && this.#options.isDown?.() !== true) await this.#clean();
      this.#inboxes?.close();
    }
    return this.#outcome();
  }

  #outcome(): SequenceOutcome {
    const failure = this.#failure;
    const { installation, label } = this.#options;
    const sent = this.#performed.length;
    if (failure === undefined) return { label, performed: [], sent };
    const { gateway, backend } = installation;
    const about = { description: gateway.description, ...(backend && { backend: backend.description }), label };
    return { label, performed: [], sent, failure, scenario: () => drawn(this.#performed, failure.expected, about) };
  }

  #goesOn(): boolean {
    return this.#failure === undefined && !this.#options.signal.aborted;
  }

  /** Whether the sequence goes on. */
  async #operate(operation: StandardOperation): Promise<boolean> {
    const { installation, signal } = this.#options;
    const { clock, settled } = installation;
    if (operation.does === 'advance time') {
      if (clock?.virtual !== true) return this.#goesOn();
      await clock.advance(operation.time, signal);
      this.#performed.push({ advance: operation.time });
    }
    const made = await this.#make(this.#play.move(operation));
    // Where nobody can tell when all has been sent, it is waited for once, at the end.
    return made && settled !== undefined ? this.#make(this.#play.watch(false)) : made;
  }

  async #make(move: StandardMove): Promise<boolean> {
    let next = move.next();
    while (!next.done && this.#goesOn()) {
      const came = 'watch' in next.value ? await this.#watch(next.value) : await this.#attempt(next.value);
      if (came === undefined) break;
      next = move.next(came);
    }
    return this.#goesOn();
  }

  /** Undefined when the target may not be asked this, or what came is a deviation. */
  async #attempt(attempt: StandardAttempt): Promise<StandardCame | undefined> {
    const exchange = await this.#send(attempt);
    if (exchange === undefined) return undefined;
    const death = deathIn(exchange, this.#options.isDown);
    const { statistics, installation } = this.#options;
    statistics?.sent(attempt.about);
    this.#last = exchange;
    const came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: came.outcome });
    if (death !== undefined) return this.#fails(death.expected, exchange);
    // A target that cannot reach the harness is not to blame.
    if (installation.reachesInboxes !== true && missesReceiver(exchange)) return came;
    for (const expected of attempt.expectations) {
      const judged = this.#judged(expected, () => judge(expected, came.view, came.outcome === 'success'));
      if (judged === 'failed') return this.#fails(expected, exchange);
    }
    return came;
  }

  #fails(expected: Expected, exchange: Exchange): undefined {
    this.#failure = { expected, exchange };
  }

  #judged({ requirement }: Expected, judge: () => Outcome): Outcome {
    const { judges, statistics } = this.#options;
    if (!judges(requirement)) return 'unobserved';
    const judged = judge();
    if (judged !== 'unobserved') statistics?.judged(requirement);
    return judged;
  }

  async #watch({ watch, at, expectations }: StandardWatch): Promise<StandardCame | undefined> {
    const { installation, signal, statistics } = this.#options;
    const name = inboxOf(watch, at);
    const inbox = this.#inboxes?.get(name);
    if (inbox === undefined || this.#last === undefined) return nothing;
    const list = await comeTo(inbox, expectations, installation, signal);
    statistics?.sent({ operation: 'look into an inbox' });
    this.#performed.push({ step: lookInto(name) });
    if (signal.aborted || (list.length === 0 && neverReached(installation) !== undefined)) return nothing;
    for (const expected of expectations) {
      if (this.#judged(expected, () => judgeNotified(expected, list)) === 'failed')
        return this.#fails(expected, this.#last);
    }
    return nothing;
  }

  async #send(attempt: StandardAttempt): Promise<Exchange | undefined> {
    const { installation, way, cleans, refrains } = this.#options;
    const { step, on = 'gateway' } = attempt;
    const target = installation[on];
    if (target === undefined || refrains?.(step)) return undefined;
    const originator = this.#originator(attempt);
    const addressed = this.#addressed(attempt);
    const { request, kind } = prepare(addressed, noNames, { originator, speech: this.#speech });
    if ((await target.objection(request, way)) !== undefined) return undefined;
    const exchange =
      kind === 'raw' ? await target.sendRaw(request, { ...way, watchConnection: 0 }) : await target.send(request, way);
    const change = cleans ? changeOf(addressed, noNames) : undefined;
    if (change !== undefined) this.#ledger.note(change, { on, originator, way }, exchange);
    return exchange;
  }

  /** Through another CSE in the form by which that one knows it as well. */
  #originator({ by, on = 'gateway', host = on }: StandardAttempt): string {
    const { installation, label } = this.#options;
    const stem = originatorOf(by, label);
    const { cseId = '', spId = '' } = installation[host]?.description ?? {};
    return installation.originator ?? (host === on ? stem : `//${spId}/${cseId}/${stem}`);
  }

  /** With the URLs of the inboxes in the places that stand for them. */
  #addressed({ step, on, host = on }: StandardAttempt): AttemptStep {
    const inboxes = this.#inboxes;
    if (!('create' in step) || step.create !== 'subscription' || inboxes === undefined) return step;
    const places = Array.isArray(step.attributes?.nu) ? step.attributes.nu.map(String) : [];
    const named = (place: string) => inboxNames.find((name) => place.endsWith(`/${name}`));
    const urls = places.map((place) => inboxes.get(inboxOf(named(place) ?? 'watcher', host))?.url ?? place);
    return { ...step, attributes: { ...step.attributes, nu: urls } };
  }

  async #clean(): Promise<void> {
    const { installation, signal } = this.#options;
    const wording = { speech: this.#speech, admin: installation.admin };
    for await (const _ of removeCreated(this.#ledger, { ...installation, wording }, signal));
  }
}

function inboxesOf({ backend }: Installation): Record<string, object> {
  const sites: readonly Site[] = backend === undefined ? ['gateway'] : ['gateway', 'backend'];
  return Object.fromEntries(sites.flatMap((site) => inboxNames.map((name) => [inboxOf(name, site), {}])));
}

const noNames = new Map();
const nothing: StandardCame = { outcome: 'success', view: nothingSeen };
