/** Writes `durations.json` anew from JSON reports: `node --import tsx .ci/write-durations.ts REPORT.json…`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { durationsText, shippedDurationsPath } from '../scenarios/engine/files/shard.ts';
import type { RunResult } from '../scenarios/engine/results/result.ts';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as RunResult);
writeFileSync(shippedDurationsPath, durationsText(reports.flatMap(({ scenarios }) => scenarios)));
