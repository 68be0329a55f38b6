/** Changes since a lock: as sentences, and as problems of its file. */
import { changesOf, type LockChange, type LockPart } from '../../scenarios/checking/fingerprints.ts';
import { type LockedPlan, lockOf } from '../../scenarios/checking/lock.ts';
import { type Problem, ScenarioFilesError } from '../../scenarios/engine/basics/diagnostics.ts';
import type { CheckOptions } from '../../scenarios/index.ts';
import { groupedBy } from '../facts/wording.ts';
import { say } from '../writing/io.ts';
import type { ReadPlan } from './plan-file.ts';

/** Fewer excuses of a baseline make a run stricter. */
const weakens = ({ part, kind }: LockChange): boolean => part !== 'baseline' || kind !== 'gone';

/** How many of a sort are named if all of them fail a run. */
const most = 20;

/**
 * What would be checked, if it matches the plan's lock; undefined for a plan without a lock. Throws a ScenarioFilesError with a problem
 * for each difference. Sends nothing.
 */
export async function verifyLock(plan: ReadPlan, options: CheckOptions): Promise<LockedPlan | undefined> {
  if (plan.lock === undefined) return undefined;
  const locked = await lockOf(options);
  const problems = problemsOf(plan, locked);
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  const { cselab } = locked.lock;
  if (cselab !== plan.lock.cselab)
    say(`${plan.path} was locked with cselab ${plan.lock.cselab}; ${cselab} checks the same`);
  return locked;
}

export function problemsOf({ lock, source }: ReadPlan, locked: LockedPlan): Problem[] {
  const changes = lock === undefined ? [] : changesOf(lock, locked.lock).filter(weakens);
  return [...groupedBy(changes, ({ part, kind }) => `${part} ${kind}`).values()].flatMap((all) => {
    const problems = all.slice(0, most).map((change) => {
      const at = change.kind === 'added' ? [] : [change.id];
      return source.problem(['lock', change.part, ...at], changeText(change, locked), { key: true });
    });
    const [last] = problems.slice(-1);
    const more = all.length - most;
    return more > 0 && last ? [...problems, { ...last, message: `and ${more} more of this sort` }] : problems;
  });
}

type Text = (change: LockChange, reason: string) => string;

/** Settings have only values. */
const setting =
  (subject: (id: string) => string): Text =>
  ({ id, was = 'not said', is = 'not said' }) =>
    `changed: ${subject(id)} was ${was}, and is ${is}`;

const cases = (noun: string, content: string): Readonly<Record<LockChange['kind'], Text>> => ({
  gone: ({ id }, reason) => `skipped: ${noun} ${id} is no longer checked${reason}`,
  added: ({ id }) => `added: ${noun} ${id}`,
  changed: ({ id }) => `changed: ${noun} ${id}: ${content}`,
});

const everyKind = (text: Text) => ({ gone: text, added: text, changed: text });

const texts: Readonly<Record<LockPart, Readonly<Record<LockChange['kind'], Text>>>> = {
  configuration: everyKind(setting((id) => id)),
  claims: everyKind(setting((id) => `the claim to have ${id}`)),
  baseline: {
    gone: ({ id }) => `stricter: the baseline excuses no longer ${id}`,
    added: ({ id }) => `loosened: the baseline excuses ${id}`,
    changed: ({ id }) => `loosened: the baseline excuses otherwise, or until another day, ${id}`,
  },
  scenarios: cases('scenario', 'what it sends, or what is checked of that'),
  requirements: cases('requirement', 'what it demands, or a rule that checks it'),
};

/** A change as a line; `locked` knows why something is skipped. */
export function changeText(change: LockChange, locked?: LockedPlan): string {
  const skip = locked?.skipped.find(({ scenario }) => scenario === change.id);
  return texts[change.part][change.kind](change, skip === undefined ? '' : ` (${skip.state}: ${skip.reason})`);
}
