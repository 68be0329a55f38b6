/** What each way of exploring found, for people. */
import {
  type CaseResult,
  type ExploreResult,
  type RobustnessResult,
  type RobustnessVerdict,
  robustnessSections,
  type TogetherResult,
  type UnexplainedHistory,
  type WireCounterexample,
  type WireResult,
} from '../../scenarios/index.ts';
import { deathsTold } from '../check/run-told.ts';
import { type Block, type Content, type Fact, type Fold, facts, only, steps } from '../document/model.ts';
import type { Told } from '../document/terminal.ts';
import { groupedBy } from '../grouped.ts';
import { counted, durationText, type Tone, verdictWords } from '../wording.ts';

const exitWords = { ...verdictWords, 0: 'Nothing found' };

/** What was found, what was exercised, then the notes and how it ended. */
function told({ notes, exit }: Pick<ExploreResult, 'notes' | 'exit'>, found: Content, ...exercised: Content[]): Told {
  return {
    views: [{ content: found }, { content: exercised }],
    lead: notes.map((note) => `note: ${note}`),
    headline: `${exitWords[exit.code]}: ${exit.reason}`,
  };
}

/** `file`: where the counterexample was written. */
export function explorationTold(result: ExploreResult, file?: string): Told {
  const { counterexample: found, sequences, steps: requests, searched, took, exercised, seed } = result;
  const rate = searched > 0 ? Math.round((requests / searched) * 1000) : 0;
  return told(
    result,
    [deathsTold(result), found && counterexampleFold(found, seed, file)],
    `${counted(sequences, 'sequence')}, ${counted(requests, 'request')}, ${rate.toLocaleString('en')} each second; ${durationText(took)} in all`,
    facts(
      countFact('operations', exercised.operations),
      countFact('kinds', exercised.kinds),
      countFact('addresses', exercised.forms),
    ),
    requirementsTold(exercised.requirements, 'judged; -v lists them'),
  );
}

const onceOnly = 'It depends on what was before, or comes and goes';

function counterexampleFold(found: NonNullable<ExploreResult['counterexample']>, seed: number, file?: string): Fold {
  const { operations, attempts, smallest, confirmed, requirement, says, expected, actual, curl } = found;
  const length = `${counted(operations.found, 'operation')} at first, ${operations.left.length} after ${counted(attempts, 'attempt')}`;
  return {
    ...foundAs(confirmed, requirement, says),
    content: [
      steps(found.steps),
      facts(
        ['expected', expected],
        ['came', actual],
        ['length', smallest ? length : `${length}; there may be a shorter one`],
        !confirmed && ['note', `seen once: sent again as a scenario it did not fail. ${onceOnly}`],
        file !== undefined && ['written', `${file}, for cselab check`],
        ['again', `${found.command} --seed ${seed} --path ${found.path}`],
        ['past it', `${found.command} --except ${requirement}`],
      ),
      // What several requests led to no single one shows; the scenario that is written does.
      curl !== undefined && found.steps.length === 1 && byHand(curl),
    ],
  };
}

/** A cross for what was seen again, another sign for what was seen once. */
function foundAs(confirmed: boolean, id: string, says: string): Omit<Fold, 'content'> {
  const look: { mark: string; tone: Tone } = confirmed ? { mark: '✗', tone: 'bad' } : { mark: '≈', tone: 'open' };
  return { kind: 'fold', id, says, ...look };
}

function byHand(curl: string): Block {
  return { kind: 'prose', words: curl, sign: 'by hand   ', isWhole: true };
}

/** How often each of these was there; nothing for none. */
export function countFact(label: string, counts: Readonly<Record<string, number>>): Fact | false {
  const each = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
  return each.length > 0 && [label, { text: each.join(', '), isWhole: true }];
}

/** How often each requirement was judged; how many, unless it is to be verbose. */
function requirementsTold(counts: Readonly<Record<string, number>>, otherwise: string): Content {
  return [
    only('verbose', facts(countFact('requirements', counts))),
    only('brief', facts(['requirements', `${Object.keys(counts).length} ${otherwise}`])),
  ];
}

export function wireTold(result: WireResult, file?: string): Told {
  const { counterexample: found, runs, withheld, split, took, exercised } = result;
  const kinds = Object.keys(exercised.malformations).length;
  const kept = withheld === 0 ? '' : `; ${withheld} more could have changed what is not ours, and were not sent`;
  const cut = split === 0 ? '' : `, ${counted(split, 'sound one')} cut at every byte`;
  return told(
    result,
    found && wireFold(found, result, file),
    `${counted(runs, 'malformed or odd request')} of ${counted(kinds, 'kind')}${cut}${kept}; ${durationText(took)} in all`,
    facts(countFact('unusual in', exercised.parts), countFact('answers', exercised.answers)),
    only('verbose', facts(countFact('kinds', exercised.malformations))),
    requirementsTold(exercised.requirements, 'about them; -v lists them, and the kinds'),
  );
}

/** Characters of the bytes that are shown; all of them are in the file. */
const shown = 600;

function wireFold(found: WireCounterexample, { seed }: WireResult, file?: string): Fold {
  const { requirement, says, what, bytes, answer, length, attempts, smallest, confirmed, command, path, curl } = found;
  const sizes = `${counted(length.found, 'byte')} at first, ${length.left} after ${counted(attempts, 'attempt')}`;
  return {
    ...foundAs(confirmed, requirement === 'gap' ? 'no requirement' : requirement, says),
    content: [
      facts(
        ['unusual', what],
        ['bytes', bytes.length > shown ? `${bytes.slice(0, shown)}…` : bytes],
        ['came', answer],
        ['length', smallest ? sizes : `${sizes}; fewer may do`],
        !confirmed && ['note', `seen once: done again it came out otherwise. ${onceOnly}`],
        file !== undefined && ['written', found.file.kind === 'scenario' ? `${file}, for cselab check` : file],
        ['again', `${command} --seed ${seed} --path ${path}`],
      ),
      byHand(curl),
    ],
  };
}

export function togetherTold(result: TogetherResult, file?: string): Told {
  const { counterexample: found, histories, overlaps, steps: requests, took, exercised, unanswered, seed } = result;
  const { tried, undecided } = histories;
  return told(
    result,
    found && historyFold(found, seed, file),
    `${counted(tried, 'program')}, ${counted(requests, 'request')}, ${counted(overlaps, 'pair')} of them under way at the same moment; ${durationText(took)} in all`,
    facts(
      undecided > 0 && ['undecided', `${undecided}: too many orders to try them all`],
      unanswered > 0 && ['unanswered', `${counted(unanswered, 'request')}, which may have been done or not`],
      countFact('operations', exercised.operations),
    ),
    requirementsTold(exercised.requirements, 'judged; -v lists them'),
  );
}

function historyFold(found: UnexplainedHistory, seed: number, file?: string): Fold {
  const { size, attempts, smallest, seen, path, requirement, says, order, leftOver } = found;
  const length = `${sizeText(size.found)} at first, ${sizeText(size.left)} after ${counted(attempts, 'attempt')}`;
  const explained = order.map((at) => at + 1).join(', ');
  const why = `the order ${explained} explains the most, and a CSE that has done these in it gives another`;
  const again = `again in ${seen.times} of ${counted(seen.of, 'repetition')}`;
  return {
    ...foundAs(seen.times > 0, requirement, says),
    content: [
      'No order of these requests explains their answers; bars that meet in a column were under way at the same moment.',
      historyTold(found),
      facts(
        ['why', `the answer to ${leftOver + 1}: ${why}`],
        ['seen', seen.of === 0 ? 'once; it was not repeated' : again],
        size.left.originators === 1 && ['note', 'it shows though nobody else asks for anything at the same time'],
        ['length', smallest ? length : `${length}; there may be a smaller one`],
        file !== undefined && ['written', `${file}; a scenario has no words for requests at the same time`],
        ['again', `${found.command} --seed ${seed} --path ${path}`],
        ['past it', `${found.command} --except ${requirement}`],
      ),
    ],
  };
}

/** Beyond so many spans of time a bar is no help to a reader. */
const mostSpans = 24;

function historyTold({ rows, leftOver }: UnexplainedHistory): Content {
  const last = Math.max(...rows.map(({ from, to = from }) => Math.max(from, to)));
  return rows.map(({ originator = ' ', request, answer, from, to }, at) => {
    const spans = Array.from({ length: last + 1 }, (_, span) => spanMark(span, from, to)).join('');
    const bar = last < mostSpans ? spans : `${from}-${to ?? ''}`.padEnd(7);
    const text = `${request} → ${answer}`;
    return {
      ...{ kind: 'prose', sign: `${at === leftOver ? '✗' : ' '} ${String(at + 1).padStart(3)} ${originator} ${bar} ` },
      words: at === leftOver ? { text, as: 'strong' } : text,
    };
  });
}

function spanMark(span: number, from: number, to: number | undefined): string {
  if (span < from) return '·';
  if (to === undefined) return '┄';
  return span <= to ? '━' : '·';
}

function sizeText({ originators, requests }: UnexplainedHistory['size']['found']): string {
  return `${counted(requests, 'request')} of ${counted(originators, 'originator')}`;
}

const signs: Readonly<Record<RobustnessVerdict, string>> = {
  ...{ 'as it should': '✓', tolerable: '~', wrong: '✗' },
  ...{ lost: '☠', 'left out': '○' },
};
const verdicts = Object.keys(signs) as RobustnessVerdict[];

/** The table of the sections, then what is wrong, with the clause and the line that sends it. */
export function robustnessTold(result: RobustnessResult): Told {
  const { cases, took } = result;
  const isBad = ({ verdict }: CaseResult) => verdict === 'wrong' || verdict === 'lost';
  return told(
    result,
    [
      sectionTable(result),
      only('brief', ...cases.filter(isBad).map(caseFold)),
      only('verbose', ...cases.map(caseFold)),
    ],
    only('brief', leftOut(cases)),
    `${counted(cases.length, 'case')} in ${durationText(took)}; cselab list --robustness says what is right of each`,
  );
}

function sectionTable({ cases, totals }: RobustnessResult): Block {
  const sections = robustnessSections.flatMap(({ number, title }) => {
    const own = cases.filter((one) => one.number.startsWith(`R-${number}.`));
    const counts = verdicts.map((verdict) => own.filter((one) => one.verdict === verdict).length);
    const row = { id: `R-${number} ${title}`, cells: counts.map((one) => ({ text: `${one || '·'}` })) };
    return own.length === 0 ? [] : row;
  });
  const rows = [...sections, { id: 'in all', cells: verdicts.map((verdict) => ({ text: String(totals[verdict]) })) }];
  return { kind: 'table', columns: verdicts.map((name) => ({ name })), groups: [{ rows }] };
}

function caseFold({ number, title, verdict, came, says, curl }: CaseResult): Fold {
  const isBad = verdict === 'wrong' || verdict === 'lost';
  const clause = robustnessSections.flatMap(({ cases }) => cases).find((one) => one.number === number)?.clause ?? '';
  return {
    ...{ kind: 'fold', mark: signs[verdict], ...(isBad && { tone: 'bad' }), id: number, says: '' },
    state: `${title}${isBad || came === '' ? '' : `: ${came}`}`,
    content: [
      facts(says !== undefined && [verdict, says], isBad && ['came', came], isBad && ['clause', clause]),
      isBad && curl !== undefined && byHand(curl),
    ],
  };
}

function leftOut(cases: readonly CaseResult[]): Content {
  const unsent = cases.filter(({ verdict }) => verdict === 'left out');
  return [...groupedBy(unsent, ({ says = '' }) => says.replace(/^(left out|not sent): /, ''))].map(([reason, own]) =>
    facts(['left out', `${own.map(({ number }) => number).join(', ')}: ${reason}`]),
  );
}
