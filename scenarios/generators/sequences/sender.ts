import { prepare } from '../../engine/messages/request.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { removeCreated } from '../../engine/running/scenario/cleanup.ts';
import { Ledger } from '../../engine/running/scenario/ledger.ts';
import { changeOf } from '../../engine/running/scenario/sending.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import { unclaimed } from '../../ics/ics.ts';
import { featuresOfStep } from '../../ics/step-features.ts';
import type { Attempt } from '../moves/move.ts';
import type { ExplorationSession } from '../search/session.ts';

export interface SenderOptions {
  readonly installation: Installation;
  /** Unique prefix of everything that is created at the CSE base. */
  readonly label: string;
  readonly session: Pick<ExplorationSession, 'way' | 'cleans' | 'ics' | 'liveness'>;
}

type Request = Pick<Attempt, 'step' | 'by' | 'on' | 'host'>;

const noNames = new Map();

/** The originator, as of actors in the scenario grammar. */
export function originatorText(
  by: string,
  label: string,
  { cseId, spId }: { readonly cseId: string; readonly spId: string },
): string | undefined {
  if (by === 'nobody') return undefined;
  return by === 'visitor' ? `//${spId}/${cseId}/${label}` : `C${label}-${by}`;
}

/** Sends the requests of one sequence, and removes what they created. */
export class StepSender {
  readonly #options: SenderOptions;
  readonly #ledger: Ledger;
  #requests = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#ledger = new Ledger(options.installation);
  }

  /** Whether the target is known to be dead. */
  get isDown(): boolean {
    return this.#options.session.liveness?.down !== undefined;
  }

  /** Whether the request may not be sent, or needs what the target denies. */
  async refuses(request: Request): Promise<boolean> {
    const { installation, session } = this.#options;
    const { way, ics } = session;
    if (ics !== undefined && unclaimed(ics, featuresOfStep(request.step)) !== undefined) return true;
    const target = installation[request.on ?? 'gateway'];
    return target === undefined || (await target.objection(this.#prepared(request, false), way)) !== undefined;
  }

  async send(request: Request): Promise<Exchange> {
    const { installation, session } = this.#options;
    const { way, cleans } = session;
    const { step, on = 'gateway', host = on } = request;
    const { [on]: target } = installation;
    if (target === undefined) throw new TypeError(`there is no ${on}`);
    const exchange = await target.send(this.#prepared(request, true), way);
    const change = cleans ? changeOf(step, noNames) : undefined;
    // A forwarding CSE does not decide whether a removal was carried out.
    const believed = on === host || !(change && 'removes' in change);
    if (change !== undefined && believed)
      this.#ledger.note(change, { on: host, originator: this.#originator(request), way }, exchange);
    return exchange;
  }

  /** After a failure, a removal may leave its subtree: then resources are removed one by one. */
  async clean(signal: AbortSignal, wholeTrees = false): Promise<void> {
    const { installation, session } = this.#options;
    if (!session.cleans || this.isDown) return;
    const wording = { speech: this.#speech(true), admin: installation.admin };
    for await (const _ of removeCreated(this.#ledger, { ...installation, wording, wholeTrees }, signal));
  }

  #prepared(request: Request, counts: boolean) {
    return prepare(request.step, noNames, { originator: this.#originator(request), speech: this.#speech(counts) });
  }

  /** Forwarded in the onem2m dialect: in the form that the other CSE knows as well. */
  #originator({ by, on = 'gateway', host = on }: Request): string | undefined {
    const { installation, label } = this.#options;
    const { gateway, dialect, originator, [host]: hosting = gateway } = installation;
    const stem = originator ?? originatorText(by, label, gateway.description);
    if (originator !== undefined || dialect === 'documented' || host === on) return stem;
    const { cseId, spId } = hosting.description;
    return `//${spId}/${cseId}/${stem}`;
  }

  #speech(counts: boolean) {
    const { installation, label } = this.#options;
    const { dialect, release } = installation;
    const requestIdentifier = () => {
      if (counts) this.#requests += 1;
      return `${label}-r${this.#requests}`;
    };
    return { dialect, release, requestIdentifier };
  }
}
