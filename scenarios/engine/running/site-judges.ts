import { staysAt } from '../../oracle/asked.ts';
import type { Judge } from '../../oracle/judge.ts';
import type { Sent } from '../../oracle/observation.ts';
import type { StepResult } from '../result.ts';
import type { Installation, Site } from './installation.ts';
import type { Surroundings } from './surroundings.ts';

/** Judges what a scenario sends to each CSE of an installation, by what was seen there. */
export class SiteJudges {
  readonly #judges = new Map<Site, Judge>();
  readonly #installation: Installation;
  /** What certificates that were presented before hold. */
  readonly #uris = new Map<string, readonly string[]>();

  constructor(installation: Installation, judge: Surroundings['judge']) {
    this.#installation = installation;
    for (const site of ['gateway', 'backend'] as const) {
      const names = installation[site]?.description;
      const found = names && judge?.(names);
      if (found !== undefined) this.#judges.set(site, found);
    }
  }

  get areThere(): boolean {
    return this.#judges.size > 0;
  }

  /** The step with what its exchange breaks beyond what its own checks look at. */
  judged(step: StepResult, { isOrdinary = true, uris: told }: Partial<Sent> = {}): StepResult {
    const { exchange, on = 'gateway', checks } = step;
    const judge = this.#judges.get(on);
    const names = this.#installation[on]?.description;
    if (exchange === undefined || judge === undefined || names === undefined) return step;
    // By way of one CSE anything may have been changed at the other.
    if (exchange.request.method !== 'GET' && !staysAt(exchange, names))
      for (const other of this.#judges.values()) if (other !== judge) other.doubtAll();
    const { certificate = '' } = exchange;
    if (told !== undefined) this.#uris.set(certificate, told);
    const uris = this.#uris.get(certificate);
    const broken = checks.filter(({ state }) => state === 'failed').map(({ requirement }) => requirement);
    const found = judge.judge(exchange, { broken, isOrdinary, ...(uris && { uris }) });
    return found.length === 0 ? step : { ...step, checks: [...checks, ...found] };
  }

  passTime(milliseconds: number): void {
    for (const judge of this.#judges.values()) judge.passTime(milliseconds);
  }
}
