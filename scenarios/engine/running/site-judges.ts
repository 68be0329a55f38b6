import { staysAt } from '../../oracle/asked.ts';
import type { Judge, JudgeOptions } from '../../oracle/judge.ts';
import type { Sent } from '../../oracle/observation.ts';
import type { StepResult } from '../results/result.ts';
import type { Site } from '../targets/installation.ts';
import type { Surroundings } from './surroundings.ts';

type Sites = Readonly<Partial<Record<Site, JudgeOptions['names']>>>;

/** Judges what a scenario sends to each CSE of an installation, by what was seen there. */
export class SiteJudges {
  readonly #judges = new Map<Site, Judge>();
  readonly #sites: Sites;
  /** What certificates that were presented before hold. */
  readonly #uris = new Map<string, readonly string[]>();

  constructor(sites: Sites, judge: Surroundings['judge']) {
    this.#sites = sites;
    for (const site of ['gateway', 'backend'] as const) {
      const { [site]: names } = sites;
      const found = names && judge?.(names);
      if (found !== undefined) this.#judges.set(site, found);
    }
  }

  get areThere(): boolean {
    return this.#judges.size > 0;
  }

  /** The step, with its whole exchange, and what that breaks beyond what its own checks look at; nothing where too little is known of it. */
  judged(
    step: StepResult,
    { isOrdinary = true, uris: told, isKnown = true }: Partial<Sent> & { readonly isKnown?: boolean } = {},
  ): StepResult {
    const { exchange, on = 'gateway', checks } = step;
    const judge = this.#judges.get(on);
    const { [on]: names } = this.#sites;
    if (exchange === undefined || judge === undefined || names === undefined) return step;
    // By way of one CSE anything may have been changed at the other.
    if (exchange.request.method !== 'GET' && !staysAt(exchange, names))
      for (const other of this.#judges.values()) if (other !== judge) other.doubtAll();
    if (!isKnown) judge.overlook(exchange);
    if (!isKnown) return step;
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
