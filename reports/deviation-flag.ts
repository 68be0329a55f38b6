import { type Command, Option } from 'commander';

/** For options that may be given several times. */
export const collect = (one: string, former: string[] = []): string[] => [...former, one];

/** What `--deviation <id>` was called before: it is taken for one version. */
export const formerFault = (): Option => new Option('--fault <id>').argParser(collect).hideHelp();

/** Before the action: its values are those of `--deviation`, and a hint is given. */
export function takeFormerFault(command: Command): void {
  const { fault, deviation = [] } = command.opts<{ fault?: string[]; deviation?: string[] }>();
  if (fault === undefined) return;
  console.error('cselab: --fault is called --deviation now, and goes with the next version');
  command.setOptionValue('deviation', [...fault, ...deviation]);
}
