/** Whether reports can be merged, and which parts of a divided plan are missing. */
import { type RunResult, type Shard, UsageError } from '../../scenarios/words.ts';

/** A report with its path. */
export interface ReadReport<Result> {
  readonly path: string;
  readonly result: Result;
}

export type NamedReport = ReadReport<RunResult>;
/** A result that may be a part of a run. */
export type NamedPart = ReadReport<{ readonly shard?: Shard }>;

/** What must be the same in all of them, as readable text. */
const sameInAll: Readonly<Record<string, (result: RunResult) => string>> = {
  'version of cselab': ({ tool }) => tool.version,
  specification: ({ specification }) => specification,
  dialect: ({ dialect }) => dialect,
  target: targetOf,
  strictness: ({ strictness: { level, failOn, minEvidence } }) =>
    `--level ${level} --fail-on ${failOn.join(',') || 'none'} --min-evidence ${minEvidence}`,
  'statement of the target': ({ ics = [] }) => ics.map(({ id, claim }) => `${id} ${claim}`).join(', '),
  baseline: ({ baseline }) => baseline?.file ?? 'none',
  profile: ({ profile }) => profile?.name ?? 'none',
};

/** Throws UsageError for reports that cannot be of a single run. */
export function mustFit(reports: readonly NamedReport[]): void {
  const isDivided = reports.some(({ result }) => result.shard !== undefined);
  if (isDivided) mustBeShards(reports);
  mustAgree(reports, sameInAll);
  if (!isDivided) return;
  const [first, ...others] = reports;
  for (const { path, result } of others) {
    const both = `${first?.path} and ${path}`;
    if (result.shard?.division !== first?.result.shard?.division)
      throw doNotFit(`${both} are parts of plans that were chosen or divided differently`);
    if (idsOf(result.requirements) !== idsOf(first?.result.requirements))
      throw doNotFit(`${both} checked other requirements`);
  }
  mustShareNothing(reports);
}

const idsOf = (requirements: RunResult['requirements'] = []): string => requirements.map(({ id }) => id).join();

/** The first result. Throws UsageError for no reports, and for those that differ in what must be the same. */
export function mustAgree<Result>(
  reports: readonly ReadReport<Result>[],
  inAll: Readonly<Record<string, (result: Result) => string>>,
): Result {
  const [first, ...others] = reports;
  if (first === undefined) throw new UsageError('there is nothing to merge');
  for (const other of others) {
    for (const [what, textOf] of Object.entries(inAll)) {
      const [one, two] = [textOf(first.result), textOf(other.result)];
      if (one !== two) throw doNotFit(`${what}: ${first.path} has "${one}", ${other.path} has "${two}"`);
    }
  }
  return first.result;
}

const doNotFit = (why: string): UsageError => new UsageError(`these reports do not fit together; ${why}`);

/** The embedded CSE has a new address in each run; parts of a plan have one address, other runs one CSE. */
function targetOf({ target, shard }: RunResult): string {
  const { kind, url, base, cseId, spId, product, version } = target;
  const address = shard !== undefined && kind === 'url' ? url : '';
  const productText = [product, version].filter((part) => part !== undefined).join(' ');
  return [kind, address, `${cseId} of ${spId}`, `base ${base}`, productText].filter((part) => part !== '').join(', ');
}

/** Throws UsageError unless they are different parts of one run. */
export function mustBeShards(reports: readonly NamedPart[]): void {
  const [first] = reports;
  const seen = new Map<number, string>();
  for (const { path, result } of reports) {
    const { shard } = result;
    if (shard === undefined) throw doNotFit(`${path} is a whole run, and others are shards`);
    if (shard.count !== first?.result.shard?.count) {
      throw doNotFit(`${first?.path} is one of ${first?.result.shard?.count} shards, ${path} one of ${shard.count}`);
    }
    const other = seen.get(shard.index);
    if (other !== undefined) throw doNotFit(`${other} and ${path} are both shard ${shard.index}`);
    seen.set(shard.index, path);
  }
}

/** Parts of one plan have no scenario in common. */
function mustShareNothing(reports: readonly NamedReport[]): void {
  const seen = new Map<string, string>();
  for (const { path, result } of reports) {
    for (const { id } of result.scenarios) {
      const other = seen.get(id);
      if (other !== undefined) {
        throw doNotFit(`${id} is in ${other} and in ${path}: the plan was divided by other --durations, or other ids`);
      }
      seen.set(id, path);
    }
  }
}

/** The missing parts of a run, such as `shard 2 of 3 is missing`; undefined if there are none. */
export function missingShards(reports: readonly NamedPart[]): string | undefined {
  const count = reports[0]?.result.shard?.count ?? 0;
  const present = new Set(reports.map(({ result }) => result.shard?.index));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !present.has(index));
  const [noun, are] = missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  return missing.length === 0 ? undefined : `${noun} ${missing.join(', ')} of ${count} ${are} missing`;
}
