/** The command line: the commands, by the headings of the help. */
import { readFileSync } from 'node:fs';
import type { Commands } from './reports/commands/main.ts';

// A reader that goes away early, such as `| head`, is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

function version(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const commands: Commands = {
  'For gateway builders, and their build servers:': {
    init: ['write a target file, a first scenario, a plan and a workflow', () => import('./reports/commands/init.ts')],
    check: ['check every requirement of the interface at a CSE', () => import('./reports/commands/check.ts')],
    plan: ['write what is checked into one file, and lock it', () => import('./reports/commands/plan.ts')],
    baseline: [
      'keep a list of known deviations, so that only new ones fail',
      () => import('./reports/commands/baseline.ts'),
    ],
    show: ['list the failures of a report, or show one in full', () => import('./reports/commands/show.ts')],
    explain: [
      'explain one requirement, with examples of right and wrong',
      () => import('./reports/commands/explain.ts'),
    ],
    replay: ['send the scenario of a failure again', () => import('./reports/commands/replay.ts')],
    explore: [
      'try generated sequences of requests, and shrink what fails',
      () => import('./reports/commands/explore.ts'),
    ],
    merge: ['merge the reports of the shards of a run', () => import('./reports/commands/merge.ts')],
    verify: [
      'find out whether an evidence package was changed, and check it again',
      () => import('./reports/commands/verify.ts'),
    ],
    compare: ['compare reports: several targets, or two runs', () => import('./reports/commands/compare.ts')],
    rule: ["begin a file of your own team's requirements and rules", () => import('./reports/commands/rule.ts')],
    lint: [
      'look for mistakes in scenario, target, baseline and plan files',
      () => import('./reports/commands/lint.ts'),
    ],
  },
  'For integrators, at a gateway that is live:': {
    doctor: ['find out what is wrong with a set-up before a run', () => import('./reports/commands/doctor.ts')],
    probe: [
      'find out what a CSE is and can do, and write its target file',
      () => import('./reports/commands/probe.ts'),
    ],
    claims: ['write what a CSE claims as a form of TS-0017, or read it', () => import('./reports/commands/claims.ts')],
    diff: ['find where two CSEs answer the same requests differently', () => import('./reports/commands/diff.ts')],
    judge: ['check recorded traffic, and send nothing', () => import('./reports/commands/judge.ts')],
    record: ['record what an application sends as a scenario file', () => import('./reports/commands/record.ts')],
    mcp: ['offer probe, check, explain and simulations to agents', () => import('./reports/commands/mcp.ts')],
    cleanup: ['remove what interrupted runs have left at live targets', () => import('./reports/commands/cleanup.ts')],
  },
  'For application developers:': {
    up: ['start a gateway and a backend to develop against', () => import('./sim/up/up-command.ts')],
    profile: ['make a product profile from the report of a live run', () => import('./reports/commands/profile.ts')],
    spec: ['write the interface as OpenAPI or AsyncAPI', () => import('./sim/spec/spec-command.ts')],
    certs: ['make certificates for a laboratory, and look at others', () => import('./certs/certs-command.ts')],
  },
  'About the harness:': {
    list: ['list every requirement, and how many scenarios check it', () => import('./reports/commands/list.ts')],
    mutants: ['measure which deviations of a CSE the harness detects', () => import('./reports/commands/mutants.ts')],
  },
};

const [first, ...others] = process.argv.slice(2);
// Scripts ask for it often: nothing is loaded for that.
if (others.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${version()}\n`);
else {
  const { main } = await import('./reports/commands/main.ts');
  const code = await main(process.argv.slice(2), commands, version());
  if (code !== 0) process.exitCode = code;
}
