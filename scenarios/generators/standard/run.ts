import type { LoadedCheck } from '../../engine/files/load.ts';
import type { NotifiedStep } from '../../engine/grammar/grammar-step.ts';
import { neverArrived, nothingSeen, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import { judgeExpectation } from '../../engine/judging/expectation.ts';
import { allOf, oneOf } from '../../engine/judging/matchers.ts';
import type { Exchange } from '../../engine/messages/exchange.ts';
import { prepare } from '../../engine/messages/request.ts';
import { removeCreated } from '../../engine/running/cleanup.ts';
import { Ledger } from '../../engine/running/ledger.ts';
import { awaitNotifications } from '../../engine/running/notified.ts';
import { changeOf, missesReceiver } from '../../engine/running/sending.ts';
import { neverReached } from '../../engine/running/waits.ts';
import type { OpenInboxes } from '../../engine/targets/inboxes.ts';
import { judge } from '../judge.ts';
import type { Expected } from '../model/expected.ts';
import type { AttemptStep } from '../moves/move.ts';
import { type Failure, outcomeOf, type SequenceOptions, type SequenceOutcome, TargetLost } from '../sequence-run.ts';
import { StandardModel } from './model/model.ts';
import { originatorOf } from './model/originator.ts';
import { Events } from './moves/events.ts';
import { look, watch } from './moves/look.ts';
import {
  inboxNames,
  type StandardAttempt,
  type StandardCame,
  type StandardGround,
  type StandardMove,
  type StandardWatch,
} from './moves/move.ts';
import { moveOf } from './moves/moves.ts';
import type { StandardOperation } from './operations/operation.ts';
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
  readonly #ground: StandardGround;
  readonly #ledger: Ledger;
  readonly #performed: StandardPerformed[] = [];
  #inboxes: OpenInboxes | undefined;
  #requests = 0;
  #failure: Failure | undefined;
  #last: Exchange | undefined;

  constructor(options: SequenceOptions) {
    this.#options = options;
    const { installation, label } = options;
    const { gateway, has, lifetime, release } = installation;
    const { base, cseId, spId } = gateway.description;
    const model = new StandardModel({ base, cseId, spId, label });
    this.#ledger = new Ledger({ gateway: gateway.description });
    this.#ground = {
      model,
      anyOriginator: has.has('any originator'),
      standing: installation.clock?.virtual === true,
      guards: has.has('access control'),
      release,
      events: new Events(model),
      atBase: () => (lifetime === undefined ? {} : { et: lifetime.expiration() }),
    };
  }

  async run(operations: readonly StandardOperation[]): Promise<SequenceOutcome> {
    const { installation, label, cleans } = this.#options;
    this.#inboxes = await installation.inboxes?.open(label, Object.fromEntries(inboxNames.map((name) => [name, {}])));
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % betweenLooks === 0 && !(await this.#make(look(this.#ground)))) break;
      }
      if (this.#goesOn()) await this.#make(look(this.#ground));
      if (this.#goesOn()) await this.#make(watch(this.#ground, true));
    } finally {
      if (cleans) await this.#clean();
      this.#inboxes?.close();
    }
    return this.#outcome();
  }

  #outcome(): SequenceOutcome {
    const failure = this.#failure;
    const { installation, label } = this.#options;
    if (failure === undefined) return { label, performed: [] };
    const about = { description: installation.gateway.description, label };
    return { label, performed: [], failure, scenario: () => drawn(this.#performed, failure.expected, about) };
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
    const made = await this.#make(moveOf(operation, this.#ground));
    // Where nobody can tell when all has been sent, it is waited for once, at the end.
    return made && settled !== undefined ? this.#make(watch(this.#ground, false)) : made;
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
    if (neverArrived(exchange)) throw new TargetLost(summaryOf(exchange));
    const { statistics, installation } = this.#options;
    statistics?.sent(attempt.about);
    this.#last = exchange;
    const came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: came.outcome });
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

  #judged(
    { requirement }: Expected,
    judge: () => 'passed' | 'failed' | 'unobserved',
  ): 'passed' | 'failed' | 'unobserved' {
    const { judges, statistics } = this.#options;
    if (!judges(requirement)) return 'unobserved';
    const judged = judge();
    if (judged !== 'unobserved') statistics?.judged(requirement);
    return judged;
  }

  /** What has come to an inbox is looked at as a scenario does. */
  async #watch({ watch: name, expectations }: StandardWatch): Promise<StandardCame | undefined> {
    const { installation, signal, statistics } = this.#options;
    const { inboxes, settled } = installation;
    const inbox = this.#inboxes?.get(name);
    if (inbox === undefined || inboxes === undefined || this.#last === undefined) return nothing;
    const step: NotifiedStep = { notified: name, until: 0, within: '3s' };
    const watching = { ...(settled && { settled, hasty: true }), silence: inboxes.silence, signal };
    const { came, observation } = await awaitNotifications(step, expectations.map(asCheck), inbox, watching);
    statistics?.sent({ operation: 'look into an inbox' });
    this.#performed.push({ step });
    if (signal.aborted || (came.length === 0 && neverReached(installation) !== undefined)) return nothing;
    for (const expected of expectations) {
      const permitted = expected.check['one of'] ?? [expected.check];
      const judged = this.#judged(expected, () =>
        oneOf(
          permitted.map((one) =>
            allOf(judgeExpectation(one, observation.view, noNames, undefined).map(({ outcome }) => outcome)),
          ),
        ),
      );
      if (judged === 'failed') return this.#fails(expected, this.#last);
    }
    return nothing;
  }

  async #send({ step, by }: StandardAttempt): Promise<Exchange | undefined> {
    const { installation, label, way, cleans, refrains } = this.#options;
    const { gateway } = installation;
    if (refrains?.(step)) return undefined;
    const originator = installation.originator ?? originatorOf(by, label);
    const addressed = this.#addressed(step);
    const { request, kind } = prepare(addressed, noNames, { originator, speech: this.#speech() });
    if (gateway.objection(request, way) !== undefined) return undefined;
    const exchange =
      kind === 'raw'
        ? await gateway.sendRaw(request, { ...way, watchConnection: 0 })
        : await gateway.send(request, way);
    const change = cleans ? changeOf(addressed, noNames) : undefined;
    if (change !== undefined) this.#ledger.note(change, { on: 'gateway', originator, way }, exchange);
    return exchange;
  }

  /** With the URLs of the inboxes in the places that stand for them. */
  #addressed(step: AttemptStep): AttemptStep {
    const inboxes = this.#inboxes;
    if (!('create' in step) || step.create !== 'subscription' || inboxes === undefined) return step;
    const places = Array.isArray(step.attributes?.nu) ? step.attributes.nu.map(String) : [];
    const urls = places.map((place) => inboxes.get(place.slice(place.lastIndexOf('/') + 1))?.url ?? place);
    return { ...step, attributes: { ...step.attributes, nu: urls } };
  }

  #speech() {
    const { installation, label } = this.#options;
    const { dialect, release } = installation;
    return { dialect, release, requestIdentifier: () => `${label}-r${++this.#requests}` };
  }

  async #clean(): Promise<void> {
    const { installation, signal } = this.#options;
    const wording = { speech: this.#speech(), admin: installation.admin };
    for await (const _ of removeCreated(this.#ledger, { ...installation, wording }, signal));
  }
}

const noNames = new Map();
const nothing: StandardCame = { outcome: 'success', view: nothingSeen };

function asCheck({ requirement, check }: Expected): LoadedCheck {
  return { requirement, check, place: { file: '', line: 1, column: 1 } };
}
