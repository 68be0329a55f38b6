import { defined } from '../engine/basics/defined.ts';
import { listed } from '../engine/judging/exit-words.ts';
import { defaultOriginator } from '../engine/messages/usual-headers.ts';
import type { Survey } from '../engine/results/run-context.ts';
import { withGrowingPauses } from '../engine/targets/exchanging/clocks.ts';
import type { Installation, OriginatorOutcome, OriginatorRegistration } from '../engine/targets/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import { type UrlChoice, usualTargetWait } from '../engine/targets/url-choice.ts';
import { Redactor } from '../secrets/redactor.ts';
import { guardRun } from './guard.ts';
import { Holdings } from './holdings.ts';
import { LedgerFile } from './ledger-file.ts';
import { type ChangeLine, runLineOf, withoutSecrets } from './ledger-line.ts';
import { isContradicted, type Listing, listingOf, notLooked, surveyOf } from './listing.ts';
import type { LedgerRecorder } from './recorder.ts';
import { Risks } from './risks.ts';
import { leftIn, type SweepOptions, type Swept, sweep } from './sweep.ts';
import { vacate } from './vacate.ts';

/** How a run on a live target is kept safe, beyond what always holds. */
export interface SafetyChoice {
  /** Directory for the record of what the run creates; nothing is written when absent. */
  readonly ledger?: string;
  /** Whether to list the target before and after. */
  readonly survey?: boolean;
  /** Whether only reads are sent. */
  readonly readOnly?: boolean;
  /** Secrets to keep out of the ledger. */
  readonly secrets?: readonly string[];
}

/** Report of the end of a run. */
export interface LeaveReport {
  readonly survey?: Survey;
  /** Paths of what is still there, as far as known. */
  readonly left: readonly string[];
  /** As sentences. */
  readonly notes: readonly string[];
}

/** `signal` ends waiting. */
export type RunSafetyChoice = UrlChoice & SafetyChoice & { readonly signal?: AbortSignal | undefined };

type RunParties = Parties & Pick<Installation, 'simulated'>;

/** Milliseconds for clean-up after an interruption. */
const interruptLimit = 3000;

/** Guards the targets of one run, records on disk what it creates, and checks that all of that is gone. */
export class RunSafety {
  readonly #choice: RunSafetyChoice;
  readonly #parties: RunParties;
  readonly #redactor: Redactor;
  readonly #risks: Risks;
  readonly #recorder: LedgerRecorder;
  /** How leftovers are removed. */
  readonly #sweepOptions: SweepOptions;
  #ledger: LedgerFile | undefined;
  #before: Listing | undefined;

  constructor(run: string, choice: RunSafetyChoice, parties: RunParties) {
    this.#choice = choice;
    this.#parties = parties;
    this.#redactor = new Redactor(choice.secrets);
    this.#risks = new Risks(choice);
    const { gateway, backend, simulated } = parties;
    const other = (backend ?? simulated)?.description;
    const holdings = new Holdings(run, { gateway: gateway.description, ...(other && { backend: other }) });
    const { handsOff, readOnly, bodyLimit } = choice;
    const guarded = guardRun({ run, startedAt: new Date().toISOString() }, holdings, parties, {
      letter: 's',
      ...defined({ handsOff, readOnly }),
      keep: (line: ChangeLine) => this.#ledger?.keep(withoutSecrets(line, this.#redactor)),
      risks: this.#risks,
      bodyLimit,
    });
    this.#recorder = guarded.recorder;
    this.#sweepOptions = guarded.sweepOptions;
  }

  /** The targets that a run may use. */
  get targets(): SweepOptions['targets'] {
    return this.#sweepOptions.targets;
  }

  /** Opens the ledger and lists the target. Throws a UsageError if the ledger cannot be written. */
  async begin(): Promise<void> {
    const { ledger, survey } = this.#choice;
    const head = runLineOf(this.#sweepOptions, this.#choice, this.#parties);
    if (ledger !== undefined) this.#ledger = new LedgerFile(ledger, withoutSecrets(head, this.#redactor));
    if (survey !== true) return;
    this.#before = await this.#look();
    this.#sweepOptions.holdings.setForeign(this.#before.addresses.keys());
  }

  /** Removes leftovers during a run, while it sends nothing else. */
  async tidy(deadly: readonly string[] = []): Promise<void> {
    await this.#sweep({ deadly });
  }

  /** Removes leftovers except `deadly` ones, lists again, and removes the ledger if nothing is there any more; nothing is sent to a `dead` target. */
  async end(interrupted: boolean, dead?: string, deadly: readonly string[] = []): Promise<LeaveReport> {
    const { holdings } = this.#sweepOptions;
    const until = performance.now() + interruptLimit;
    const swept =
      dead === undefined
        ? await this.#sweep({ deadly, enough: () => interrupted && performance.now() > until })
        : { removed: [], left: leftIn(holdings), unreachable: dead };
    const isAsked = this.#before !== undefined && swept.unreachable === undefined;
    const after = isAsked ? await this.#look() : notLooked(swept.unreachable ?? '');
    const names = this.targets.gateway.description;
    const survey = this.#before && surveyOf(this.#before, after, holdings, names);
    const missed = swept.left.filter(({ path }) => !isContradicted(path, after, names)).map(({ path }) => path);
    const left = [...new Set([...missed, ...(survey?.left ?? [])])];
    for (const path of left) this.#recorder.stillThere(path, 'gateway');
    if (left.length === 0) this.#ledger?.remove();
    else this.#ledger?.close();
    const leftNotes = left.length === 0 ? [] : [this.#note(left)];
    const notes = [...leftNotes, ...strayNotes(this.#recorder.strays), ...this.#risks.notes()];
    return { ...defined({ survey }), left, notes };
  }

  #note(left: readonly string[]): string {
    const { ledger } = this.#choice;
    const where = ledger === undefined ? '' : ` --ledger ${ledger}`;
    const remedy =
      this.#ledger &&
      `. Remove ${left.length === 1 ? 'it' : 'them'} with: cselab cleanup --run ${this.#sweepOptions.run}${where}`;
    return `the run left ${listed(left)} at the target${remedy ?? ''}`;
  }

  async #sweep(more: Pick<SweepOptions, 'enough' | 'deadly'>): Promise<Swept> {
    if (this.#sweepOptions.holdings.left().length === 0) return { removed: [], left: [] };
    return sweep({ ...this.#sweepOptions, ...more });
  }

  /** Frees an originator; one of a live run is awaited as long as an absent target. */
  readonly vacate = ({ on, originator, way }: OriginatorRegistration): Promise<OriginatorOutcome> => {
    const { ledger, waitForTarget = usualTargetWait } = this.#choice;
    const { [on]: target } = this.targets;
    if (target === undefined) return Promise.resolve({ kind: 'nobody' });
    const { speech, admin } = this.#sweepOptions;
    const context = { target, way, speech, originators: [originator, admin] };
    const attempt = () =>
      vacate({ on, originator, context, parties: this.#parties, own: this.#sweepOptions, ledgers: ledger });
    const isFree = (vacancy: OriginatorOutcome) => vacancy.kind !== 'taken' || vacancy.busy !== true;
    return withGrowingPauses(attempt, isFree, { limit: waitForTarget, signal: this.#choice.signal });
  };

  async #look(): Promise<Listing> {
    const { admin, originator, speech, targets, wayOf } = this.#sweepOptions;
    const known = [admin, originator].filter((one) => one !== undefined);
    const originators = known.length > 0 ? known : [speech.dialect === 'onem2m' ? defaultOriginator : undefined];
    return listingOf({ target: targets.gateway, way: await wayOf(undefined), speech, originators });
  }
}

function strayNotes(strays: readonly string[]): string[] {
  const [first] = strays;
  if (first === undefined) return [];
  const more = strays.length === 1 ? '' : `, and ${strays.length - 1} more like that`;
  return [`answers named resources that this run had not requested; none was touched: ${first}${more}`];
}
