import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Matcher, MatcherObject } from '../../engine/grammar/grammar-matcher.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Settings } from '../campaign.ts';
import { type Confirmed, confirm, once, type Place } from '../counterexample/confirm.ts';
import { type CounterexampleScenario, scenarioOf } from '../counterexample/scenario.ts';
import type { Expected } from '../model/expected.ts';
import { type Both, otherThan, type SideName } from './difference.ts';
import type { Shown } from './paired-run.ts';
import type { Pair } from './parted.ts';
import type { Competitor } from './side.ts';

export type StepsOptions = Both<Competitor> & Pick<Settings<never>, 'signal' | 'nextNumber'>;

/** Fails at the side that is wrong, with as few reads as it can do with. */
export async function decidedSteps(expected: Expected, shown: Shown, options: StepsOptions): Promise<Confirmed> {
  const wrong = shown.parted.right === 'A' ? 'B' : 'A';
  const { requirement } = expected;
  const confirmed = await confirm(drawnAt(wrong, expected, shown, options), requirement, placeAt(wrong, options));
  if (shown.parted.right === 'neither' || confirmed.failed === undefined) return confirmed;
  const other = await once(confirmed.scenario, requirement, placeAt(otherThan(wrong), options));
  return other.failed === undefined ? confirmed : { scenario: confirmed.scenario };
}

/** With the answer of A as what is asked of B: as few reads as do, so that B still differs and A does not. */
export async function openSteps(shown: Shown, options: StepsOptions): Promise<Confirmed> {
  const { part, requirement = 'gap' } = shown.parted;
  const check = checkOf(part, shown.pair);
  const drawn = { scenario: drawnAt('A', { requirement, check: check ?? {} }, shown, options) };
  if (check === undefined) return drawn;
  const drawnAtB = drawnAt('B', { requirement, check }, shown, options);
  const { scenario, failed } = await confirm(drawnAtB, requirement, placeAt('B', options));
  if (failed === undefined) return drawn;
  const atA = await once(scenario, requirement, placeAt('A', options));
  return atA.failed === undefined ? { scenario } : drawn;
}

function drawnAt(
  side: SideName,
  expected: Expected,
  { performed, labels }: Shown,
  options: StepsOptions,
): CounterexampleScenario {
  const { description } = options[side].arena;
  return scenarioOf(performed[side], expected, { dialect: 'documented', description, label: labels[side] });
}

function placeAt(side: SideName, { [side]: { arena, run }, signal, nextNumber }: StepsOptions): Place {
  return { run, signal, use: async () => ({ installation: await arena.installation(), number: nextNumber() }) };
}

/** Parts of which the values differ from run to run. */
const ownValues: ReadonlySet<string> = new Set([
  ...['ri', 'pi', 'rn', 'aei', 'cr', 'ct', 'lt', 'et', 'ch'].map((name) => `attribute ${name}`),
  'header x-m2m-ri',
  'header content-location',
  'found',
]);

/** That a part is as A has it; undefined where it holds what is A's own, or cannot be said. */
function checkOf(part: string, { A, B }: Pair): Check | undefined {
  const { view } = A.came;
  if (ownValues.has(part) || view.status === undefined || B.came.view.status === undefined) return undefined;
  if (part.startsWith('attribute ')) return attributeCheck(part.slice('attribute '.length), view);
  if (part.startsWith('header ')) return headerCheck(part.slice('header '.length), view);
  return wholeCheck(part, view);
}

function wholeCheck(part: string, { status, rsc, root, attributes }: AnswerView): Check | undefined {
  if (part === 'status' && status !== undefined) return { status };
  if (part === 'RSC' && rsc !== undefined) return { rsc };
  if (part === 'root' && root !== undefined) return { root };
  return part === 'body' && attributes !== undefined ? { body: { is: 'object' } } : undefined;
}

function attributeCheck(name: string, { attributes }: AnswerView): Check {
  const value = attributes?.[name] as MatcherObject['equals'];
  const matcher: Matcher = value === undefined ? { is: 'absent' } : { equals: value };
  return { attributes: { [name]: matcher } };
}

function headerCheck(name: string, { headers }: AnswerView): Check {
  return { header: { [name]: headers.get(name) ?? { is: 'absent' } } };
}
