/** What is kept of bytes that break the law. */
import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { escaped } from '../../engine/messages/escaped.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import { fileText } from '../counterexample/text.ts';
import type { WireCounterexample } from './wire-exploration.ts';

export interface FileFacts extends Omit<WireCounterexample, 'file' | 'confirmed'> {
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
export function bytesText(facts: FileFacts): string {
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

function commandOf({ dialect, seed, path }: FileFacts): string {
  const speaking = dialect === 'documented' ? '' : ` --dialect ${dialect}`;
  return `cselab explore --wire${speaking} --seed ${seed} --path ${path}`;
}
