import type pc from 'picocolors';
import { type Difference, type DiffResult, deathsBySide } from '../../scenarios/index.ts';
import { deathLines } from '../explore/page.ts';
import { cut, displayWidth, wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { targetName } from './target-name.ts';

export interface DiffPage {
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  /** Where scenarios were written, by the signatures of differences. */
  readonly files: ReadonlyMap<string, string>;
}

/** A comparison for people. */
export function diffText(result: DiffResult, page: DiffPage): string {
  const { differences, deaths = [], notes, exit, targets } = result;
  const lines = [
    ...wrap(visibleText(targetName(targets.A)), page.columns, 'A  '),
    ...wrap(visibleText(targetName(targets.B)), page.columns, 'B  '),
    '',
    ...deathsBySide(deaths).flatMap(([side, those]) => deathLines({ deaths: those }, page, `${side}: `)),
    ...differences.flatMap((one, at) => [...differenceLines(one, at, { ...page, result }), '']),
    ...comparedLines(result, page),
    ...notes.flatMap((note) => wrap(visibleText(note), page.columns, 'note: ')),
    '',
    ...wrap(`${headOf(result)}: ${visibleText(exit.reason)}`, page.columns),
  ];
  return `${lines.join('\n')}\n`;
}

function headOf({ exit, differences, deaths = [] }: DiffResult): string {
  if (exit.code === 1 && deaths.length > 0) return 'A target died';
  if (exit.code === 1) return counted(differences.length, 'difference');
  return { 0: 'Nothing found', 2: 'Not run', 3: 'No verdict', 4: 'Inconclusive', 130: 'Interrupted' }[exit.code];
}

type Page = DiffPage & { readonly result: DiffResult };

function differenceLines(one: Difference, at: number, page: Page): string[] {
  const { columns, colors, files, result } = page;
  const told = (label: string, text: string) => wrap(visibleText(text), columns, `   ${label.padEnd(9)} `);
  const { operations, attempts, smallest, confirmed, compared, requirement } = one;
  const number = `${at + 1}`.padEnd(3);
  const length = `${counted(operations.found, 'operation')} at first, ${operations.left.length} after ${counted(attempts, 'attempt')}`;
  const file = files.get(one.signature);
  return [
    ...wrap(headline(one), columns, number).map((line) => (one.right === 'gap' ? line : colors.bold(line))),
    ...(requirement === undefined ? [] : told(one.right === 'gap' ? 'our CSE' : 'says', requirement.says)),
    ...told('differs', `${one.part}, in the answer to: ${one.about}. A: ${compared.A}; B: ${compared.B}`),
    ...one.steps.flatMap((step, index) => told(`  ${index + 1}`, step)),
    ...rowLines(one, page),
    ...told('length', smallest ? length : `${length}; a shorter one was not looked for to the end`),
    ...followsLines(one, result).flatMap((text) => told('follows', text)),
    ...(confirmed === false
      ? told('note', 'as a scenario by itself it did not fail: it depends on what was before, or comes and goes')
      : []),
    ...(file === undefined ? [] : told('written', `${file}, for cselab check`)),
    ...told('again', `cselab diff … --seed ${result.seed} --path ${one.path}`),
    // To be copied, so that they are not broken.
    `   A by hand ${visibleText(one.curl.A)}`,
    `   B by hand ${visibleText(one.curl.B)}`,
  ];
}

function headline({ right, requirement, part }: Difference): string {
  const id = requirement?.id;
  if (right === 'neither') return `${id}: neither keeps it`;
  if (right === 'gap') return id === undefined ? `gap: nothing in the catalogue speaks of ${part} here` : `gap: ${id}`;
  return `${id}: ${right} keeps it, ${right === 'A' ? 'B' : 'A'} does not`;
}

/** Numbers of those that show earlier in the same sequence. */
function followsLines({ after }: Difference, { differences }: DiffResult): string[] {
  const numbers = differences.flatMap(({ signature }, at) => (after.includes(signature) ? [at + 1] : []));
  return numbers.length === 0 ? [] : [`perhaps from ${numbers.join(', ')}, which shows earlier in the same sequence`];
}

const nameColumns = 14;

/** Both answers beside each other. */
function rowLines({ rows }: Difference, { columns, colors }: Page): string[] {
  const width = Math.max(Math.floor((columns - nameColumns - 9) / 2), 12);
  const cell = (text: string) => {
    const shown = cut(visibleText(text), width);
    return shown + ' '.repeat(Math.max(width - displayWidth(shown), 0));
  };
  const line = (mark: string, name: string, a: string, b: string) =>
    `   ${mark} ${cut(name, nameColumns).padEnd(nameColumns)}  ${cell(a)}  ${cell(b)}`.trimEnd();
  const written = rows.map(({ name, A = '–', B = '–', differs }) => {
    const text = line(differs ? '≠' : ' ', visibleText(name), A, B);
    return differs ? colors.yellow(text) : text;
  });
  return [line(' ', '', 'A', 'B'), ...written];
}

function comparedLines({ sequences, compared, took, normalised, exercised }: DiffResult, page: DiffPage): string[] {
  const listed = (label: string, counts: Readonly<Record<string, number>>) =>
    wrap(
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
        .join(', '),
      page.columns,
      label.padEnd(14),
    );
  const rules = normalised.flatMap(({ says, gaps = [], times }) => {
    const open = gaps.length === 0 ? '' : ` (${gaps.join(', ')})`;
    return wrap(`${says}${open}: ${times.toLocaleString('en')} times`, page.columns, '  ');
  });
  return [
    `${counted(sequences, 'sequence')}, ${counted(compared, 'answer')} of each compared; ${durationText(took)} in all`,
    ...listed('operations', exercised.operations),
    ...(page.verbose
      ? [...listed('requirements', exercised.requirements), 'not told where it differs:', ...rules]
      : [`${'not told'.padEnd(14)}${counted(normalised.length, 'kind')} of difference; -v lists them`]),
  ];
}
