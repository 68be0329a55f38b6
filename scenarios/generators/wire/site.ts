import { UsageError } from '../../engine/files/diagnostics.ts';
import type { HeaderList } from '../../engine/targets/target.ts';
import {
  type MainInstallation,
  type OpeningOptions,
  openMain,
  type Unreachable,
  unlessUnknown,
} from '../main-installation.ts';

/** A target with a socket. */
export interface Site extends MainInstallation {
  /** Sent with every request. */
  readonly headers: HeaderList;
}

/** The reference CSE listens at a loopback port. Rejects with a UsageError for what cannot be used. */
export async function openSite(options: Omit<OpeningOptions, 'connections'>): Promise<Site | Unreachable> {
  const { target } = options;
  if (target.kind === 'fetch') throw new UsageError('malformed bytes need a socket, and a function has none');
  const listening = target.kind === 'in-process' ? ({ ...target, kind: 'embedded' } as const) : target;
  const main = await unlessUnknown(openMain({ ...options, target: listening, connections: 1 }));
  return 'unreachable' in main ? main : { ...main, headers: (target.kind === 'url' && target.headers) || [] };
}
