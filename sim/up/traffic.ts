/** `cselab up --traffic`: simulated devices are loaded for those who have some. */
import type { Scheduler } from '../clock.ts';
import type { Started } from './greeting.ts';
import type { UpOptions } from './options.ts';
import type { UpEvent } from './telling/event.ts';

/** Different problems of devices that are told. */
const mostTold = 20;

/** Begins to push into the first CSE, as long as the process lives, where somebody asks for it, and tells so. Rejects with a TrafficFileError. */
export async function trafficInto(
  first: Started | undefined,
  { traffic: file, seed }: UpOptions,
  { clock, tell }: { readonly clock: Scheduler; readonly tell: (event: UpEvent) => void },
): Promise<void> {
  if (first === undefined || file === undefined) return;
  const { startTraffic } = await import('../traffic/traffic.ts');
  const { node } = first;
  const cse = node.cse.core.configuration.cseId;
  const told = new Set<string>();
  const onProblem = (problem: string): void => {
    if (told.has(problem) || told.size >= mostTold) return;
    told.add(problem);
    tell({ event: 'log', cse, message: `traffic: ${problem}` });
  };
  const target = { core: () => node.cse.core, service: node.service, clock };
  const { devices } = await startTraffic(target, file, { onProblem, ...(seed !== undefined && { seed }) });
  tell({ event: 'traffic', cse, devices, file });
}
