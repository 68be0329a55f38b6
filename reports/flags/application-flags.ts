/** The flags of `cselab check` for checking applications as their CSE. */
import { defined, type Failure, UsageError } from '../../scenarios/words.ts';
import { type FlagValues, portNumber, positive, time, valued, written } from '../../sim/command-line/flag.ts';
import { mustGoWith } from './chosen-target.ts';
import type { reportFlags } from './common-flags.ts';
import type { TargetFlags } from './target-flags.ts';

export const asCseFlags = {
  asCse: valued('<port>', 'be the CSE of applications at this port, 0 for a free one, and check them').reading(
    portNumber,
  ),
  asCseInterface: valued('<address>', 'where to listen for that (default: 127.0.0.1)'),
  duration: time('with --as-cse: for how long (default: until Ctrl-C, or the end of the command after --)'),
  requests: positive('with --as-cse: end after so many requests'),
};

export type AsCseFlags = FlagValues<typeof asCseFlags> &
  Pick<TargetFlags, 'dialect' | 'release' | 'base' | 'cseId' | 'spId' | 'admin'> &
  FlagValues<typeof reportFlags> & {
    readonly baseline?: string;
    readonly failOn: readonly Failure[];
    readonly minEvidence?: number;
    readonly verbose?: true;
  };

/** The port for applications; undefined if a CSE is checked. Throws a UsageError for flags that do not go together. */
export function asCsePort(flags: FlagValues<typeof asCseFlags>): number | undefined {
  const names = Object.keys(defined(flags));
  const { asCse: port } = flags;
  if (port === undefined) {
    mustGoWith(
      '--as-cse',
      Object.keys(asCseFlags).filter((name) => names.includes(name)),
    );
    return undefined;
  }
  const [other] = cseOnlyFlags.filter((name) => names.includes(name));
  if (other !== undefined) throw new UsageError(`--as-cse and ${written(other)} exclude each other`);
  return port;
}

/** Flags about a CSE that is checked. */
const cseOnlyFlags = 'url target inProcess container asBackend watch list dryRun shard tag package signKey'.split(' ');
