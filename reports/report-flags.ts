import type { Command } from 'commander';
import { collect } from './deviation-flag.ts';

/** What every command that judges a run takes about its reports. */
export function addReportFlags(command: Command): Command {
  return command
    .option(
      '--report <name[=path]>',
      'terminal, html, json, junit, tap, ctrf, ndjson, markdown, github or badge; - is stdout; repeatable (default: terminal)',
      collect,
    )
    .option('--out <dir>', 'where reports without a path go', 'reports/latest')
    .option('--secret <name>', 'environment variable whose value is masked in all that is written; repeatable', collect)
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same');
}
