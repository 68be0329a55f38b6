/** Shell lines that reproduce a failure, with new names: those of the run are used up, and its resources are gone. */
import type { Exchange, RunResult, ScenarioResult } from '../../scenarios/words.ts';
import { type CheckEvidence, failureId } from './evidence.ts';

type Run = Pick<RunResult, 'run' | 'startedAt' | 'target'>;

/**
 * Lines for sh, one for each request: those before the failed one create its resources under new names. If a request needs a value
 * of an earlier answer, time or a notification, or the target was embedded: the command that replays the scenario.
 */
export function shellLines(result: Run, evidence: CheckEvidence): string[] {
  const { exchange } = evidence.step;
  // The requests before it may be those of a whole day.
  const isRecorded = result.target.kind === 'recorded' || result.target.kind === 'simulated';
  if (isRecorded && exchange !== undefined) return [exchange.curl];
  const chain = result.target.kind === 'url' ? chainOf(result, evidence) : undefined;
  return chain ?? [`cselab replay REPORT ${failureId(evidence)} # REPORT: what --report json wrote`];
}

/** A name of seven digits in place of the seven characters of the run, so that lengths stay the same. */
const freshName = 'N=cl-$(printf %07d $((($(date +%s) % 1000) * 10000 + RANDOM % 10000)))';

function chainOf({ run, startedAt, target }: Run, { scenario, step }: CheckEvidence): string[] | undefined {
  const before = scenario.steps.slice(0, scenario.steps.indexOf(step));
  const last = step.exchange;
  if (last === undefined || before.some(({ passed }) => passed !== undefined)) return undefined;
  const exchanges = [...before.flatMap(({ exchange }) => exchange ?? []).filter(writes), last];
  const names = run.split('+').map((one) => `cl-${one}`);
  const constants = [target.base, target.cseId, target.spId];
  if (takesFromAnswers(exchanges, [...names, ...constants])) return undefined;
  if (exchanges.some(({ curl }) => curl.includes(' # cut: '))) return undefined;
  const lines = exchanges.map(({ curl }) => withFreshNames(curl, names));
  const cleanupLines = removals(scenario, names).map((curl) => `# afterwards: ${withFreshNames(curl, names)}`);
  const [dated, times] = withFreshTimes(lines, Date.parse(startedAt));
  const isNamed = lines.some((line) => line.includes('"$N"'));
  return [...(isNamed ? [freshName] : []), ...times, ...dated, ...(isNamed ? cleanupLines : [])];
}

/** The two forms of a timestamp, and how date(1) writes them. */
const timestamps = [
  [/"et":"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:,\d+)?"/g, 'E', '%Y%m%dT%H%M%S'],
  [/"et":"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)[.\d]*\+00:00"/g, 'D', '%Y-%m-%dT%H:%M:%S.000000+00:00'],
] as const;
/** Milliseconds: expiration times within this after the start are the run's own. */
const nearby = 25 * 3_600_000;

/** Replaces past expiration times by one an hour from now; returns the lines that compute it, too. */
function withFreshTimes(lines: readonly string[], start: number): [lines: string[], before: string[]] {
  const used = new Set<string>();
  const dated = lines.map((line) =>
    timestamps.reduce((text, [pattern, variable, format]) => {
      const ahead = `${variable}=$(date -u -d '+1 hour' +${format} 2>/dev/null || date -u -v+1H +${format})`;
      return text.replace(pattern, (whole, ...parts) => {
        const [year = 0, month = 1, ...rest] = parts.slice(0, 6).map(Number);
        const time = Date.UTC(year, month - 1, ...rest);
        if (time < start || time > start + nearby) return whole;
        used.add(ahead);
        return `"et":"'"$${variable}"'"`;
      });
    }, line),
  );
  return [dated, [...used]];
}

function writes({ request: { method, exactBytes } }: Exchange): boolean {
  return exactBytes === true || !/^(GET|HEAD|OPTIONS)$/.test(method);
}

/** The removals of the topmost resources of the run. */
function removals({ steps }: ScenarioResult, names: readonly string[]): string[] {
  const cleanups = steps.flatMap(({ phase, exchange }) =>
    phase === 'cleanup' && exchange?.request.method === 'DELETE' ? [exchange] : [],
  );
  const own = cleanups.filter(({ request: { path } }) => names.some((name) => path.includes(name)));
  const isBelow = (path: string) => own.some(({ request }) => path.startsWith(`${request.path}/`));
  return own.filter(({ request }) => !isBelow(request.path)).map(({ curl }) => curl);
}

const assigned = /"(?:ri|aei|rn|ct|lt|nm|val)"\s*:\s*"([^"]{2,})"/g;

/** Whether a request contains a value from an earlier answer, such as an identifier. `known` values are exempt. */
function takesFromAnswers(exchanges: readonly Exchange[], known: readonly string[]): boolean {
  let sent = '';
  const learned = new Set<string>();
  for (const { request, answer } of exchanges) {
    const text = [request.path, request.body ?? '', ...request.headers.flat()].join(' ');
    if ([...learned].some((value) => text.includes(value))) return true;
    sent += ` ${text}`;
    for (const [, value = ''] of (answer?.body ?? '').matchAll(assigned)) {
      const isOurs = sent.includes(value) || known.some((one) => value === one || value.includes(one));
      if (!isOurs) learned.add(value);
    }
  }
  return false;
}

/** The command with a variable for each name of the run, in quotes or not. */
function withFreshNames(command: string, names: readonly string[]): string {
  const name = new RegExp(names.map((one) => one.replace(/\W/g, '\\$&')).join('|'), 'g');
  // Outside of quotes, a backslash escapes a quote.
  return command.replace(/'[^']*'?|\\.|[^'\\]+/gs, (part) =>
    part.startsWith('\\') ? part : part.replace(name, () => (part.startsWith("'") ? `'"$N"'` : '"$N"')),
  );
}
