import { shellWord } from '../engine/messages/shell.ts';
import type { ExploreOptions } from './explore.ts';

export type Asked = Pick<ExploreOptions, 'target' | 'dialect' | 'pair' | 'level' | 'focus'> & {
  readonly concurrency?: number;
};

/** The command that explores as it was asked to, so that a seed and a path show the same again; without where the target is. */
export function commandOf({ target, dialect, pair, concurrency, level, focus = [] }: Asked): string {
  const faults = 'faults' in target ? (target.faults ?? []) : [];
  return [
    'cselab explore',
    ...(dialect === 'onem2m' ? ['--dialect onem2m'] : []),
    ...(pair ? ['--pair'] : []),
    ...(concurrency === undefined ? [] : [`--concurrency ${concurrency}`]),
    ...(level === 'gap' ? ['--level gap'] : []),
    ...(focus.length === 0 ? [] : ['--focus', ...focus.map(shellWord)]),
    ...faults.map((fault) => `--deviation ${shellWord(fault)}`),
  ].join(' ');
}
