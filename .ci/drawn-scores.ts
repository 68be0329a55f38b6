/**
 * Scores for drawn deviations, for the manual. `node --import tsx .ci/drawn-scores.ts REPORT.json…` copies the totals of these reports
 * into scores.json, replacing those of the same question; write-reference.ts then writes the table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DrawnTable } from '../scenarios/index.ts';

export type Score = Pick<
  DrawnTable,
  'version' | 'of' | 'dialect' | 'seed' | 'count' | 'inPairs' | 'world' | 'differs' | 'runs' | 'startedAt' | 'totals'
>;

const path = fileURLToPath(new URL('../scenarios/mutants/drawn/scores.json', import.meta.url));
const read = () => JSON.parse(readFileSync(path, 'utf8')) as Score[];

const worlds = {
  tls: ' over TLS',
  pair: ' in a gateway with its backend',
  mqtt: ' over MQTT',
  ws: ' over WebSocket',
  coap: ' over CoAP',
} as const;
const whatOf = ({ of, dialect, inPairs, world, differs }: Score) =>
  `${of}${inPairs ? ' in pairs' : ''}${world === undefined ? '' : worlds[world]}${differs === undefined ? '' : `${worlds[differs]} alone, compared with HTTP`}, ${dialect}`;
const questionOf = (score: Score) => `${whatOf(score)}, ${String(score.seed).padStart(12)}`;

/** Whole runs only; the newer of two with the same question. */
export function scoresWith(known: readonly Score[], tables: readonly DrawnTable[]): Score[] {
  const broken = tables.find(({ interrupted, shard }) => interrupted || shard !== undefined);
  if (broken !== undefined) throw new Error(`the run of seed ${broken.seed} is not whole`);
  const scores = new Map(known.map((score) => [questionOf(score), score]));
  for (const { version, of, dialect, seed, count, inPairs, world, differs, runs, startedAt, totals } of tables) {
    const where = { ...(world && { world }), ...(differs && { differs }) };
    const score = { version, of, dialect, seed, count, inPairs, ...where, runs, startedAt, totals };
    scores.set(questionOf(score), score);
  }
  return [...scores].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, score]) => score);
}

export function scoresText(scores: readonly Score[] = read()): string {
  const lines = scores.map((score) => {
    const { totals, seed, count, startedAt } = score;
    const { verdicts, check, explore, collateral } = totals;
    const cells =
      score.of === 'variations'
        ? ['', '', '', '', verdicts['false alarm']]
        : [check, explore, verdicts.identified, collateral.rows, ''];
    return `| ${[whatOf(score), seed, count, ...cells, startedAt.slice(0, 10)].join(' | ')} |`;
  });
  const head =
    '| drawn | seed | number | seen by check | by explore alone | identified | with collateral | false alarms | on |';
  return [head, '|---|--:|--:|--:|--:|--:|--:|--:|---|', ...lines].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tables = process.argv.slice(2).map((one) => JSON.parse(readFileSync(one, 'utf8')) as DrawnTable);
  writeFileSync(path, `${JSON.stringify(scoresWith(read(), tables), undefined, 2)}\n`);
}
