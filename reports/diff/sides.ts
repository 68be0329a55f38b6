import { UsageError } from '../../scenarios/words.ts';
import { written } from '../../sim/command-line/flag.ts';
import type { RestartFlags, SafetyFlags } from '../flags/safety-flags.ts';
import type { TargetFlags } from '../flags/target-flags.ts';

/** A flag of the command line, in its order. */
export interface OrderedFlag {
  /** Such as `url`. */
  readonly name: string;
  readonly value: unknown;
}

/** The flags of `check` for one of the targets. */
export interface SideFlags extends TargetFlags, RestartFlags, Pick<SafetyFlags, 'ledger'> {
  deviations?: readonly string[];
}

interface SideOptions {
  /** Whether the target file, or the product, of that name has a URL. Throws where it cannot be read. */
  readonly hasUrl: (target: string) => boolean;
  readonly deviations: readonly string[];
}

/** Flags of the run, not of a target. */
const runFlags: ReadonlySet<string> = new Set(['readOnly']);

/** The two targets of a command line. Throws UsageError for another number of them, and for ambiguous flags. */
export function sidesOf(flags: readonly OrderedFlag[], { hasUrl, deviations }: SideOptions): [SideFlags, SideFlags] {
  const sides = targetsIn(flags, hasUrl);
  if (sides.length === 0 && deviations.length > 0) sides.push({ inProcess: true });
  if (sides.length === 1) sides.push({ inProcess: true });
  const [a, b, ...more] = sides;
  if (a === undefined || b === undefined) throw new UsageError('name two targets, by --url, --target or --in-process');
  if (more.length > 0) throw new UsageError(`diff compares two targets, not ${sides.length}`);
  const values = valuesOf(flags);
  const deviatingSide = [a, b].find(({ inProcess }) => inProcess);
  if (deviations.length > 0 && deviatingSide === undefined)
    throw new UsageError('--deviation goes with the reference CSE, in process');
  const complete = (side: SideFlags, at: 0 | 1): SideFlags => ({
    ...(side.inProcess && sides.some(({ inProcess }) => !inProcess) ? {} : sideOf(values, at)),
    ...side,
    ...(side === deviatingSide && deviations.length > 0 && { deviations }),
  });
  return [complete(a, 0), complete(b, 1)];
}

/** Each --url, --target and --in-process names a target; a --url gives a target file its address where it has none. */
function targetsIn(flags: readonly OrderedFlag[], hasUrl: SideOptions['hasUrl']): SideFlags[] {
  const sides: SideFlags[] = [];
  for (const { name, value } of flags) {
    const last = sides.at(-1);
    if (name === 'inProcess') sides.push({ inProcess: true });
    if (name === 'target') sides.push({ target: String(value) });
    if (name !== 'url') continue;
    const url = String(value);
    if (last?.target !== undefined && last.url === undefined && !hasUrl(last.target)) last.url = url;
    else sides.push({ url });
  }
  return sides;
}

type ValuesByFlag = ReadonlyMap<string, readonly unknown[]>;

/** The values of each flag of targets. Throws UsageError for more than two. */
function valuesOf(flags: readonly OrderedFlag[]): ValuesByFlag {
  const byName = new Map<string, unknown[]>();
  for (const { name, value } of flags) {
    if (targetingFlags.has(name) || runFlags.has(name)) continue;
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  for (const [name, values] of byName) {
    if (values.length > 2 && name !== 'header')
      throw new UsageError(`${written(name)} is given ${values.length} times`);
  }
  return byName;
}

const targetingFlags: ReadonlySet<string> = new Set(['url', 'target', 'inProcess']);

function sideOf(flags: ValuesByFlag, at: 0 | 1): SideFlags {
  const entries = [...flags].map(([name, values]) => [
    name,
    name === 'header' ? values : values.length === 1 ? values[0] : values[at],
  ]);
  return Object.fromEntries(entries) as SideFlags;
}
