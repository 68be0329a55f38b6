import { isSuccess, neverArrived, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/messages/exchange.ts';
import { prepare } from '../../engine/messages/request.ts';
import type { LostRequest } from '../../engine/result.ts';
import { removeCreated } from '../../engine/running/cleanup.ts';
import type { Installation } from '../../engine/running/installation.ts';
import { Ledger } from '../../engine/running/ledger.ts';
import { labelOf } from '../../engine/running/scenario-names.ts';
import { changeOf } from '../../engine/running/sending.ts';
import { lifeAtBase } from '../../safety/lifetime.ts';
import type { Arena } from '../arena.ts';
import { deathOf, lostRequest } from '../death.ts';
import { Model } from '../model/model.ts';
import type { Attempt, Came, Ground } from '../moves/move.ts';
import { type Play, plainly } from '../moves/play.ts';
import { originatorText, type Performed, TargetLost } from '../sequence-run.ts';
import { AnswerReader } from './canonical-answer.ts';
import type { SideName } from './difference.ts';
import { KnownNames } from './known-names.ts';
import type { Answered } from './parted.ts';
import type { RulesUsed } from './rules.ts';
import { KnownTimes } from './times.ts';

/** One of the two targets, for the whole run. */
export interface Competitor {
  readonly side: SideName;
  readonly arena: Arena;
  /** Of the names of what it creates there. */
  readonly run: string;
  /** Brings it back where it stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Takes what was under way when it died. */
  readonly underWay: LostRequest[];
}

export interface SideOptions {
  readonly competitor: Competitor;
  /** Of the sequence: the same at both targets. */
  readonly number: number;
  /** Of the sequence among those of the seed. */
  readonly path: string;
  readonly installation: Installation;
  /** What both targets offer. */
  readonly offers: Pick<Ground, 'anyOriginator' | 'plain'>;
  readonly used: RulesUsed;
}

const noNames = new Map();

/** One target in the course of one sequence, with what the model holds of it. */
export class Side {
  readonly label: string;
  readonly play: Play;
  readonly performed: Performed[] = [];
  readonly names: KnownNames;
  readonly #competitor: Competitor;
  readonly #installation: Installation;
  readonly #ledger: Ledger;
  readonly #reader: AnswerReader;
  readonly #path: string;
  #requests = 0;

  constructor({ competitor, number, path, installation, offers, used }: SideOptions) {
    const { arena, run } = competitor;
    this.label = labelOf(run, number);
    this.#competitor = competitor;
    this.#path = path;
    this.#installation = installation;
    const { gateway, backend, lifetime } = installation;
    const { base, cseId, spId } = gateway.description;
    const model = new Model({ base, cseId, spId, label: this.label });
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
    const atBase = () => lifeAtBase(lifetime);
    if (lifetime !== undefined) used.note('lifetime');
    const ground = { model, ...offers, atBase };
    this.play = (arena.play ?? plainly)(() => ground);
    this.names = new KnownNames(model, used);
    this.#reader = new AnswerReader(this.names, new KnownTimes(), used);
  }

  /** Rejects with TargetLost when the target cannot be reached. */
  async send(attempt: Attempt): Promise<Answered> {
    const exchange = await this.#exchange(attempt);
    this.#throwIfLost(exchange);
    const came: Came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.performed.push({ attempt, exchange, outcome: came.outcome });
    const reading = { attempt, exchange, came, request: this.performed.length };
    return { ...reading, canonical: this.#reader.read(reading) };
  }

  /** Whether the target may not be asked this. */
  async refrains({ step, by }: Attempt): Promise<boolean> {
    const { request } = prepare(step, noNames, { originator: this.#originator(by), speech: this.#speech(false) });
    return (await this.#installation.gateway.objection(request, this.#competitor.arena.way)) !== undefined;
  }

  get movesTime(): boolean {
    return this.#installation.clock?.virtual === true;
  }

  async letPass(time: string, signal: AbortSignal): Promise<void> {
    await this.#installation.clock?.advance(time, signal);
    this.performed.push({ advance: time });
  }

  /** Removes what the sequence created. */
  async clean(signal: AbortSignal): Promise<void> {
    if (!this.#competitor.arena.cleans || this.#isDown) return;
    const wording = { speech: this.#speech(true), admin: this.#installation.admin };
    for await (const _ of removeCreated(this.#ledger, { ...this.#installation, wording }, signal));
  }

  async #exchange({ step, by }: Attempt): Promise<Exchange> {
    const { arena } = this.#competitor;
    const { gateway } = this.#installation;
    const originator = this.#originator(by);
    const { request, kind } = prepare(step, noNames, { originator, speech: this.#speech(true) });
    const exchange =
      kind === 'raw'
        ? await gateway.sendRaw(request, { ...arena.way, watchConnection: 0 })
        : await gateway.send(request, arena.way);
    const change = arena.cleans ? changeOf(step, noNames) : undefined;
    if (change !== undefined) this.#ledger.note(change, { on: 'gateway', originator, way: arena.way }, exchange);
    return exchange;
  }

  get #isDown(): boolean {
    return this.#competitor.arena.liveness?.down !== undefined;
  }

  #throwIfLost(exchange: Exchange): void {
    if (!this.#isDown && !neverArrived(exchange)) return;
    const { side, underWay } = this.#competitor;
    const isUnderWay = this.#isDown && deathOf(exchange) !== undefined;
    if (isUnderWay) underWay.push(lostRequest(exchange, this.#path, this.performed.length + 1));
    throw new TargetLost(`${side}: ${summaryOf(exchange)}`);
  }

  #originator(by: Attempt['by']): string | undefined {
    const { originator, gateway } = this.#installation;
    return originator ?? originatorText(by, this.label, gateway.description);
  }

  #speech(counts: boolean) {
    const { dialect, release } = this.#installation;
    const next = () => {
      if (counts) this.#requests += 1;
      return `${this.label}-r${this.#requests}`;
    };
    return { dialect, release, requestIdentifier: next };
  }
}

function outcomeOf(exchange: Exchange): Came['outcome'] {
  if (isSuccess(exchange)) return 'success';
  const status = exchange.answer?.status ?? 0;
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}
