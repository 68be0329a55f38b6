/** What is said of a kill table, the same on the terminal and on the page. */
import type { KillRow, KillTable, KillVerdict, Violation } from '../../scenarios/index.ts';
import { counted, durationText } from '../wording.ts';

export const killMarks: Readonly<Record<KillVerdict, string>> = {
  named: '✓',
  killed: '△',
  equivalent: '≡',
  'not killed': '✗',
  'not judged': '!',
};

/** `98.3 %`; never rounded up to a whole that is not reached. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const tenths = Math.floor((part / whole) * 1000) / 10;
  return `${tenths.toLocaleString('en')} %`;
}

/** The table in one line. Shares are of those that somebody can see. */
export function headlineOf({ totals, rows, interrupted }: KillTable): string {
  const { named, equivalent } = totals.verdicts;
  const share = (part: number) => percent(part, rows.length - equivalent);
  const unseen = equivalent === 0 ? '' : `, ${equivalent.toLocaleString('en')} that nobody can see`;
  const told = `${share(totals.killed)} killed, ${share(named)} named, ${share(totals.noisy)} noisy${unseen}`;
  return `${interrupted ? 'Interrupted: ' : ''}${counted(rows.length, 'fault')}: ${told}`;
}

/** What was run, as a sentence: nobody should take one kind of run for the other. */
export function breadthText({ breadth, totals }: KillTable): string {
  const run = `${totals.scenarios.toLocaleString('en')} of ${totals.possible.toLocaleString('en')}`;
  if (breadth.kind === 'wide') {
    return `Every scenario of its dialect was run against each fault: ${run} runs of scenarios.`;
  }
  const { others = 0 } = breadth;
  const own = 'Against each fault the files were run that check what it breaks';
  if (others === 0) {
    return `${own}, and no others: ${run} runs of scenarios. What it disturbs elsewhere was not looked for (--others, --wide).`;
  }
  const files = `${counted(others, 'other file')} of its dialect, dealt by its id`;
  return `${own}, and ${files}: ${run} runs of scenarios. What it disturbs in the rest was not looked for (--wide).`;
}

export function timeText({ took, workers }: KillTable): string {
  return `${durationText(took)} with ${counted(workers, 'worker')}`;
}

/** `left out`: why there are fewer rows than faults. */
export function choiceText({ rows, known, chosen }: KillTable): string | undefined {
  if (rows.length === known) return undefined;
  const all = `of ${counted(known, 'fault')} of the simulator`;
  return rows.length === chosen
    ? `${chosen.toLocaleString('en')} ${all} were chosen.`
    : `${rows.length.toLocaleString('en')} of the ${chosen.toLocaleString('en')} chosen, ${all}, were judged.`;
}

/** How many faults are no rows, and why; undefined where there are none. */
export function generatorsText({ leftToGenerators }: KillTable): string | undefined {
  const count = leftToGenerators.length;
  if (count === 0) return undefined;
  const [are, show] = count === 1 ? ['is', 'It shows'] : ['are', 'They show'];
  return `${counted(count, 'fault')} ${are} left to generators. ${show} only after certain requests in a certain order, or after many of them, which no scenario is written for (--generators).`;
}

/** Worth a line of its own without --verbose. */
export function isRemarkable({ verdict, noise, reason }: KillRow): boolean {
  return verdict !== 'named' || noise.length > 0 || reason !== undefined;
}

/** What a check saw, as `attribute aei is absent (documented/ae/registers)`. */
export function sightText({ actual, scenario }: Violation): string {
  return `${actual} (${scenario})`;
}
