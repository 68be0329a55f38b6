import { ownText } from '../judging/own-text.ts';
import type { ScenarioResult, StepResult } from '../result.ts';
import type { Exchange } from './exchange.ts';

/** Characters of answers that a run keeps as they are recorded. */
const room = 32 * 1024 * 1024;
/** Characters of each body after that. */
const least = 1024;

/** Keeps the results of a run from filling the memory: a target that answers at length is quoted at length for a while only. */
export class KeptText {
  #room: number;

  constructor(characters = room) {
    this.#room = characters;
  }

  keep(scenario: ScenarioResult): ScenarioResult {
    const length = scenario.steps.reduce((sum, { exchange }) => sum + lengthOf(exchange), 0);
    if (length <= this.#room) {
      this.#room -= length;
      return scenario;
    }
    return { ...scenario, steps: scenario.steps.map(briefly) };
  }
}

function lengthOf(exchange: Exchange | undefined): number {
  const { headers = [], body = '' } = exchange?.answer ?? {};
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.length);
}

function briefly(step: StepResult): StepResult {
  const { exchange } = step;
  const { answer } = exchange ?? {};
  if (exchange === undefined || answer === undefined || lengthOf(exchange) <= least) return step;
  const { headers, body } = answer;
  const short = { ...answer, headers: shortHeaders(headers), body: shortBody(body) };
  return { ...step, exchange: { ...exchange, answer: short } };
}

function shortBody(body: string): string {
  return body.length <= least ? body : `${ownText(body.slice(0, least))}… (${body.length} characters)`;
}

type Headers = NonNullable<Exchange['answer']>['headers'];

function shortHeaders(headers: Headers): Headers {
  const most = 20;
  const kept = headers.slice(0, most).map(([name, value]) => [ownText(name), shortBody(value)] as const);
  return headers.length <= most ? kept : [...kept, ['…', `${headers.length - most} more`]];
}
