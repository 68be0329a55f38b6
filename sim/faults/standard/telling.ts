import type { Fault } from '../fault.ts';
import { pollingChannels } from './polling-channels.ts';

export const standardTelling: readonly Fault[] = [...pollingChannels];
