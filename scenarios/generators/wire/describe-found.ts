import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { escaped } from '../../engine/messages/shown.ts';
import type { Conversation } from '../../engine/messages/target.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { confirm } from '../counterexample/confirm.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import { fileText } from '../counterexample/text.ts';
import type { WireCounterexample } from './wire-exploration.ts';
import { wireScenarioOf } from './wire-scenario.ts';
import type { FoundBytes, WireSearch, WireSearchOptions } from './wire-search.ts';

interface Context extends WireSearchOptions {
  readonly search: WireSearch;
  readonly label: string;
}

/** A counterexample with the file that keeps it; it is done once more. */
export async function describeFound(found: FoundBytes, context: Context): Promise<WireCounterexample> {
  const { one: wire, path, atFirst, attempts, complete: smallest } = found;
  const { breach, exchange, conversation } = found.shown;
  const { command } = context;
  const facts = {
    ...{ requirement: breach.requirement, says: breach.says, what: wire.what, command, path, attempts, smallest },
    bytes: escapedBytes(wire.bytes),
    length: { found: atFirst, left: wire.bytes.length },
    answer: conversation === undefined ? answerIn(exchange) : answersIn(conversation),
    curl: exchange.curl,
  };
  const requirement = context.requirements.get(breach.requirement);
  const about = { ...facts, seed: context.seed, dialect: context.site.installation.dialect };
  const kept = requirement === undefined ? undefined : await asScenario(found, requirement, about, context);
  if (kept !== undefined) return { ...facts, ...kept };
  const again = await context.search.again(wire);
  return { ...facts, confirmed: again?.kind === breach.kind, file: { kind: 'text', text: bytesText(about) } };
}

/** Whether it fails as a scenario too. */
async function asScenario(
  found: FoundBytes,
  requirement: Requirement,
  facts: FileFacts,
  { site, explored, run, nextNumber, label, signal }: Context,
): Promise<Pick<WireCounterexample, 'confirmed' | 'file'>> {
  const use = async () => ({ installation: site.installation, number: nextNumber() });
  const drawn = wireScenarioOf(found, { site, explored, label });
  const { scenario, failed } = await confirm(drawn, requirement.id, { run, signal, use });
  const text = scenarioText(scenario, requirement, facts);
  return { confirmed: failed !== undefined, file: { kind: 'scenario', text } };
}

/** Characters of an answer that are shown. */
const shown = 300;

function answersIn({ answers, end }: Conversation): string {
  const told = answers.map(({ status, body }) => `${status} ${body.slice(0, shown)}`.trim());
  return escaped([...told, `the connection is ${end}`].join('; then '));
}

function answerIn({ answer, failure }: Exchange): string {
  if (answer === undefined) return escaped(failure?.message ?? 'nothing');
  const body = answer.body.length > shown ? `${answer.body.slice(0, shown)}…` : answer.body;
  return escaped(`${answer.status} ${body}`.trim());
}

interface FileFacts extends Omit<WireCounterexample, 'file' | 'confirmed'> {
  readonly seed: number;
  readonly dialect: Dialect;
}

/** An ordinary scenario file, with all that can be said beside it as a comment. */
export function scenarioText(scenario: CounterexampleScenario, requirement: Requirement, facts: FileFacts): string {
  const { dialect, what, says, answer, curl } = facts;
  const comment = [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    `Unusual: ${what}`,
    `Instead: ${says} The answer: ${answer}`,
    `By hand: ${curl}`,
    ...(requirement.level === 'gap' ? [leftOpen] : []),
  ];
  const spoken = dialect === 'documented' ? scenario : { ...scenario, dialect };
  return fileText(spoken, requirement, comment.map(escaped), true);
}

const leftOpen = 'The specification leaves this open: cselab check tells what the target does, and does not blame it.';

/** Where no requirement can be named that a scenario could check. */
function bytesText(facts: FileFacts): string {
  const { what, says, answer, bytes, curl } = facts;
  return [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    '',
    `Unusual: ${what}`,
    `Wrong:   ${says}`,
    `Answer:  ${answer}`,
    '',
    'Sent by:',
    curl,
    '',
    'The bytes, \\r and \\n for the ends of lines, \\x and two digits for what cannot be seen:',
    bytes,
    '',
  ].join('\n');
}

function commandOf({ command, seed, path }: FileFacts): string {
  return `${command} --seed ${seed} --path ${path}`;
}

const short: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' }),
);

/** Bytes, given as Latin-1, as a line of ASCII: what cannot be seen is written like `\r`, `\n` or `\xff`. */
export function escapedBytes(latin1: string): string {
  return latin1.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (byte) => short.get(byte) ?? `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
