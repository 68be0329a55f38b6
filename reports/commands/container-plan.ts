/** What `--container` starts: the image and its settings, from flags and target file. */

import { type ReadTarget, readTargetFile, targetFilePath } from '../../scenarios/results.ts';
import { defined, UsageError } from '../../scenarios/words.ts';
import { mustGoWith } from '../flags/chosen-target.ts';
import type { ContainerFlags, TargetFlags } from '../flags/target-flags.ts';
import { type Io, io } from '../writing/io.ts';
import { say } from '../writing/output-file.ts';

export interface ContainerPlan {
  readonly image: string;
  /** In the container. */
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly scheme: 'http' | 'https';
  /** Whether the target is to reach this machine as host.docker.internal, for lack of another address. */
  readonly notifiesHost: boolean;
}

type Flags = ContainerFlags & TargetFlags;

/** Undefined without `--container`. Throws UsageError for flags that do not go together, or a missing image or port. */
export function containerPlan(flags: Flags, environment: Io['env'] = io().env): ContainerPlan | undefined {
  const { container, env = [], target } = flags;
  refuseConflicts(flags);
  if (container === undefined) return undefined;
  const file = target === undefined ? undefined : readTargetFile(targetFilePath(target)).file;
  const { container: settings = {} } = file ?? {};
  const image = container === true ? settings.image : container;
  const port = flags.port ?? settings.port;
  if (image === undefined) {
    const whose = file === undefined ? 'there is no --target' : `the target file of ${file.product} names none`;
    throw new UsageError(`--container needs an image: ${whose}`);
  }
  if (port === undefined) throw new UsageError('--container needs --port: where the CSE listens in it');
  return {
    image,
    port,
    env: { ...settings.env, ...Object.fromEntries(env.map((text) => variable(text, environment))) },
    scheme: speaksTls(flags, file) ? 'https' : 'http',
    notifiesHost: flags.inboxHost === undefined && file?.notifications === undefined,
  };
}

function refuseConflicts({ container, port, env, url, inProcess }: Flags): void {
  if (container === undefined) {
    return void mustGoWith('--container', Object.keys(defined({ port, env })));
  }
  if (url !== undefined) throw new UsageError('--container and --url exclude each other');
  if (inProcess) throw new UsageError('--container and --in-process exclude each other');
}

/** The same flags, for the CSE at that URL. */
export function flagsAt<F extends Flags>(flags: F, url: string, { notifiesHost }: ContainerPlan): F {
  const result = { ...flags, url, ...(notifiesHost && { inboxHost: 'host.docker.internal' }) };
  for (const name of ['container', 'port', 'env'] as const) delete result[name];
  return result;
}

function variable(text: string, environment: Io['env']): readonly [string, string] {
  const [name = '', ...value] = text.split('=');
  if (text.includes('=')) return [name, value.join('=')];
  const here = environment[name];
  if (here === undefined) throw new UsageError(`--env ${name}: the environment has no variable ${name}`);
  return [name, here];
}

/** If the target file's URL is https, or anything configures TLS. */
function speaksTls(flags: Flags, file: ReadTarget['file'] | undefined): boolean {
  const { cert, cacert, insecure, certs, requireCert } = flags;
  const hasTlsFlag = [cert, cacert, insecure, certs, requireCert].some((flag) => flag !== undefined && flag !== false);
  return hasTlsFlag || file?.tls !== undefined || file?.url?.startsWith('https:') === true;
}

/**
 * Without `--container` just the run. Rejects with a UsageError as `containerPlan` and `startTarget` do; a container that does not
 * start is reported on stderr with exit code 3, as an unreachable target is.
 */
export async function withContainer<F extends Flags & { readonly dryRun?: true; readonly list?: unknown }>(
  flags: F,
  run: (flags: F) => Promise<number>,
): Promise<number> {
  const plan = containerPlan(flags);
  if (plan === undefined) return run(flags);
  // If nothing is sent, no container is needed.
  if (flags.dryRun || flags.list !== undefined)
    return run(flagsAt(flags, `${plan.scheme}://127.0.0.1:${plan.port}`, plan));
  const { startTarget } = await import('./container-target.ts');
  io().stderr.write(`starting a container of ${plan.image} ...\n`);
  const target = await startTarget(plan).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'ContainerStartError')) throw error;
    say(error.message);
  });
  if (target === undefined) return 3;
  io().stderr.write(`it answers at ${target.url}\n`);
  try {
    return await run(flagsAt(flags, target.url, plan));
  } finally {
    await target.stop();
  }
}
