/** `cselab up --traffic`: simulated devices are loaded for those who have some. */
import type { Scheduler } from './clock.ts';
import type { UpOptions } from './up-command.ts';
import type { Started } from './up-greeting.ts';

/** Different problems of devices that are told. */
const mostTold = 20;

/** Begins to push into the first CSE, as long as the process lives. Says so in a line; undefined where nobody asks for it. Rejects with a TrafficFileError. */
export async function trafficInto(
  first: Started | undefined,
  { traffic: file, seed }: UpOptions,
  clock: Scheduler,
): Promise<string | undefined> {
  if (first === undefined || file === undefined) return undefined;
  const { startTraffic } = await import('./traffic/traffic.ts');
  const { node, settings } = first;
  const told = new Set<string>();
  const onProblem = (problem: string): void => {
    if (told.has(problem) || told.size >= mostTold) return;
    told.add(problem);
    console.error(`${settings.cse.cseId}: traffic: ${problem}`);
  };
  const target = { core: () => node.cse.core, service: node.service, clock };
  const { devices } = await startTraffic(target, file, { onProblem, ...(seed !== undefined && { seed }) });
  return `traffic of ${devices} ${devices === 1 ? 'device' : 'devices'} into ${settings.cse.cseId}, from ${file}`;
}
