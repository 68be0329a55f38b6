/** A comparison for people. */

import type { Difference, DiffResult } from '../../scenarios/index.ts';
import { deathsBySide } from '../../scenarios/words.ts';
import { deathBlocks } from '../check/run-blocks.ts';
import { type Content, details, type Fold, facts, fold, only, prose, steps } from '../document/model.ts';
import type { TerminalText } from '../document/terminal.ts';
import { countFact, exitWords, lengthFact } from '../explore/exploration-document.ts';
import { counted, durationText } from '../facts/wording.ts';

/** A target in a few words. */
export function targetName({ kind, url, product, deviations }: DiffResult['targets']['A']): string {
  if (kind !== 'in-process') return product === undefined ? url : `${url} (${product})`;
  return deviations === undefined ? 'the reference CSE' : `the reference CSE with ${deviations.join(', ')}`;
}

/** `files`: where the scenarios of differences were written. */
export function diffDocument(result: DiffResult, files: readonly (string | undefined)[]): TerminalText {
  const { differences, deaths = [], notes, exit, targets } = result;
  return {
    intro: facts(['A', targetName(targets.A)], ['B', targetName(targets.B)]),
    views: [
      { content: deathsBySide(deaths).map(([side, own]) => deathBlocks({ deaths: own }, `${side}: `)) },
      ...differences.map((one, at) => ({ content: differenceFold(one, `${at + 1}`, result, files[at]) })),
      { content: comparedBlocks(result) },
    ],
    lead: notes.map((note) => `note: ${note}`),
    headline: `${headOf(result)}: ${exit.reason}`,
  };
}

function headOf({ exit, differences, deaths = [] }: DiffResult): string {
  if (exit.code === 1) return deaths.length > 0 ? 'A target died' : counted(differences.length, 'difference');
  return exitWords[exit.code];
}

function differenceFold(one: Difference, mark: string, { seed, differences }: DiffResult, file?: string): Fold {
  const { operations, confirmed, compared, requirement, part, about, curl, right, path, isScenario } = one;
  const follows = differences.flatMap(({ signature }, at) => (one.after.includes(signature) ? [at + 1] : []));
  const differs = `${part}, in the answer to: ${about}. A: ${compared.A}; B: ${compared.B}`;
  const rows = one.rows.map(({ name, A = '–', B = '–', differs }) => {
    return { id: name, cells: [{ text: A }, { text: B }], ...(differs && { mark: '≠' }) };
  });
  const sizes = isScenario
    ? ([counted(operations.found, 'step'), one.steps.length] as const)
    : ([counted(operations.found, 'operation'), operations.left.length] as const);
  const seenOnce = 'as a scenario by itself it did not fail: it depends on what was before, or comes and goes';
  return fold(headline(one), '', { mark }, [
    facts(requirement && [right === 'gap' ? 'our CSE' : 'says', requirement.says], ['differs', differs]),
    steps(one.steps),
    { kind: 'table', columns: [{ name: 'A' }, { name: 'B' }], groups: [{ rows }] },
    facts(
      lengthFact(one, sizes, 'a shorter one was not looked for to the end'),
      follows.length > 0 && ['follows', `perhaps from ${follows.join(', ')}, which shows earlier in the same sequence`],
      confirmed === false && ['note', seenOnce],
      file !== undefined && ['written', `${file}, for cselab check`],
      ['again', `cselab diff … ${isScenario ? `--scenarios ${path}` : `--seed ${seed} --path ${path}`}`],
    ),
    (['A', 'B'] as const).map((side) => prose(curl[side], `${side} by hand `, { isWhole: true })),
  ]);
}

/** What both were sent. */
export function effortText({ sequences, scenarios }: Pick<DiffResult, 'sequences' | 'scenarios'>): string {
  const sequenceCount = counted(sequences, 'sequence');
  return scenarios === 0 ? sequenceCount : `${counted(scenarios, 'scenario')}, ${sequenceCount}`;
}

function headline({ right, requirement, part }: Difference): string {
  const id = requirement?.id;
  if (right === 'neither') return `${id}: neither keeps it`;
  if (right === 'gap') return id === undefined ? `gap: nothing in the catalogue speaks of ${part} here` : `gap: ${id}`;
  return `${id}: ${right} keeps it, ${right === 'A' ? 'B' : 'A'} does not`;
}

function comparedBlocks({ sequences, scenarios, compared, took, normalised, exercised }: DiffResult): Content {
  const rules = normalised.map(({ says, gaps = [], times }) => {
    const open = gaps.length === 0 ? '' : ` (${gaps.join(', ')})`;
    return `${says}${open}: ${times.toLocaleString('en')} times`;
  });
  return [
    `${effortText({ sequences, scenarios })}, ${counted(compared, 'answer')} of each compared; ${durationText(took)} in all`,
    facts(countFact('operations', exercised.operations)),
    only('verbose', facts(countFact('requirements', exercised.requirements)), details('permitted differences', rules)),
    only('brief', facts(['permitted', `${counted(normalised.length, 'kind')} of difference; -v lists them`])),
  ];
}
