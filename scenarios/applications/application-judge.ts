import { levelIn } from '../engine/files/levels.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { RunResult, ScenarioResult } from '../engine/results/result.ts';
import type { SimulatedCse } from '../engine/targets/embedded/cse-for-applications.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { learnSecretsOf } from '../secrets/secrets-of.ts';
import { KeptSteps } from '../traffic/kept-steps.ts';
import { exchangeOf, RecordedEntry } from '../traffic/recorded.ts';
import { NotificationAnswers } from './answer-facts.ts';
import type { Duty } from './duty.ts';
import { DutyJudge } from './duty-judge.ts';
import type { Facts } from './facts.ts';
import { ApplicationRequests } from './request-facts.ts';

interface ApplicationJudgeOptions {
  readonly duties: readonly Duty[];
  readonly dialect: Dialect;
  readonly redactor: Redactor;
  readonly enough: number | undefined;
}

/** Checks each exchange between applications and the CSE. */
export class ApplicationJudge {
  readonly #options: ApplicationJudgeOptions;
  readonly #judge: DutyJudge;
  readonly #answers = new NotificationAnswers();
  readonly #full = new AbortController();
  #kept = new KeptSteps('');
  #requests: ApplicationRequests | undefined;
  #received = 0;

  constructor(options: ApplicationJudgeOptions) {
    this.#options = options;
    this.#judge = new DutyJudge(options.duties, (duty) =>
      levelIn({ dialect: options.dialect, level: 'documented' }, duty),
    );
  }

  begin({ url, base, cseId, spId }: SimulatedCse): void {
    this.#requests = new ApplicationRequests({ base, cseId, spId }, this.#options.dialect);
    this.#kept = new KeptSteps(url);
  }

  /** Missing answers do not count from now on. */
  end(): void {
    this.#requests = undefined;
  }

  record(message: object): void {
    if (this.#requests === undefined) return;
    const { to, ...entry } = RecordedEntry.parse(JSON.parse(JSON.stringify(message)));
    const exchange = exchangeOf(entry);
    learnSecretsOf(exchange, this.#options.redactor);
    const facts = to === undefined ? this.#requests.read(exchange, 'HTTP') : this.#answerFacts(exchange, to);
    const checks = this.#judge.judge(to === undefined ? 'request' : 'answer', facts);
    this.#kept.add({ exchange, ...(to !== undefined && { sentTo: to }) }, checks);
    if (to === undefined && ++this.#received === this.#options.enough) this.#full.abort();
  }

  #answerFacts(exchange: Exchange, to: string): Facts {
    const addressed = this.#requests?.isPointOfAccess(`${to}${exchange.request.path}`) === true;
    return this.#answers.read(exchange, 'HTTP', { to, addressed });
  }

  get hasEnough(): AbortSignal {
    return this.#full.signal;
  }

  get steps(): ScenarioResult['steps'] {
    return this.#kept.steps;
  }

  get evidence(): NonNullable<RunResult['evidence']> {
    return this.#judge.evidence;
  }
}
