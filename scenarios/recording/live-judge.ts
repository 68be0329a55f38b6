import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { levelsOf } from '../engine/judging/levels.ts';
import type { CheckResult, TargetDescription } from '../engine/result.ts';
import { rulesOf } from '../oracle/rules.ts';
import { isForeign } from '../traffic/recorded.ts';
import { TrafficJudge } from '../traffic/traffic-judge.ts';
import type { Passed } from './passed.ts';

export interface LiveJudgeOptions {
  readonly dialect: Dialect;
  readonly description: TargetDescription;
  readonly catalogue: Catalogue;
  /** Whether nobody else changes anything at the target meanwhile, so that what came before counts. */
  readonly isAlone: boolean;
  /** What the target is found to break, as soon as all is answered that was under way together with it. */
  readonly onFound: (found: CheckResult, request: { readonly method: string; readonly path: string }) => void;
}

/** Judges what passes through a proxy while it does. */
export class LiveJudge {
  readonly #judge: TrafficJudge;
  readonly #underWay = new Set<number>();

  constructor({ dialect, description, catalogue, isAlone, onFound }: LiveJudgeOptions) {
    const levelOf = levelsOf(catalogue, { dialect, level: 'documented' });
    this.#judge = new TrafficJudge({
      ...{ rules: rulesOf(dialect), dialect, names: description, levelOf, isAlone },
      onJudged({ exchange }, checks) {
        for (const one of checks) if (one.state === 'failed') onFound(one, exchange.request);
      },
    });
  }

  /** A request has come. What is returned is called when it passed, or with nothing where no answer came. */
  readonly begin = (): ((passed?: Passed) => void) => {
    const from = performance.now();
    this.#underWay.add(from);
    return (passed) => {
      this.#underWay.delete(from);
      if (passed === undefined) this.#judge.loseTrack();
      else this.#judge.take(recordedOf(passed, from, performance.now()));
      this.#judge.settle(Math.min(performance.now(), ...this.#underWay));
    };
  };
}

const place = { file: 'recorded', line: 1, column: 1 };

function recordedOf(
  { method, path, headers, body, status, answerHeaders, answer, began, at }: Passed,
  from: number,
  to: number,
) {
  const exchange = {
    request: {
      method,
      path,
      headers: Object.entries(headers),
      ...(body.length > 0 && { body: body.toString('utf8') }),
    },
    answer: { status, headers: Object.entries(answerHeaders), body: answer.toString('utf8') },
    ...{ at: began, took: at - began, curl: '' },
  };
  return { exchange, place, from, to, isWhole: !isForeign(exchange) };
}
