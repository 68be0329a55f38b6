import { numberedSpeech } from '../engine/messages/usual-headers.ts';
import { wayFor, withTargets } from '../engine/targets/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import { guarded } from './guard.ts';
import { Holdings } from './holdings.ts';
import type { ReadLedger } from './ledger-file.ts';
import { labelOfRun, type RunLine } from './ledger-line.ts';
import { provingBy } from './proof.ts';
import { LedgerRecorder, type RecorderOptions } from './recorder.ts';
import type { Risks } from './risks.ts';
import { Rules, type RulesOptions } from './rules.ts';
import type { SweepOptions } from './sweep.ts';

/** What the run of a ledger created and did not remove, as far as recorded. */
export function holdingsOf({ head, changes }: ReadLedger): Holdings {
  const { run, gateway, backend } = head;
  const holdings = new Holdings(run, { gateway, ...(backend && { backend }) });
  for (const line of changes) holdings.record(line);
  return holdings;
}

interface GuardOptions extends Omit<RulesOptions, 'holdings'>, Pick<RecorderOptions, 'keep'> {
  /** Prefix of its request numbers. */
  readonly letter: string;
  readonly risks?: Risks;
  readonly bodyLimit?: number | undefined;
}

/**
 * Guards the CSEs of a run, and says how to remove what it created: as whoever created it, and nothing but what is certainly of
 * that run.
 */
export function guardRun(
  { run, startedAt }: Pick<RunLine, 'run' | 'startedAt'>,
  holdings: Holdings,
  parties: Parties,
  { letter, keep, risks, bodyLimit, ...rest }: GuardOptions,
): { readonly recorder: LedgerRecorder; readonly sweepOptions: SweepOptions } {
  const { usualCertificate, certificates, dialect, release, admin, originator } = parties;
  const rules = new Rules({ ...rest, holdings });
  const recorder = new LedgerRecorder({ holdings, rules, ...(keep && { keep }) });
  const speech = numberedSpeech({ dialect, release }, `${labelOfRun(run)}${letter}`);
  const proves = provingBy({ holdings, rules, recorder, speech, admin });
  const safety = { rules, recorder, proves, risks, bodyLimit };
  const { gateway, backend } = withTargets(parties, (target, on) => guarded(target, on, safety));
  const wayOf: SweepOptions['wayOf'] = (name) => wayFor(name ?? usualCertificate, certificates);
  const targets = { gateway, ...(backend && { backend }) };
  return { recorder, sweepOptions: { run, startedAt, holdings, targets, speech, admin, originator, wayOf } };
}
