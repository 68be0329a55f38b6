/** The lock of a plan: everything that decides what is checked, by name, so that locks can be compared. */
import { conditionText } from '../baseline/observe.ts';
import { readBaseline } from '../baseline/read.ts';
import { byCodePoint } from '../engine/files/folders.ts';
import { levelIn } from '../engine/files/levels.ts';
import type { CheckLevel } from '../engine/results/result.ts';
import { prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { claimsOf } from '../ics/ics.ts';
import { overWire } from '../ics/over-wire.ts';
import { profileCalled } from '../ics/profiles.ts';
import { knownRisks } from '../safety/known-risks.ts';
import { type CheckOptions, plannedAt } from './check.ts';
import { configurationOf } from './configuration.ts';
import { type DryRun, skippedAt } from './dry-run.ts';
import { fingerprintsOf, type Lock, shortHashOf } from './fingerprints.ts';

/** A plan for its target, before anything is sent. */
export interface LockedPlan {
  readonly lock: Lock;
  /** Skipped scenarios, with reasons. */
  readonly skipped: DryRun['skipped'];
  readonly requirements: ReadonlyArray<{ readonly section: string; readonly level: CheckLevel }>;
}

/** Sends nothing. Throws as `check` does. */
export async function lockOf(options: CheckOptions): Promise<LockedPlan> {
  const { chosen, skipped } = await chosenAt(options);
  const left = new Set(skipped.map(({ scenario }) => scenario));
  const planned = { ...chosen, scenarios: chosen.scenarios.filter(({ id }) => !left.has(id)) };
  const { cselab, scenarios, requirements } = fingerprintsOf(planned, planned);
  const { ics } = ofUrl(options);
  return {
    lock: {
      cselab,
      configuration: decisive(options),
      claims: sorted(
        (ics === undefined ? [] : claimsOf(ics)).flatMap(({ id, claim }) =>
          claim === 'unknown' ? [] : [[id, claim] as const],
        ),
      ),
      baseline: excusedBy(options.baseline),
      ...{ scenarios, requirements },
    },
    skipped,
    requirements: [...chosen.requirements].flatMap((id) => {
      const one = chosen.catalogue.requirements.get(id);
      return one === undefined ? [] : { section: one.section, level: levelIn(chosen, one) };
    }),
  };
}

/** The plan and what it skips. The embedded reference CSE has everything that scenarios need. */
async function chosenAt(options: CheckOptions) {
  const { target } = options;
  const planned = plannedAt(options);
  if (target.kind === 'url') {
    const prepared = await prepareUrl({ ...target, dialect: planned.dialect });
    const chosen = overWire(planned, prepared.route?.wire ?? 'HTTP');
    return { chosen, skipped: skippedAt(chosen, prepared) };
  }
  const chosen = overWire(planned, 'HTTP');
  const skipped = chosen.scenarios.flatMap(({ id, inapplicable: reason }) =>
    reason === undefined ? [] : { scenario: id, reason, state: 'not applicable' as const },
  );
  return { chosen, skipped };
}

const ofUrl = ({ target }: CheckOptions): Partial<UrlChoice> => (target.kind === 'url' ? target : {});

/** Decisive options, without those that depend on the environment, or show in the selection. */
const names =
  'dialect release serialization level rules failOn minEvidence again maxFail readOnly product accessControl waitBudget handsOff bodyLimit reachesHarness risky';

function decisive(options: CheckOptions): Lock['configuration'] {
  const { target, judged, running } = configurationOf(options);
  const values = new Map<string, unknown>(Object.entries({ ...target, ...running, ...judged }));
  const { risks, risky, tls, profile } = ofUrl(options);
  // Known risks, general and of this target, decide what is left out at a live target.
  const known = knownRisks.map(({ id, when }) => ({ id, when }));
  const isCareful = options.target.kind === 'url' && risky !== 'all';
  const more = {
    profile: demandsOf(options.profile ?? profile),
    risks: isCareful ? shortHashOf([known, risks]) : undefined,
    requireCert: tls?.requireCert,
  };
  const found = [...names.split(' ').map((name) => [name, values.get(name)] as const), ...Object.entries(more)];
  return sorted(
    found.flatMap(([name, value]) => (value === undefined ? [] : [[hyphened(name), textOf(value)] as const])),
  );
}

/** The demands of a profile, since its file may change. */
function demandsOf(named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  const { name, demands } = profileCalled(named);
  return `${name}: ${textOf(demands)}`;
}

const hyphened = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}

/** Without notes and dates, which do not affect what is excused. */
function excusedBy(baseline: CheckOptions['baseline']): Lock['baseline'] {
  const entries = baseline === undefined ? [] : readBaseline(baseline.file).entries;
  return sorted(
    entries.map((entry) => {
      const { scenario, requirement, step, nth, when, signature, expires, intermittent } = entry;
      const condition = when && conditionText(when);
      const where = [step && `at "${step}"`, nth && `(${nth}.)`, `as ${signature.slice(0, 10)}`, condition];
      const name = [requirement, 'in', scenario, ...where].filter(Boolean).join(' ');
      return [name, shortHashOf({ expires, intermittent })] as const;
    }),
  );
}

const sorted = (entries: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, string>> =>
  Object.fromEntries([...entries].sort(([one], [other]) => byCodePoint(one, other)));
