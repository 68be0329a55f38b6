import { milliseconds } from '../engine/grammar/duration.ts';
import { isSuccess, neverArrived, summaryOf, viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { prepare } from '../engine/messages/request.ts';
import { removeCreated } from '../engine/running/cleanup.ts';
import type { Installation } from '../engine/running/installation.ts';
import { Ledger } from '../engine/running/ledger.ts';
import { changeOf } from '../engine/running/sending.ts';
import type { Way } from '../engine/targets/target.ts';
import { judge } from './judge.ts';
import type { Expected } from './model/expected.ts';
import { Model } from './model/model.ts';
import { look } from './moves/look.ts';
import type { Attempt, AttemptStep, Came, Ground, Move } from './moves/move.ts';
import { moveOf } from './moves/moves.ts';
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
  readonly failure?: Failure;
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
  /** Whether a step is not to be sent, since the target does not claim what it takes. */
  readonly refrains?: ((step: AttemptStep) => boolean) | undefined;
  /** Whether what was created is to be removed at the end. */
  readonly cleans: boolean;
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
  readonly #ground: Ground;
  readonly #ledger: Ledger;
  readonly #performed: Performed[] = [];
  #requests = 0;
  #failure: Failure | undefined;

  constructor(options: SequenceOptions) {
    this.#options = options;
    const { installation, label } = options;
    const { gateway, backend, has, lifetime } = installation;
    const { base, cseId, spId } = gateway.description;
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
    this.#ground = {
      model: new Model({ base, cseId, spId, label }),
      anyOriginator: has.has('any originator'),
      plain: has.has('plain HTTP'),
      atBase: () => (lifetime === undefined ? {} : { et: lifetime.expiration() }),
    };
  }

  async run(operations: readonly Operation[]): Promise<SequenceOutcome> {
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % betweenLooks === 0 && !(await this.#make(look(this.#ground)))) break;
      }
      if (this.#goesOn()) await this.#make(look(this.#ground));
    } finally {
      if (this.#options.cleans) await this.#clean();
    }
    return { label: this.#options.label, performed: this.#performed, ...(this.#failure && { failure: this.#failure }) };
  }

  #goesOn(): boolean {
    return this.#failure === undefined && !this.#options.signal.aborted;
  }

  /** Whether the sequence goes on. */
  async #operate(operation: Operation): Promise<boolean> {
    if (operation.does !== 'advance time') return this.#make(moveOf(operation, this.#ground));
    const { clock } = this.#options.installation;
    if (clock?.virtual !== true) return this.#goesOn();
    await clock.advance(operation.time, this.#options.signal);
    this.#ground.model.letPass(milliseconds(operation.time));
    this.#performed.push({ advance: operation.time });
    return this.#goesOn();
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
    const attempt = this.#ground.anyOriginator ? given : { ...given, by: 'nobody' as const };
    const exchange = await this.#send(attempt);
    if (exchange === undefined) return undefined;
    if (neverArrived(exchange)) throw new TargetLost(summaryOf(exchange));
    const { statistics } = this.#options;
    statistics?.sent(attempt.about);
    const came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: came.outcome });
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

  async #send({ step, by }: Attempt): Promise<Exchange | undefined> {
    const { installation, label, way, cleans, refrains } = this.#options;
    const { gateway } = installation;
    if (refrains?.(step)) return undefined;
    const originator = installation.originator ?? originatorText(by, label, gateway.description);
    const { request, kind } = prepare(step, noNames, { originator, speech: this.#speech() });
    if (gateway.objection(request, way) !== undefined) return undefined;
    const exchange =
      kind === 'raw'
        ? await gateway.sendRaw(request as never, { ...way, watchConnection: 0 })
        : await gateway.send(request as never, way);
    const change = cleans ? changeOf(step, noNames) : undefined;
    if (change !== undefined) this.#ledger.note(change, { on: 'gateway', originator, way }, exchange);
    return exchange;
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

function outcomeOf(exchange: Exchange): Came['outcome'] {
  if (isSuccess(exchange)) return 'success';
  const status = exchange.answer?.status ?? 0;
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}
