/** What `cselab baseline` does once its flags are read. */
import { type Explained, explainBaseline, pruneBaseline, updateBaseline } from '../scenarios/index.ts';
import { groupedBy } from './grouped.ts';
import { writeWhole } from './output-file.ts';
import { readReport } from './read-report.ts';
import { wrap } from './terminal/wrap.ts';
import { visibleText } from './visible-text.ts';
import { counted } from './wording.ts';

export async function runUpdate(file: string, report: string): Promise<void> {
  const { text, added, seen, otherwise } = updateBaseline(file, readReport(report));
  await writeWhole(file, text);
  say(`${file}: ${counted(added.length, 'deviation')} added, ${seen.length} seen again`);
  for (const { scenario, requirement, signature } of added) {
    say(`  + ${requirement} in ${scenario}`, `      ${signature}`);
  }
  for (const { scenario, requirement, place } of otherwise) {
    const where = `${file}:${place.line}`;
    say(`  ! ${requirement} in ${scenario} fails in another way than ${where} says; remove that entry if it is over`);
  }
  if (added.length > 0) say('Write down for each of them: reason, ticket, owner, expires.');
}

export async function runPrune(file: string, report: string): Promise<void> {
  const { text, removed } = pruneBaseline(file, readReport(report));
  if (removed.length > 0) await writeWhole(file, text);
  say(`${file}: ${counted(removed.length, 'deviation')} removed`);
  for (const { scenario, requirement } of removed) say(`  - ${requirement} in ${scenario}`);
}

export function runExplain(file: string, report: string | undefined): void {
  const today = new Date().toISOString().slice(0, 10);
  const entries = explainBaseline(file, today, report === undefined ? undefined : readReport(report));
  const columns = process.stdout.columns ?? 100;
  for (const one of entries) say(...explainedLines(one, columns), '');
  say(`${counted(entries.length, 'known deviation')}${standingsText(entries)}`);
}

function explainedLines({ entry, requirement, condition, standing, says, seen }: Explained, columns: number): string[] {
  const { reason, ticket, owner, expires } = entry;
  const sees = seen === undefined ? '' : `, in the report: ${seen}`;
  const lines: ReadonlyArray<readonly [string, string | undefined]> = [
    ['says      ', requirement && `${requirement.says} (${requirement.section}, ${requirement.source})`],
    ['scenario  ', entry.scenario],
    ['step      ', entry.step === undefined ? undefined : `${entry.step}${entry.nth ? ` (${entry.nth}.)` : ''}`],
    ['deviation ', entry.signature],
    ['holds for ', condition || undefined],
    ['reason    ', reason ?? 'none is given'],
    ['ticket    ', ticket],
    ['owner     ', owner],
    ['until     ', expires ?? 'no end'],
    ['kind      ', entry.intermittent ? 'intermittent: it comes and goes' : undefined],
    ['seen      ', seenText(entry)],
    ['standing  ', `${standing}${says === '' ? '' : `: ${says}`}${sees}`],
  ];
  return [
    entry.requirement,
    ...lines.flatMap(([label, text]) => (text === undefined ? [] : wrap(visibleText(text), columns, `  ${label}  `))),
  ];
}

function seenText({ 'first seen': first, 'last seen': last }: Explained['entry']): string | undefined {
  if (first === undefined && last === undefined) return undefined;
  return [first && `first on ${first}`, last && `last on ${last}`].filter(Boolean).join(', ');
}

/** How many need attention, and why. */
function standingsText(entries: readonly Explained[]): string {
  const open = entries.filter(({ standing }) => standing !== 'excused');
  const words = [...groupedBy(open, ({ standing }) => standing)].map(([word, { length }]) => `${length} ${word}`);
  return words.length === 0 ? '' : `: ${words.join(', ')}`;
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.map(visibleText).join('\n')}\n`);
}
