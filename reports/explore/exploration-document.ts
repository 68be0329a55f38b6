/** The results of each mode of exploring, for people. */

import type {
  CaseResult,
  ConcurrentResult,
  ExploreResult,
  RobustnessResult,
  RobustnessVerdict,
  UnexplainedHistory,
  WireCounterexample,
  WireResult,
} from '../../scenarios/index.ts';
import { robustnessSections } from '../../scenarios/results.ts';
import { deathBlocks } from '../check/run-blocks.ts';
import {
  type Content,
  type DocumentBlock,
  type Fact,
  type Fold,
  facts,
  fold,
  only,
  prose,
  steps,
} from '../document/model.ts';
import type { TerminalText } from '../document/terminal.ts';
import { counted, durationText, groupedBy, type Tone, verdictWords } from '../facts/wording.ts';

export const exitWords = { ...verdictWords, 0: 'Nothing found' };

/** The findings, what was exercised, then notes and verdict. */
export function searchDocument(
  { notes, exit }: Pick<ExploreResult, 'notes' | 'exit'>,
  found: Content,
  ...exercised: Content[]
): TerminalText {
  return {
    views: [{ content: found }, { content: exercised }],
    lead: notes.map((note) => `note: ${note}`),
    headline: `${exitWords[exit.code]}: ${exit.reason}`,
  };
}

/** `file`: where the counterexample was written. */
export function explorationDocument(result: ExploreResult, file?: string): TerminalText {
  const { counterexample: found, sequences, steps: requests, searched, took, exercised, seed } = result;
  const counts = { operations: exercised.operations, kinds: exercised.kinds, addresses: exercised.forms };
  const rate = searched > 0 ? Math.round((requests / searched) * 1000) : 0;
  return searchDocument(
    result,
    [deathBlocks(result), found && counterexampleFold(found, seed, file)],
    `${counted(sequences, 'sequence')}, ${counted(requests, 'request')}, ${rate.toLocaleString('en')} each second; ${durationText(took)} in all`,
    facts(...Object.entries(counts).map(([label, count]) => countFact(label, count))),
    requirementBlocks(exercised.requirements, 'checked; -v lists them'),
  );
}

/** How far it was shrunk. */
export function lengthFact(
  { attempts, smallest }: { readonly attempts: number; readonly smallest: boolean },
  [first, left]: readonly [string, string | number],
  otherwise: string,
): Fact {
  const length = `${first} at first, ${left} after ${counted(attempts, 'attempt')}`;
  return ['length', smallest ? length : `${length}; ${otherwise}`];
}

const onceOnly = 'It depends on what was before, or comes and goes';

function counterexampleFold(found: NonNullable<ExploreResult['counterexample']>, seed: number, file?: string): Fold {
  const { operations, confirmed, requirement, says, expected, actual, curl, command, path } = found;
  const sizes = [counted(operations.found, 'operation'), operations.left.length] as const;
  return fold(requirement, says, confirmationLook(confirmed), [
    steps(found.steps),
    facts(
      ['expected', expected],
      ['came', actual],
      lengthFact(found, sizes, 'there may be a shorter one'),
      !confirmed && ['note', `seen once: sent again as a scenario it did not fail. ${onceOnly}`],
      file !== undefined && ['written', `${file}, for cselab check`],
      ['again', `${command} --seed ${seed} --path ${path}`],
      ['past it', `${command} --except ${requirement}`],
    ),
    // A single curl line shows only what one request does; the scenario shows the rest.
    curl !== undefined && found.steps.length === 1 && curlBlock(curl),
  ]);
}

/** A cross for a confirmed failure, another sign for one seen once. */
function confirmationLook(confirmed: boolean): { readonly mark: string; readonly tone: Tone } {
  return confirmed ? { mark: '✗', tone: 'bad' } : { mark: '≈', tone: 'open' };
}

export const curlBlock = (curl: string): DocumentBlock => prose(curl, 'by hand   ', { isWhole: true });

/** How often each occurred; nothing for none. */
export function countFact(label: string, counts: Readonly<Record<string, number>>): Fact | false {
  const each = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
  return each.length > 0 && [label, { text: each.join(', '), isWhole: true }];
}

/** How often each requirement was checked; their number, if brief. */
function requirementBlocks(counts: Readonly<Record<string, number>>, otherwise: string): Content {
  return [
    only('verbose', facts(countFact('requirements', counts))),
    only('brief', facts(['requirements', `${Object.keys(counts).length} ${otherwise}`])),
  ];
}

export function wireDocument(result: WireResult, file?: string): TerminalText {
  const { counterexample: found, runs, withheld, split, took, exercised } = result;
  const kinds = Object.keys(exercised.malformations).length;
  const unsent = withheld === 0 ? '' : `; ${withheld} more could have changed what is not ours, and were not sent`;
  const cut = split === 0 ? '' : `, ${counted(split, 'sound one')} cut at every byte`;
  return searchDocument(
    result,
    found && wireFold(found, result, file),
    `${counted(runs, 'malformed or odd request')} of ${counted(kinds, 'kind')}${cut}${unsent}; ${durationText(took)} in all`,
    facts(countFact('unusual in', exercised.parts), countFact('answers', exercised.answers)),
    only('verbose', facts(countFact('kinds', exercised.malformations))),
    requirementBlocks(exercised.requirements, 'about them; -v lists them, and the kinds'),
  );
}

/** Characters of the bytes that are shown; the file has all. */
const shownLength = 600;

function wireFold(found: WireCounterexample, { seed }: WireResult, file?: string): Fold {
  const { requirement, says, what, bytes, answer, length, confirmed, command, path, curl } = found;
  return fold(requirement === 'gap' ? 'no requirement' : requirement, says, confirmationLook(confirmed), [
    facts(
      ['unusual', what],
      ['bytes', bytes.length > shownLength ? `${bytes.slice(0, shownLength)}…` : bytes],
      ['came', answer],
      lengthFact(found, [counted(length.found, 'byte'), length.left], 'fewer may do'),
      !confirmed && ['note', `seen once: done again it came out otherwise. ${onceOnly}`],
      file !== undefined && ['written', found.file.kind === 'scenario' ? `${file}, for cselab check` : file],
      ['again', `${command} --seed ${seed} --path ${path}`],
    ),
    curlBlock(curl),
  ]);
}

export function togetherDocument(result: ConcurrentResult, file?: string): TerminalText {
  const { counterexample: found, histories, overlaps, steps: requests, took, exercised, unanswered, seed } = result;
  const { tried, undecided } = histories;
  return searchDocument(
    result,
    found && historyFold(found, seed, file),
    `${counted(tried, 'program')}, ${counted(requests, 'request')}, ${counted(overlaps, 'pair')} of them under way at the same moment; ${durationText(took)} in all`,
    facts(
      undecided > 0 && ['undecided', `${undecided}: too many orders to try them all`],
      unanswered > 0 && ['unanswered', `${counted(unanswered, 'request')}, which may have been done or not`],
      countFact('operations', exercised.operations),
    ),
    requirementBlocks(exercised.requirements, 'checked; -v lists them'),
  );
}

function historyFold(found: UnexplainedHistory, seed: number, file?: string): Fold {
  const { size, seen, path, requirement, says, order, leftOver, command } = found;
  const explained = order.map((at) => at + 1).join(', ');
  const why = `the order ${explained} explains the most, and a CSE that has done these in it gives another`;
  const again = `again in ${seen.times} of ${counted(seen.of, 'repetition')}`;
  const isAlone = size.left.originators === 1;
  return fold(requirement, says, confirmationLook(seen.times > 0), [
    'No order of these requests explains their answers; bars that meet in a column were under way at the same moment.',
    historyBlocks(found),
    facts(
      ['why', `the answer to ${leftOver + 1}: ${why}`],
      ['seen', seen.of === 0 ? 'once; it was not repeated' : again],
      isAlone && ['note', 'it shows though nobody else asks for anything at the same time'],
      lengthFact(found, [sizeText(size.found), sizeText(size.left)], 'there may be a smaller one'),
      file !== undefined && ['written', `${file}; a scenario has no words for requests at the same time`],
      ['again', `${command} --seed ${seed} --path ${path}`],
      ['past it', `${command} --except ${requirement}`],
    ),
  ]);
}

/** With more spans of time a bar does not help. */
const mostSpans = 24;

function historyBlocks({ rows, leftOver }: UnexplainedHistory): Content {
  const last = Math.max(...rows.map(({ from, to = from }) => Math.max(from, to)));
  return rows.map(({ originator = ' ', request, answer, from, to }, at) => {
    const underWay =
      to === undefined ? '┄'.repeat(last + 1 - from) : '━'.repeat(to + 1 - from).padEnd(last + 1 - from, '·');
    const bar = last < mostSpans ? '·'.repeat(from) + underWay : `${from}-${to ?? ''}`.padEnd(7);
    const text = `${request} → ${answer}`;
    const prefix = `${String(at + 1).padStart(3)} ${originator} ${bar} `;
    return at === leftOver ? prose({ text, as: 'strong' }, `✗ ${prefix}`) : prose(text, `  ${prefix}`);
  });
}

function sizeText({ originators, requests }: UnexplainedHistory['size']['found']): string {
  return `${counted(requests, 'request')} of ${counted(originators, 'originator')}`;
}

const signs = { 'as it should': '✓', tolerable: '~', wrong: '✗', lost: '☠', 'left out': '○' };
const verdicts = Object.keys(signs) as RobustnessVerdict[];
const isBad = ({ verdict }: CaseResult) => verdict === 'wrong' || verdict === 'lost';

/** The table of the sections, then each failure, with its clause and curl line. */
export function robustnessDocument(result: RobustnessResult): TerminalText {
  const { cases, took } = result;
  return searchDocument(
    result,
    [
      sectionTable(result),
      only('brief', ...cases.filter(isBad).map(caseFold)),
      only('verbose', ...cases.map(caseFold)),
    ],
    only('brief', leftOutBlocks(cases)),
    `${counted(cases.length, 'case')} in ${durationText(took)}; cselab list --robustness says what is right of each`,
  );
}

function sectionTable({ cases, totals }: RobustnessResult): DocumentBlock {
  const sections = robustnessSections.flatMap(({ number, title }) => {
    const own = cases.filter((one) => one.number.startsWith(`R-${number}.`));
    const counts = verdicts.map((verdict) => own.filter((one) => one.verdict === verdict).length);
    const row = { id: `R-${number} ${title}`, cells: counts.map((one) => ({ text: `${one || '·'}` })) };
    return own.length === 0 ? [] : row;
  });
  const rows = [...sections, { id: 'in all', cells: verdicts.map((verdict) => ({ text: String(totals[verdict]) })) }];
  return { kind: 'table', columns: verdicts.map((name) => ({ name })), groups: [{ rows }] };
}

function caseFold(one: CaseResult): Fold {
  const { number, title, verdict, came, says, curl } = one;
  const mark = signs[verdict];
  const why = says !== undefined && ([verdict, says] as const);
  if (!isBad(one)) return fold(number, '', { mark, state: came === '' ? title : `${title}: ${came}` }, facts(why));
  const { clause = '' } =
    robustnessSections.flatMap(({ cases }) => cases).find((other) => other.number === number) ?? {};
  return fold(number, '', { mark, tone: 'bad', state: title }, [
    facts(why, ['came', came], ['clause', clause]),
    curl !== undefined && curlBlock(curl),
  ]);
}

function leftOutBlocks(cases: readonly CaseResult[]): Content {
  const unsent = cases.filter(({ verdict }) => verdict === 'left out');
  const byReason = groupedBy(unsent, ({ says = '' }) => says.replace(/^(left out|not sent): /, ''));
  return [...byReason].map(([reason, own]) =>
    facts(['left out', `${own.map(({ number }) => number).join(', ')}: ${reason}`]),
  );
}
