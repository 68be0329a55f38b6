/** What `cselab check --dry-run` prints. */
import { type CheckOptions, type DryRequest, requestsOf } from '../scenarios/index.ts';
import { visibleText } from './visible-text.ts';
import { counted } from './wording.ts';

export async function printDryRun(options: CheckOptions, json: boolean): Promise<void> {
  const { requests, skipped } = await requestsOf(options);
  if (requests.every(({ scenario }) => scenario === undefined)) process.exitCode = 4;
  if (json) return void process.stdout.write(`${JSON.stringify({ requests, skipped }, null, 2)}\n`);
  let heading: string | undefined;
  for (const request of requests) {
    const next = request.scenario ?? `(${request.phase} the scenarios)`;
    if (next !== heading) process.stdout.write(`${visibleText(next)}\n`);
    heading = next;
    process.stdout.write(textOf(request));
  }
  for (const { scenario, reason, state } of skipped) {
    process.stdout.write(`${visibleText(scenario)}\n  ${state}: ${visibleText(reason)}\n`);
  }
  const unsent = requests.filter(({ objection }) => objection !== undefined).length;
  const leftOut = requests.filter((one) => one.leftOut).length;
  const parts = [
    ...(unsent > leftOut ? [`${unsent - leftOut} more held back`] : []),
    ...(leftOut > 0 ? [`${leftOut} more left out as a risk`] : []),
  ];
  const held = parts.map((part) => `, ${part}`).join('');
  const idle = (['not applicable', 'left out'] as const).flatMap((state) => {
    const number = skipped.filter((one) => one.state === state).length;
    return number === 0 ? [] : [`; ${counted(number, 'scenario')} ${state}`];
  });
  process.stderr.write(`${counted(requests.length - unsent, 'request')}${held}${idle.join('')}; nothing was sent\n`);
}

function textOf({ phase, on, request, originator, certificate, objection }: DryRequest): string {
  const what = request.exactBytes ? '' : `${request.method} ${request.path}`;
  const where = on === undefined ? '' : ' at the backend';
  const who = [
    ...(originator === undefined ? [] : [`as ${originator}`]),
    ...(certificate === undefined ? [] : [`with the certificate "${certificate}"`]),
  ].join(' ');
  const lines = [
    `  ${phase === 'step' ? '' : `${phase}: `}${what || 'exact bytes'}${where}${who === '' ? '' : ` ${who}`}`,
  ];
  if (request.body !== undefined) lines.push(`      ${request.body}`);
  if (objection !== undefined) lines.push(`      ${objection}`);
  return `${lines.map(visibleText).join('\n')}\n`;
}
