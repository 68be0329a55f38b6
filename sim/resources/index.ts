/** The kinds that the CSE knows. */
import type { ResourceType } from '../core/resource-type.ts';
import { ae } from './ae.ts';
import { container } from './container.ts';
import { contentInstance } from './content-instance.ts';
import { cseBase } from './cse-base.ts';
import { remoteCse } from './remote-cse.ts';

export const kinds: readonly ResourceType[] = [cseBase, ae, container, contentInstance, remoteCse];
