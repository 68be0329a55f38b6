/** Simulated devices that push values into a CSE, by its clock: in virtual time with a manual clock, else in real time. */

import { localResource } from '../core/address.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { Resource } from '../core/resource.ts';
import type { HttpRequest, HttpService } from '../dialects/http-message.ts';
import { clientRequest } from '../dialects/messenger.ts';
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';
import { problemIn } from '../seeding/device.ts';
import { contentOf, type SeedResource } from '../seeding/seed-tree.ts';
import { checkValue, type LocationOf, readYamlFile, resolveFixture } from '../seeding/yaml-file.ts';
import { type Device, type DeviceRequest, deviceOf } from './device.ts';
import { type WorkloadDevice, WorkloadForm, type WorkloadPlan } from './workload-form.ts';

/** A workload that cannot be used; the message has a line `file:line:column: what is wrong` for each problem. */
export class WorkloadFileError extends Error {
  override readonly name = 'WorkloadFileError';
}

export interface WorkloadOptions {
  /** Instead of the seed of the plan. */
  readonly seed?: number;
  /** Called with one sentence for each push that the CSE refuses. */
  readonly onProblem?: (problem: string) => void;
}

/** The CSE that gets the pushes, and the clock of the devices. */
export interface WorkloadTarget {
  readonly core: () => Cse;
  /** Handles pushes like other requests. */
  readonly service: HttpService;
  readonly clock: Scheduler;
}

export interface Workload extends Disposable {
  /** Number of devices. */
  readonly devices: number;
  /** Pushes that were answered with success. */
  readonly pushed: number;
  /** Pushes that the CSE has refused. */
  readonly refused: number;
  /** Ends all pushes. */
  stop(): void;
}

/**
 * Starts the devices of a YAML file or an object; `building`, `fleet`, `home` and `meters` are those of the package. Missing containers are
 * created with their AE, at once and whenever a push does not find them. Rejects with a WorkloadFileError.
 */
export async function startWorkload(
  target: WorkloadTarget,
  plan: string | WorkloadPlan,
  options: WorkloadOptions = {},
): Promise<Workload> {
  const devices = await devicesOf(plan, target.core(), options.seed);
  const counts = { pushed: 0, refused: 0 };
  const ends = devices.map((device) => device.start(target.clock, (sent) => push(device, sent)));
  async function push(device: Device, sent: readonly DeviceRequest[]): Promise<void> {
    for (const one of sent) {
      const problem = await pushOnce(device, one, target);
      if (problem === undefined) counts.pushed++;
      else {
        counts.refused++;
        options.onProblem?.(`${device.into}: ${problem}`);
      }
    }
  }
  const stop = () => {
    for (const end of ends.splice(0)) end();
  };
  return {
    devices: devices.length,
    get pushed() {
      return counts.pushed;
    },
    get refused() {
      return counts.refused;
    },
    stop,
    [Symbol.dispose]: stop,
  };
}

async function devicesOf(plan: string | WorkloadPlan, core: Cse, seed: number | undefined): Promise<Device[]> {
  const { value, locationOf } =
    typeof plan === 'string'
      ? await readYamlFile(await resolveFixture(plan, 'workloads', WorkloadFileError), WorkloadForm, WorkloadFileError)
      : checkValue(plan, WorkloadForm, WorkloadFileError);
  const devices: Device[] = [];
  for (const [at, spec] of value.devices.entries()) {
    checkJitter(value, at, locationOf);
    checkModel(spec, at, locationOf);
    for (let count = 1; count <= (spec.times ?? 1); count++) {
      const number = spec.times === undefined ? undefined : count;
      const device = deviceOf(spec, number, seed ?? value.seed ?? 1, devices.length);
      const problem = ensureTarget(device, core);
      if (problem !== undefined) throw new WorkloadFileError(`${locationOf(['devices', at, 'into'])}: ${problem}`);
      devices.push(device);
    }
  }
  return devices;
}

function checkJitter({ devices }: WorkloadPlan, at: number, locationOf: LocationOf): void {
  const { every = 0, jitter = 0 } = devices[at] ?? {};
  if (millisecondsOf(every) === 0)
    throw new WorkloadFileError(`${locationOf(['devices', at, 'every'])}: must be more than 0`);
  if (2 * millisecondsOf(jitter) < millisecondsOf(every) || jitter === 0) return;
  throw new WorkloadFileError(`${locationOf(['devices', at, 'jitter'])}: must be less than half of every, ${every}`);
}

function checkModel({ model, modules }: WorkloadDevice, at: number, locationOf: LocationOf): void {
  const wrong = model === undefined ? undefined : problemIn(model, modules);
  if (wrong !== undefined) throw new WorkloadFileError(`${locationOf(['devices', at, 'model'])}: ${wrong}`);
}

/** The problem when the CSE refuses it, in a sentence. */
async function pushOnce(
  device: Device,
  sent: DeviceRequest,
  { service, core }: WorkloadTarget,
): Promise<string | undefined> {
  const send = () => service.handle(pushRequest(device, sent, core()));
  const answer = await send();
  if (answer.status < 300) return undefined;
  if (answer.status !== 404) return `${answer.status} ${String(answer.body)}`;
  const problem = ensureTarget(device, core());
  if (problem !== undefined) return problem;
  const again = await send();
  return again.status < 300 ? undefined : `${again.status} ${String(again.body)}`;
}

function pushRequest(device: Device, { method, below = [], content }: DeviceRequest, cse: Cse): HttpRequest {
  const path = [cse.configuration.base, ...namesOf(device, cse), ...below].map(encodeURIComponent).join('/');
  const identifier = cse.services.ports.randomText(16);
  const originator = originatorOf(device, cse);
  const request = { method, target: `/${path}`, originator, identifier, content };
  return clientRequest(request, cse.configuration);
}

// Targets of simulated devices: containers into which they push, or the resources of a device of TS-0023.

type DeviceTarget = Pick<Device, 'into'> & Partial<Pick<Device, 'originator' | 'made'>>;

/** Instances in a container created here. */
const keptInstances = 1_000;

/** Names below the CSE base. */
function namesOf({ into }: DeviceTarget, { configuration }: Cse): string[] {
  const names = into.split('/').filter((name) => name !== '');
  return names[0] === configuration.base ? names.slice(1) : names;
}

/** The originator of pushes: the given one, or the AE of the target, which may not exist yet. */
function originatorOf(device: DeviceTarget, cse: Cse): string | undefined {
  if (device.originator !== undefined) return device.originator;
  const [name = ''] = namesOf(device, cse);
  const above = resourceAt([name], cse);
  if (above === undefined) return `C${name}`;
  return above.values.aei === undefined ? undefined : String(above.values.aei);
}

/** Creates missing resources of a target, from its AE down. Returns the problem when that fails. */
function ensureTarget(device: DeviceTarget, cse: Cse): string | undefined {
  const names = namesOf(device, cse);
  if (names.length < 2) return `${device.into} is no container in an AE; write AE/container`;
  const time = cse.services.ports.clock.now();
  cse.tree.expire(time);
  for (const [path, content] of requiredAt(names, device.made?.(time / 1000))) {
    const found = resourceAt(path, cse);
    const isThere = found !== undefined && path.length >= names.length;
    if (isThere && !(found.type.root in content)) return `${device.into} exists already, as ${found.type.longName}`;
    const problem = found === undefined ? create(path, content, device, cse) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The required resources of a target, by their paths. */
function requiredAt(names: readonly string[], made: SeedResource = {}): [path: readonly string[], content: object][] {
  const ancestors = names.map((rn, at): [string[], object] => [
    names.slice(0, at + 1),
    at === 0 ? { 'm2m:ae': { rn, api: `N.${rn}`, rr: false } } : { 'm2m:cnt': { rn, mni: keptInstances } },
  ]);
  const { flexContainer, children = [] } = made;
  if (flexContainer === undefined) return ancestors;
  const parts = [{ ...flexContainer, rn: names.at(-1) }, ...children.map((one) => one.flexContainer)];
  const below = parts.map((part, at): [string[], object] => [
    at === 0 ? [...names] : [...names, String(part?.rn)],
    contentOf('flexContainer', part),
  ]);
  return [...ancestors.slice(0, -1), ...below];
}

function create(names: readonly string[], content: object, device: DeviceTarget, cse: Cse): string | undefined {
  const [name = '', above] = [names.at(-1), names.slice(0, -1)];
  const from = originatorOf(device, cse);
  const to = [cse.configuration.base, ...above].join('/');
  const answer = cse.perform({ operation: 'create', to, content, ...(from !== undefined && { from }) });
  return answer.status.code < 3000 ? undefined : `${name} cannot be created: ${JSON.stringify(answer.content)}`;
}

function resourceAt(names: readonly string[], { tree, configuration }: Cse): Resource | undefined {
  return localResource([configuration.base, ...names].join('/'), tree, configuration);
}
