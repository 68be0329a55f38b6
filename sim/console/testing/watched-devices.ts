/** Simulated devices and an application for an installation that is watched: measurements, readings through the backend, notifications. */

import type { Cse } from '../../core/operations/cse.ts';
import type { Scheduler } from '../../environment/clock.ts';
import { startInbox } from '../../inbox/start-inbox.ts';
import { startWorkload, type Workload } from '../../workload/workload.ts';
import type { WorkloadDevice } from '../../workload/workload-form.ts';
import type { WatchedPair } from './watched-pair.ts';

/** 100 for each gateway. */
const devices: readonly WorkloadDevice[] = [
  {
    ...{ into: 'building/temperature-{nn}', times: 40, every: '10s', jitter: '1s' },
    value: { sine: { mean: 21, amplitude: 3, period: '10m', noise: 0.2 } },
  },
  {
    ...{ into: 'building/power-{nn}', times: 30, every: '5s', jitter: '1s' },
    value: { walk: { start: 400, step: 60, min: 40, max: 3_600 }, decimals: 0 },
  },
  {
    ...{ into: 'building/climate-{nn}', times: 20, every: '30s', jitter: '5s' },
    values: { celsius: { uniform: { from: 18, to: 26 } }, humidity: { uniform: { from: 30, to: 60 }, decimals: 0 } },
  },
  { into: 'building/door-{nn}', times: 10, every: '1m', jitter: '9s', value: { list: ['open', 'closed'] } },
];

/** Instances of a container, so that the trees grow no further once they are full. */
const keptInstances = 20;
/** Milliseconds between two readings of the application. */
const readingPause = 2_000;

interface WatchedDevices extends AsyncDisposable {
  /** Of all gateways together. */
  readonly devices: number;
  /** Pushes that were refused. */
  readonly refused: () => number;
}

/** The devices push, and the application reads, by the clock of the installation. */
export async function startDevices({ gateways, backend, clock }: WatchedPair): Promise<WatchedDevices> {
  const inbox = await startInbox();
  for (const { cse } of gateways) createTree(cse.core, inbox.url);
  const running: Workload[] = [];
  for (const [at, { cse, service }] of gateways.entries()) {
    running.push(await startWorkload({ core: () => cse.core, service, clock }, { seed: at + 1, devices }));
  }
  startReading(`${backend.url}/~`, gateways.length, clock);
  const sum = (of: (workload: Workload) => number): number => running.reduce((total, one) => total + of(one), 0);
  return {
    devices: sum((workload) => workload.devices),
    refused: () => sum((workload) => workload.refused),
    async [Symbol.asyncDispose]() {
      for (const workload of running) workload.stop();
      await inbox[Symbol.asyncDispose]();
    },
  };
}

/** What the devices push into, and who is told of a door. */
function createTree(core: Cse, inbox: string): void {
  const create = (to: string, content: object) => core.perform({ operation: 'create', to, content });
  create('onem2m', { 'm2m:ae': { rn: 'building', api: 'N.building', rr: false } });
  for (const { into, times = 0 } of devices) {
    for (let number = 1; number <= times; number++) {
      const rn = into.replace('building/', '').replace('{nn}', String(number).padStart(2, '0'));
      create('onem2m/building', { 'm2m:cnt': { rn, mni: keptInstances } });
    }
  }
  create('onem2m/building/door-01', { 'm2m:sub': { rn: 'watch', nu: [inbox], enc: { net: [3] } } });
}

/** One reading in five asks for what is not there. */
function startReading(url: string, gateways: number, clock: Scheduler): void {
  let count = 0;
  const read = async (): Promise<void> => {
    count += 1;
    clock.schedule(readingPause, read);
    const path = `mn-cse-${1 + (count % gateways)}/onem2m/building/temperature-${count % 5 === 0 ? '41' : '01'}/la`;
    await fetch(`${url}/${path}`, { headers: { 'x-m2m-origin': 'Cdashboard', 'x-m2m-ri': `reading-${count}` } });
  };
  clock.schedule(readingPause, read);
}
