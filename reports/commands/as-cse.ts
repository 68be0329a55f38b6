/** `cselab check --as-cse`: acts as the CSE of applications, and checks them. */
import { spawn } from 'node:child_process';
import type { CheckApplicationsOptions } from '../../scenarios/applications/check-applications.ts';
import { defined } from '../../scenarios/words.ts';
import type { AsCseFlags } from '../flags/check-flags.ts';
import { maskOutput } from '../flags/masked-streams.ts';
import { reportEvents, reportRun } from '../formats/reporter.ts';
import { io } from '../writing/io.ts';
import { say } from '../writing/output-file.ts';
import { endedAfter, interruptible } from '../writing/progress.ts';

/** `command`: the application, started once the CSE listens; the run ends with it. */
export async function checkAsCse(port: number, command: readonly string[], flags: AsCseFlags): Promise<number> {
  const { checkApplications } = await import('../../scenarios/applications/check-applications.ts');
  const redactor = maskOutput(flags.secret ?? []);
  const ending = new AbortController();
  let stopApplication = () => {};
  const { duration } = flags;
  const onListening: CheckApplicationsOptions['onListening'] = ({ url, base }) => {
    say(`listening as the CSE at ${url}/${base}${command.length === 0 ? '; Ctrl-C ends it' : ''}`);
    stopApplication = startApplication(command, url, ending);
  };
  const run = (signal: AbortSignal) => {
    const ended = AbortSignal.any([signal, ending.signal]);
    const until = duration === undefined ? ended : endedAfter(duration, ended);
    return checkApplications({ ...optionsOf(port, flags), until, secrets: redactor.secrets, onListening });
  };
  return reportRun(flags, (reporters) =>
    interruptible((signal) => reportEvents(run(signal), reporters)).finally(() => stopApplication()),
  );
}

function optionsOf(port: number, flags: AsCseFlags): Omit<CheckApplicationsOptions, 'until'> {
  const { dialect = 'documented', release, base, cseId, spId, admin, requests, asCseInterface, baseline } = flags;
  const { failOn, minEvidence } = flags;
  return {
    ...{ port, dialect, strictness: defined({ failOn, minEvidence }) },
    ...defined({ release, base, cseId, spId, admin, requests, interface: asCseInterface }),
    ...(baseline !== undefined && { baseline: { file: baseline } }),
  };
}

/** Starts the user's command, if any, with the CSE's URL as CSELAB_URL; what it returns stops it. Its output goes to standard error. */
function startApplication([program, ...args]: readonly string[], url: string, ending: AbortController): () => void {
  if (program === undefined) return () => {};
  const end = (says?: string) => {
    if (says !== undefined && !ending.signal.aborted) say(says);
    ending.abort();
  };
  const env = { ...io().env, CSELAB_URL: url };
  const child = spawn(program, args, { stdio: ['inherit', process.stderr, 'inherit'], env });
  child.once('error', (error) => end(`${program} cannot be run: ${error.message}`));
  child.once('exit', (code, by) => {
    end(code === 0 ? undefined : `${program} ended ${code === null ? `by ${by}` : `with exit code ${code}`}`);
  });
  return () => {
    child.removeAllListeners('exit');
    child.kill();
  };
}
