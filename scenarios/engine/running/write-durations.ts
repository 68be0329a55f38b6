/** Writes `durations.json` anew from JSON reports: `node --import tsx scenarios/engine/running/write-durations.ts REPORT.json…`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RunResult } from '../results/result.ts';
import { durationsText, shippedDurationsPath } from './durations.ts';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as RunResult);
writeFileSync(shippedDurationsPath, durationsText(reports.flatMap(({ scenarios }) => scenarios)));
