import type { Command } from 'commander';

/** What every command that judges a run takes about its reports. `collect`: for what is repeatable. */
export function addReportFlags(command: Command, collect: (value: string, list?: string[]) => string[]): Command {
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
