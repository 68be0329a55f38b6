/** What is said of what a seed drew, the same on the terminal and on the page. */
import type { DrawnRow, DrawnTable, DrawnVerdict, Figure } from '../../scenarios/index.ts';
import { counted, durationText } from '../wording.ts';
import { percent } from './mutants-words.ts';

export const drawnMarks: Readonly<Record<DrawnVerdict, string>> = {
  identified: '✓',
  seen: '△',
  'not seen': '✗',
  quiet: '✓',
  'false alarm': '✗',
  'not judged': '!',
};

export const drawnTones: Readonly<Record<DrawnVerdict, 'good' | 'open' | 'bad' | 'fault'>> = {
  identified: 'good',
  seen: 'open',
  'not seen': 'bad',
  quiet: 'good',
  'false alarm': 'bad',
  'not judged': 'fault',
};

export const drawnWords: Readonly<Record<DrawnVerdict, string>> = {
  identified: 'identified: the first violation names what deviates',
  seen: 'seen, by a violation of another thing first',
  'not seen': 'not seen',
  quiet: 'quiet',
  'false alarm': 'false alarm',
  'not judged': 'not judged',
};

/** The columns of figures, beside what they are about. */
export const figureColumns: Readonly<Record<string, (figure: Figure) => number>> = {
  drawn: ({ rows }) => rows,
  check: ({ check }) => check,
  explore: ({ explore }) => explore,
  identified: ({ identified }) => identified,
  collateral: ({ collateral }) => collateral,
};

const worldWords = { tls: ' over TLS', pair: ' in a pair' } as const;

/** The table in one line. */
export function drawnHeadline({ of, inPairs, rows, totals, dialect, interrupted, world }: DrawnTable): string {
  const begun = interrupted ? 'Interrupted: ' : '';
  const number = rows.length;
  if (of === 'variations')
    return `${begun}${counted(totals.verdicts['false alarm'], 'false alarm')} at ${counted(number, 'variation')} that everybody has to take (${dialect} dialect)`;
  const seen = totals.check + totals.explore;
  const what = inPairs ? `${counted(number, 'pair')} of deviations` : counted(number, 'deviation');
  return `${begun}${seen} of ${what} of the ${dialect} dialect${world === undefined ? '' : worldWords[world]} seen (${percent(seen, number)}), ${totals.verdicts.identified} identified`;
}

/** Who saw how many, and what else was reported, as sentences. */
export function drawnSentences(table: DrawnTable): string[] {
  const { of, inPairs, totals, runs } = table;
  if (of === 'variations') return [];
  const { check, explore, verdicts, bothNamed, collateral } = totals;
  const generated = runs === 0 ? '' : `, ${explore} more by explore in up to ${counted(runs, 'sequence')}`;
  return [
    `Seen by check: ${check}${generated}; ${verdicts['not seen']} survived.`,
    ...(inPairs
      ? [`Both deviations are named by some violation at ${bothNamed} of ${counted(table.rows.length, 'pair')}.`]
      : []),
    `Collateral: ${counted(collateral.requirements, 'requirement')} at ${counted(collateral.rows, inPairs ? 'pair' : 'deviation')}, reported as violated though they name nothing of what deviates.`,
  ];
}

/** How it was drawn. */
export function drawnHow({ seed, drawn, took, shard, kept }: DrawnTable): string {
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.count}`;
  const before = kept === 0 ? '' : `, ${counted(kept, 'row')} kept from before`;
  return `Seed ${seed}, ${counted(drawn, 'draw')}${part}${before}; ${durationText(took)}.`;
}

/** `found by explore, sequence 12`; undefined where nothing was looked for. */
export function exploredText({ by, explored }: DrawnRow): string | undefined {
  if (explored === undefined) return undefined;
  return by === 'explore'
    ? `by explore, in sequence ${explored.sequences}`
    : `explore: nothing in ${counted(explored.sequences, 'sequence')}`;
}

/** Letters of an answer that are shown. */
const most = 160;

/** Both answers from a little before where they differ. */
export function differenceOf({ sound, deviating }: NonNullable<DrawnRow['witness']>): readonly [string, string] {
  const letters = [...sound];
  const first = letters.findIndex((letter, at) => letter !== deviating[at]);
  const from = Math.max(0, (first === -1 ? letters.length : first) - 60);
  const part = (text: string) => shortened(from === 0 ? text : `…${text.slice(from)}`);
  return [part(sound), part(deviating)];
}

export function shortened(text: string): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
