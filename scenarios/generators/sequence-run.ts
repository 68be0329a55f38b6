import { milliseconds } from '../engine/grammar/duration.ts';
import { isSuccess, neverArrived, summaryOf, viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { prepare } from '../engine/messages/request.ts';
import type { Speech } from '../engine/messages/usual-headers.ts';
import { removeCreated } from '../engine/running/cleanup.ts';
import type { Installation } from '../engine/running/installation.ts';
import { Ledger } from '../engine/running/ledger.ts';
import { changeOf } from '../engine/running/sending.ts';
import type { Site } from '../engine/running/site.ts';
import type { Way } from '../engine/targets/target.ts';
import { lifeAtBase } from '../safety/lifetime.ts';
import type { CounterexampleScenario } from './counterexample/scenario.ts';
import { deathOf } from './death.ts';
import { judge } from './judge.ts';
import type { Expected } from './model/expected.ts';
import { Model } from './model/model.ts';
import type { Attempt, AttemptStep, Came, Ground, Move } from './moves/move.ts';
import { type Play, plainly } from './moves/play.ts';
import type { Operation, Originator } from './operations/operation.ts';
import type { Statistics } from './statistics.ts';

/** A request that was sent, or time that was let pass. */
export type Performed =
  | { readonly attempt: Attempt; readonly exchange: Exchange; readonly outcome: Came['outcome'] }
  | { readonly advance: string };

/** The first answer that a requirement does not permit. */
export interface Failure {
  readonly expected: Expected;
  readonly exchange: Exchange;
}

export interface SequenceOutcome {
  /** By which the names begin that it gave at the CSE base. */
  readonly label: string;
  readonly performed: readonly Performed[];
  /** Requests, and times that were let pass. */
  readonly sent: number;
  readonly failure?: Failure;
  /** What was performed in the words of the scenario grammar, where the dialect has words of its own. */
  readonly scenario?: () => CounterexampleScenario;
}

/** The target answers no more, so that nothing can be found out. */
export class TargetLost extends Error {
  override readonly name = 'TargetLost';
}

export interface SequenceOptions {
  readonly installation: Installation;
  /** How everything is called that the sequence creates at the CSE base; nobody else has such names. */
  readonly label: string;
  readonly way: Way;
  /** Whether a requirement is judged at all. */
  readonly judges: (requirement: string) => boolean;
  readonly statistics?: Statistics | undefined;
  readonly signal: AbortSignal;
  /** Whether a step is not to be sent, since the target denies what it takes. */
  readonly refrains?: ((step: AttemptStep) => boolean) | undefined;
  /** How operations become requests; one CSE by itself when absent. */
  readonly play?: ((groundAt: (site: Site) => Ground) => Play) | undefined;
  /** Whether what was created is to be removed at the end. */
  readonly cleans: boolean;
  /** Whether the target is dead. */
  readonly isDown?: (() => boolean) | undefined;
}

/** Operations after which everything is looked at; it is at the end as well. */
const betweenLooks = 12;

/** Who asks, by what the scenario grammar says of actors. */
export function originatorText(
  by: Originator,
  label: string,
  { cseId, spId }: { cseId: string; spId: string },
): string | undefined {
  if (by === 'nobody') return undefined;
  return by === 'visitor' ? `//${spId}/${cseId}/${label}` : `C${label}-guest`;
}

/** Runs one sequence. Rejects with TargetLost when the target cannot be reached. */
export class SequenceRun {
  readonly #options: SequenceOptions;
  readonly #play: Play;
  readonly #anyOriginator: boolean;
  readonly #ledger: Ledger;
  readonly #performed: Performed[] = [];
  readonly #speech: Speech;
  #requests = 0;
  #failure: Failure | undefined;

  constructor(options: SequenceOptions) {
    this.#options = options;
    const { installation, label } = options;
    const { gateway, backend, has, dialect, release } = installation;
    this.#speech = { dialect, release, requestIdentifier: () => `${label}-r${++this.#requests}` };
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
    this.#anyOriginator = has.has('any originator');
    this.#play = (options.play ?? plainly)((site) => groundAt(site, installation, label));
  }

  async run(operations: readonly Operation[]): Promise<SequenceOutcome> {
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % betweenLooks === 0 && !(await this.#make(this.#play.look()))) break;
      }
      if (this.#goesOn()) await this.#make(this.#play.look());
    } finally {
      if (this.#options.cleans && this.#options.isDown?.() !== true) await this.#clean();
    }
    const { label } = this.#options;
    return {
      label,
      performed: this.#performed,
      sent: this.#performed.length,
      ...(this.#failure && { failure: this.#failure }),
    };
  }

  #goesOn(): boolean {
    return this.#failure === undefined && !this.#options.signal.aborted;
  }

  /** Whether the sequence goes on. */
  async #operate(operation: Operation): Promise<boolean> {
    if (operation.does !== 'advance time') return this.#make(this.#play.move(operation));
    const { clock } = this.#options.installation;
    if (clock?.virtual !== true) return this.#goesOn();
    await clock.advance(operation.time, this.#options.signal);
    this.#performed.push({ advance: operation.time });
    return this.#make(this.#play.letPass(milliseconds(operation.time)));
  }

  async #make(move: Move): Promise<boolean> {
    let next = move.next();
    while (!next.done && this.#goesOn()) {
      const came = await this.#attempt(next.value);
      if (came === undefined) break;
      next = move.next(came);
    }
    return this.#goesOn();
  }

  /** Undefined when the target may not be asked this, or what came is a deviation. */
  async #attempt(given: Attempt): Promise<Came | undefined> {
    const attempt = this.#anyOriginator ? given : { ...given, by: 'nobody' as const };
    const exchange = await this.#send(attempt);
    if (exchange === undefined) return undefined;
    const death = deathIn(exchange, this.#options.isDown);
    const { statistics } = this.#options;
    statistics?.sent(attempt.about);
    const came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: came.outcome });
    if (death !== undefined) {
      this.#failure = death;
      return undefined;
    }
    for (const expected of attempt.expectations) {
      if (!this.#options.judges(expected.requirement)) continue;
      const judged = judge(expected, came.view, came.outcome === 'success');
      if (judged !== 'unobserved') statistics?.judged(expected.requirement);
      if (judged !== 'failed') continue;
      this.#failure = { expected, exchange };
      return undefined;
    }
    return came;
  }

  async #send({ step, by, on = 'gateway', host = on }: Attempt): Promise<Exchange | undefined> {
    const { installation, label, way, cleans, refrains } = this.#options;
    const target = installation[on];
    if (target === undefined || refrains?.(step)) return undefined;
    const originator = installation.originator ?? originatorText(by, label, installation.gateway.description);
    const { request, kind } = prepare(step, noNames, { originator, speech: this.#speech });
    if ((await target.objection(request, way)) !== undefined) return undefined;
    const exchange =
      kind === 'raw'
        ? await target.sendRaw(request as never, { ...way, watchConnection: 0 })
        : await target.send(request as never, way);
    const change = cleans ? changeOf(step, noNames) : undefined;
    // Whether another CSE has carried a removal out is not for it to say.
    const believed = on === host || change?.kind !== 'removes';
    if (change !== undefined && believed) this.#ledger.note(change, { on: host, originator, way }, exchange);
    return exchange;
  }

  async #clean(): Promise<void> {
    const { installation, signal } = this.#options;
    const wording = { speech: this.#speech, admin: installation.admin };
    // A target at which something is wrong may keep what lies below what it removes.
    const wholeTrees = this.#failure === undefined;
    for await (const _ of removeCreated(this.#ledger, { ...installation, wording, wholeTrees }, signal));
  }
}

/** What was under way when the target died; undefined where it lives. Throws TargetLost for what did not reach it. */
export function deathIn(exchange: Exchange, isDown: (() => boolean) | undefined): Failure | undefined {
  const isDead = isDown?.() === true;
  const death = isDead ? deathOf(exchange) : undefined;
  if (death === undefined && (isDead || neverArrived(exchange))) throw new TargetLost(summaryOf(exchange));
  return death;
}

const noNames = new Map();

/** What a sequence knows of one CSE before it begins. Throws a TypeError for one that is not there. */
function groundAt(site: Site, { [site]: target, has, lifetime, originator }: Installation, label: string): Ground {
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  return {
    model: new Model({ base, cseId, spId, label }),
    anyOriginator: has.has('any originator'),
    originator,
    plain: has.has('plain HTTP'),
    atBase: () => lifeAtBase(lifetime),
  };
}

export function outcomeOf(exchange: Exchange): Came['outcome'] {
  if (isSuccess(exchange)) return 'success';
  const status = exchange.answer?.status ?? 0;
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}
