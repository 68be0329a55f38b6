import { literally } from '../../model/expected.ts';
import type { StandardModel } from './model.ts';
import type { Asker } from './resource.ts';

/** An AE-ID-Stem that nobody else has (TS-0001 7.2). */
export function originatorOf(asker: Asker, label: string): string {
  return `C${label}-${asker}`;
}

/** How an answer may write it: CSE-relative, SP-relative or absolute. */
export function originatorPattern(asker: Asker, { names }: StandardModel): string {
  return `(^|/)${literally(originatorOf(asker, names.label))}$`;
}
