/** `cselab plan`: writes what a run is to check into one file, and locks it. */
import { existsSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { changesOf, type LockChange } from '../../scenarios/checking/fingerprints.ts';
import { type LockedPlan, lockOf } from '../../scenarios/checking/lock.ts';
import type { CheckOptions } from '../../scenarios/index.ts';
import { UsageError } from '../../scenarios/words.ts';
import { addFlags, command, commandOf, Flag, type Flags, toggle, valued } from '../../sim/command-line/flag.ts';
import { blank, facts, prose, type Table } from '../document/model.ts';
import { counted, groupedBy } from '../facts/wording.ts';
import { type CheckFlags, checkFlags, optionsOf } from '../flags/check-flags.ts';
import { maskOutput } from '../flags/masked-streams.ts';
import { targetFlags } from '../flags/target-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { changeText, planText, problemsOf, type ReadPlan, readPlan, withLock } from '../plan/plan-file.ts';
import { isBesidePlan, plannedFlags } from '../plan/plan-grammar.ts';
import { print, writeWhole } from '../writing/output-file.ts';

const defaultPath = 'plan.yaml';
const file = ['<file>', 'the plan'] as const;

const examples = `
A plan holds the target, what is checked of it, and how strictly: flags of \`cselab check\` as keys. \`lock\` adds a hash of every scenario,
requirement, rule and known deviation. A run of a locked plan fails where one of them is skipped, added, changed or loosened; another
version of cselab that checks the same changes nothing. No secret stands in a plan: where it is run, flags say address and credentials;
show, lock and delta take those flags of check, too.
Exit codes: 0; of show 1 where the plan is not what it is locked to, of delta 1 where something must be run again; 2 usage, or a file
that cannot be used. check --plan: those of check; 2, and nothing sent, where the plan is not what it is locked to; 4 where a scenario of
it turned out to be not applicable.

Examples:
  cselab plan new conformance/plan.yaml --target conformance/target.yaml --baseline conformance/known.yaml
  cselab plan show conformance/plan.yaml            what it checks, and whether it still matches its lock
  cselab plan lock conformance/plan.yaml            lock every case, and list what has changed
  cselab check --plan conformance/plan.yaml --url http://gw:8000   run exactly that
  cselab plan delta old.yaml conformance/plan.yaml  what must be run again`;

/** The flags of plans. Their values are copied: reading the plan checks them. */
const rawFlags = Object.fromEntries(
  [...plannedFlags(checkFlags).values()].map(({ name, options }) => [
    name,
    new Flag<unknown>(() =>
      options.map((option) => (isSwitch(option) ? option : option.argParser(collect).default(undefined))),
    ),
  ]),
);

/** How the target is reached, as for `check --plan`: much depends on a certificate. */
const accessFlags: Flags = Object.fromEntries(
  Object.values<Flags>(targetFlags)
    .flatMap((flags) => Object.entries(flags))
    .filter(([name]) => isBesidePlan(name))
    .map(([name, flag]) => [name, name === 'url' ? flag : flag.hidden()]),
);

const collect = (one: string, former: string[] = []) => [...former, one];
const isSwitch = (option: Option) => option.negate || option.isBoolean();

export const define = commandOf('one file for what a run checks: write it, show it, lock it, compare two', examples, {
  new: command({
    help: 'write a plan of flags of cselab check',
    args: [
      ['[file]', `the plan (default: ${defaultPath})`],
      ['[ids...]', 'what is checked; everything when there is none'],
    ],
    flags: {
      'What is written:': {
        target: valued('<file>', 'a file that describes the target, or the name of a product that cselab knows'),
        force: toggle('replace a file that exists'),
      },
      'As of cselab check:': rawFlags,
    },
    async run(path = defaultPath, ids, input) {
      if (existsSync(path) && input.force !== true)
        throw new UsageError(`there is a ${path} already; --force replaces it`);
      const planFlags = [...plannedFlags(checkFlags)].flatMap(([key, { name, options }]) => {
        const isDefault = input[name] === true && options.every(({ negate }) => negate);
        return input[name] === undefined || isDefault ? [] : [[key, input[name]] as const];
      });
      const target = input.target === undefined ? {} : { target: String(input.target) };
      const text = planText(path, { ...target, ids, flags: planFlags });
      readPlan(path, text);
      await writeWhole(path, text);
      print(`written  ${path}`, `Next:  cselab plan lock ${path}`);
    },
  }),
  show: command({
    help: 'show what a plan checks, and whether it still matches its lock',
    args: [file],
    flags: { '': accessFlags },
    async run(path, overrides) {
      const plan = readPlan(path);
      const locked = await lockOf(optionsAt(plan, overrides));
      const problems = problemsOf(plan, locked);
      const { configuration, claims, baseline, scenarios } = locked.lock;
      const byReason = groupedBy(locked.skipped, ({ reason }) => reason);
      const settings = [...Object.entries(configuration), ...Object.entries(claims)];
      printContent([
        prose(path),
        facts(
          ['target', targetLabel(plan)],
          ...settings.map(([name, value]) => [name, value] as const),
          ['checked', counted(Object.keys(scenarios).length, 'scenario')],
          ['excused', counted(Object.keys(baseline).length, 'known deviation')],
        ),
        blank,
        requirementTable(locked),
        [...byReason].map(([reason, own]) => prose(`${counted(own.length, 'scenario')} not checked: ${reason}`)),
        lockStatus(plan, problems),
        problems.map(({ line, message }) => prose(message, `  ${line}: `)),
      ]);
      return problems.length > 0 ? 1 : 0;
    },
  }),
  lock: command({
    help: 'lock all that a plan checks now, and list what has changed',
    args: [file],
    flags: { '': accessFlags },
    async run(path, overrides) {
      const plan = readPlan(path);
      const locked = await lockOf(optionsAt(plan, overrides));
      const { cselab, scenarios, requirements } = locked.lock;
      const contents = `${counted(Object.keys(scenarios).length, 'scenario')}, ${counted(Object.keys(requirements).length, 'requirement')}`;
      const changes = plan.lock === undefined ? [] : changesOf(plan.lock, locked.lock);
      await writeWhole(path, withLock(plan.text, locked.lock));
      printContent([
        prose(`${path}: locked to ${contents} of cselab ${cselab}`),
        plan.lock !== undefined &&
          `${counted(changes.length, 'change')} since it was locked with cselab ${plan.lock.cselab}`,
        changes.map((one) => prose(changeText(one, locked), '  ')),
      ]);
    },
  }),
  delta: command({
    help: 'list what must be run again after a change',
    args: [
      ['<old>', 'a locked plan'],
      ['<new>', 'another; without a lock as it is now'],
    ],
    flags: { '': accessFlags },
    async run(old, now, overrides) {
      const before = readPlan(old).lock;
      if (before === undefined) throw new UsageError(`${old} is not locked: cselab plan lock ${old}`);
      const plan = readPlan(now);
      const changes = changesOf(before, plan.lock ?? (await lockOf(optionsAt(plan, overrides))).lock);
      const [again, others] = [changes.filter(needsRerun), changes.filter((one) => !needsRerun(one))];
      printContent([
        again.length === 0 ? 'Nothing must be run again.' : 'To be run again:',
        again.map((one) => prose(changeText(one), '  ')),
        others.length > 0 && 'Beside that:',
        others.map((one) => prose(changeText(one), '  ')),
      ]);
      return again.length > 0 ? 1 : 0;
    },
  }),
});

/** As for `check --plan`, with the flags beside it. */
function optionsAt({ ids, flags }: ReadPlan, overrides: object): CheckOptions {
  const defaults = addFlags(new Command(), checkFlags).opts<CheckFlags>();
  return optionsOf(ids, { ...defaults, ...flags, ...overrides }, maskOutput([]));
}

function targetLabel({ flags: { target, url } }: ReadPlan): string {
  const parts = [target, url].filter((one) => one !== undefined).map(String);
  return parts.join(' at ') || 'the embedded reference CSE';
}

function lockStatus({ path, lock }: ReadPlan, problems: readonly unknown[]): string {
  if (lock === undefined) return `Not locked. cselab plan lock ${path} writes down all of it.`;
  const fits = problems.length === 0 ? 'and is what it was locked to.' : 'and is something else now:';
  return `Locked with cselab ${lock.cselab}, ${fits}`;
}

/** Requirements by area and level. */
function requirementTable({ requirements }: LockedPlan): Table {
  const levels = [...new Set(requirements.map(({ level }) => level))];
  const row = (id: string, of: LockedPlan['requirements']) => ({
    id,
    cells: levels.map((level) => ({ text: String(of.filter((one) => one.level === level).length || '-') })),
  });
  const areas = [...groupedBy(requirements, ({ section }) => section)].map(([section, of]) => row(section, of));
  const columns = levels.map((name) => ({ name }));
  return { kind: 'table', caption: 'Requirements', columns, groups: [{ rows: [...areas, row('all', requirements)] }] };
}

/** Whether a run by the former plan covers too little of the new one. */
function needsRerun({ part, kind }: LockChange): boolean {
  if (part === 'baseline') return kind !== 'added';
  return part === 'configuration' || (part !== 'claims' && kind !== 'gone');
}
