import { shellWord } from '../../engine/messages/display.ts';
import { isWritten } from '../../engine/targets/embedded/reference-cse.ts';
import type { ExploreOptions } from './explore-options.ts';

export type CommandOptions = Pick<ExploreOptions, 'target' | 'dialect' | 'pair' | 'level' | 'focus' | 'except'> & {
  readonly concurrency?: number;
  readonly wire?: boolean;
};

/** The command of this exploration, so that a seed and a path show the same again; of the target only the URL, without a password. */
export function commandOf({ target, dialect, pair, concurrency, wire, level, ...about }: CommandOptions): string {
  const { focus = [], except = [] } = about;
  const deviations = 'deviations' in target ? (target.deviations ?? []).filter(isWritten) : [];
  return [
    `cselab explore${wire ? ' --wire' : ''}`,
    ...(target.kind === 'url' ? [`--url ${shellWord(withoutPassword(target.url))}`] : []),
    ...(dialect === 'onem2m' ? ['--dialect onem2m'] : []),
    ...(pair ? ['--pair'] : []),
    ...(concurrency === undefined ? [] : [`--concurrency ${concurrency}`]),
    ...(level === 'gap' ? ['--level gap'] : []),
    ...(focus.length === 0 ? [] : ['--focus', ...focus.map(shellWord)]),
    ...(except.length === 0 ? [] : ['--except', ...except.map(shellWord)]),
    ...deviations.map((id) => `--deviation ${shellWord(id)}`),
  ].join(' ');
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  return url.username === '' && url.password === '' ? text : text.replace(/\/\/.*@/s, '//');
}
