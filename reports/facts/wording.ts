import {
  type CheckResult,
  type CheckState,
  checkedShare,
  type Exit,
  isWhole,
  type RequirementResult,
  type RunResult,
  type ScenarioState,
  type Verdict,
} from '../../scenarios/words.ts';

/** The colour family; a sign or a word says the same without colour. */
export type Tone = 'good' | 'open' | 'bad' | 'fault' | 'seen' | 'quiet';

/** The state of a check, scenario or requirement. */
export type ResultState = Verdict | CheckState | ScenarioState;

/** The look of each, in the order for readers: one sign for each, so that nothing depends on colour. */
export const looks: Readonly<Record<ResultState, { readonly mark: string; readonly tone: Tone }>> = {
  violated: { mark: '✗', tone: 'bad' },
  failed: { mark: '✗', tone: 'bad' },
  intermittent: { mark: '≈', tone: 'open' },
  advisory: { mark: '△', tone: 'open' },
  'harness fault': { mark: '!', tone: 'fault' },
  fault: { mark: '!', tone: 'fault' },
  interrupted: { mark: '!', tone: 'fault' },
  lost: { mark: '†', tone: 'fault' },
  blocked: { mark: '○', tone: 'open' },
  'not testable': { mark: '○', tone: 'quiet' },
  'not asked': { mark: '?', tone: 'quiet' },
  'left out': { mark: '⊘', tone: 'open' },
  satisfied: { mark: '✓', tone: 'good' },
  'implementation-defined': { mark: '·', tone: 'seen' },
  'not applicable': { mark: '–', tone: 'quiet' },
  passed: { mark: '✓', tone: 'good' },
  excluded: { mark: '–', tone: 'quiet' },
};

/** The look of a state. */
export const lookOf = (state: ResultState) => ({ state, ...looks[state] });

/** The distinct states, in that order. */
export function inOrder<Of extends ResultState>(states: readonly Of[]): Of[] {
  const order: readonly string[] = Object.keys(looks);
  return [...new Set(states)].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

const scenarioVerdicts: Readonly<Partial<Record<ResultState, Verdict>>> = {
  passed: 'satisfied',
  failed: 'violated',
  blocked: 'not testable',
  interrupted: 'not testable',
  fault: 'harness fault',
};

/** The verdict by which a state is filtered. */
export const verdictOf = (state: Verdict | ScenarioState): string => scenarioVerdicts[state] ?? state;

export const verdictWords: Readonly<Record<Exit['code'], string>> = {
  0: 'Conformant',
  1: 'Not conformant',
  2: 'Not run',
  3: 'No verdict',
  4: 'Inconclusive',
  5: 'Wrong set-up',
  130: 'Interrupted',
};

/** The state of a check for readers: implementation-defined behaviour neither passes nor fails, advice does not fail. */
export function displayState({ state, level }: CheckResult): CheckState | 'implementation-defined' | 'advisory' {
  if (level === 'advisory' && state === 'failed') return 'advisory';
  return level === 'gap' && (state === 'passed' || state === 'failed') ? 'implementation-defined' : state;
}

type VerdictRun = Pick<RunResult, 'exit' | 'summary' | 'requirements'> & Partial<Pick<RunResult, 'baseline'>>;

/** The verdict on the target as one line: what it is, and why. Conformant: all that can be checked was, and passed. */
export function verdictLine(result: VerdictRun): string {
  const { exit } = result;
  const word = wordOf(result);
  return word === '' ? capitalised(exit.reason) : `${word}: ${exit.reason}`;
}

/** Empty if only a part was checked, and nothing deviates. */
function wordOf({ exit, summary, requirements, baseline }: VerdictRun): string {
  const { violated, intermittent } = summary.verdicts;
  // This says nothing against the target.
  const outdated = baseline?.problems.some(({ kind, says }) => kind !== 'expired' && exit.reason.startsWith(says));
  if (exit.code === 1 && outdated) return 'Baseline outdated';
  if (exit.code !== 0) return verdictWords[exit.code];
  if (violated + intermittent > 0) return 'Known deviations only';
  return isWhole(checkedShare(requirements)) ? 'Conformant' : '';
}

/** The tone of the verdict: good only if everything was checked. */
export function verdictTone(result: VerdictRun): 'good' | 'bad' | 'open' {
  if (result.exit.code === 1) return 'bad';
  return wordOf(result) === 'Conformant' ? 'good' : 'open';
}

/** How much was checked: `12 of 581 requirements that can be checked, 3 do not apply`. */
export function checkedText({ requirements }: Pick<RunResult, 'requirements'>): string {
  const { checked, checkable, notApplicable } = checkedShare(requirements);
  const inapplicable = notApplicable === 0 ? '' : `; ${notApplicable} do not apply to this target`;
  const others = checkable - checked - notApplicable;
  const unchecked = others === 0 ? '' : `; ${others} could not be checked here or were left out`;
  return `${checked} of the ${counted(checkable, 'requirement')} that can be checked${inapplicable}${unchecked}`;
}

/** Names of the levels. */
export const levelWords: Readonly<Record<RequirementResult['level'], string>> = {
  documented: 'documented',
  gap: 'implementation-defined',
  standard: 'standard',
};

/** `1 request`, `2,000 requests`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** With a capital. */
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `98.3 %`; never rounded up to 100. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const tenths = Math.floor((part / whole) * 1000) / 10;
  return `${tenths.toLocaleString('en')} %`;
}

/** `2027-01-02 03:04:05 UTC`. */
export const timeText = (startedAt: string, until = 19): string => `${startedAt.slice(0, until).replace('T', ' ')} UTC`;

/** The counts that are not zero, as `3 violated, 11 satisfied`. */
export function countsText<Of extends ResultState>(counts: Readonly<Record<Of, number>>): string {
  return inOrder(Object.keys(counts) as Of[])
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state].toLocaleString('en')} ${state}`)
    .join(', ');
}

/** A duration for people: `840 ms`, `3.2 s`, `2 min 05 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** The target in a few words: its address and what it is. */
export function targetText({ target }: RunResult): string {
  if (target.kind === 'recorded') return `${target.url} (recorded)`;
  if (target.kind === 'simulated') return `${target.url} (the harness)`;
  if (target.kind === 'in-process') return 'the reference CSE, in this process';
  if (target.kind === 'embedded') return `${target.url} (the reference CSE)`;
  return target.serialization === 'cbor' ? `${target.url} (in CBOR)` : target.url;
}

/** The installations of the target as a list, if there are several: `plain http://…, mutual https://…`. */
export function installationsText({ installations }: Pick<RunResult, 'installations'>): string {
  if (installations.length < 2) return '';
  return installations.map(({ name, gateway }) => `${name} ${gateway.url}`).join(', ');
}

/**
 * Characters that a terminal acts on or that a reader cannot see: control characters (ANSI escapes among them),
 * changes of the writing direction, line separators, halves of surrogate pairs, the byte order mark.
 */
const invisible = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u{FEFF}]/gu;
const shortEscapes: ReadonlyMap<string, string> = new Map(Object.entries({ '\n': '\\n', '\r': '\\r', '\t': '\\t' }));

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return shortEscapes.get(character) ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/** The text on one line, with invisible characters as escapes such as `\x1b`. */
export const visibleText = (text: string): string => text.replace(invisible, escaped);

/** The lines of a text, each made visible; tabs become spaces. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => visibleText(line.replaceAll('\t', '  ')));
}

/** The first characters of a text, never ending in half a surrogate pair. */
export const headOf = (text: string, limit: number): string => text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/** Groups things by a key, in the order of first occurrence. */
export function groupedBy<One, Key>(all: readonly One[], keyOf: (one: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
