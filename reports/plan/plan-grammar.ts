/** The grammar of plan files: flags of `cselab check` as keys, besides target and lock. */
import type { Option } from 'commander';
import { z } from 'zod';
import { Lock } from '../../scenarios/checking/fingerprints.ts';
import { TargetFile } from '../../scenarios/target-files/target-file.ts';
import { UsageError } from '../../scenarios/words.ts';
import { type Flag, type FlagGroups, isRepeatable, written } from '../../sim/command-line/flag.ts';

/**
 * The flags of plans. None can contain a secret, or run a command: other settings of the target are in its target file, or given
 * where the plan is run.
 */
const inPlan = [
  'url base cseId spId originator admin dialect release serialization accessControl requireCert inboxHost waitForTarget waitBudget',
  'backendUrl backendBase backendCseId asBackend asBackendInterface asBackendLabel backendWait',
  'rate connections lifetime readOnly risky level tag excludeTag scenarios rules baseline minEvidence profile failOn',
  'jobs timeout maxFail again',
].flatMap((names) => names.split(' '));

/** Flags beside a plan, which do not change what is checked: reach, credentials, politeness and reports. */
const besidePlan = new Set(
  [
    'plan url base cseId spId originator admin inboxHost waitForTarget backendUrl backendBase backendCseId',
    'asBackendInterface backendWait cert key certType cacert insecure header certs container port env',
    'rate connections lifetime ledger list dryRun jobs timeout answers restartCommand report out secret color package signKey verbose',
  ].flatMap((names) => names.split(' ')),
);

export const isBesidePlan = (name: string): boolean => besidePlan.has(name);

/** Throws a UsageError for the first of these flags that would change what a plan checks. */
export function refuseBesidePlan(names: readonly string[]): void {
  const name = names.find((one) => !isBesidePlan(one));
  if (name !== undefined)
    throw new UsageError(`${written(name)} and a plan exclude each other: write it into the plan, and lock that again`);
}

export interface PlannedFlag {
  readonly name: string;
  /** The flag on the command line: two, if there is a `--no-` form. */
  readonly options: readonly Option[];
}

/** Of a table of flags, by their keys in a plan. */
export function plannedFlags(groups: FlagGroups): ReadonlyMap<string, PlannedFlag> {
  const all = new Map<string, Flag<unknown>>(Object.values(groups).flatMap((flags) => Object.entries(flags)));
  const planned = inPlan.map((name) => ({ name, options: all.get(name)?.options(name) ?? [] }));
  return new Map(planned.map((one) => [written(one.name).slice(2), one]));
}

/** Rules may be of a package, and a profile may be a known name. */
export const isPath = ({ flags }: Option): boolean => /<file>|^--profile /.test(flags);

const Text = z.string().regex(/\S/, 'a text that is not empty is needed');
const Texts = z.union([Text, z.array(Text).min(1)]);

const known = {
  about: z.string().describe('For people.').optional(),
  target: z
    .union([
      Text.describe('A target file, relative to this file, or the name of a product that cselab knows.'),
      TargetFile,
    ])
    .describe('What is checked; the embedded reference CSE where neither this nor url says another.')
    .optional(),
  ids: Texts.describe(
    'As the arguments of `cselab check`; files are relative to this one. Default: everything.',
  ).optional(),
};
const lock = Lock.describe(
  'Written by `cselab plan lock`: a run of the plan fails where it would check anything else.',
).optional();

export type PlanFile = z.infer<z.ZodObject<typeof known & { lock: typeof lock }>>;

export function planGrammar(groups: FlagGroups): z.ZodType<PlanFile> {
  const flags = [...plannedFlags(groups)].map(([key, { options }]) => [key, grammarOf(options)] as const);
  return z
    .strictObject({ ...known, ...Object.fromEntries(flags), lock })
    .meta({ title: 'cselab plan', description: 'What `cselab check --plan` checks, and how.' });
}

function grammarOf(options: readonly Option[]): z.ZodType {
  const says = options.find(({ negate }) => !negate) ?? options[0];
  const [first, ...others] = [...new Set(options.map((option) => schemaOf(option, options)))];
  if (first === undefined) throw new TypeError('a flag has an option');
  return (others.length === 0 ? first : z.union([first, ...others])).describe(says?.description ?? '').optional();
}

const Scalar = z.union([Text, z.number()]);
const [Switch, Off] = [z.boolean(), z.literal(false)];

function schemaOf(option: Option, all: readonly Option[]): z.ZodType {
  const isSwitch = (one: Option) => one.negate || one.isBoolean();
  if (isSwitch(option)) return all.every(isSwitch) ? Switch : Off;
  if (option.argChoices !== undefined) return z.enum(option.argChoices);
  return isRepeatable(option) ? Texts : Scalar;
}
