/** A comparison for people. */
import { type Difference, type DiffResult, deathsBySide } from '../../scenarios/index.ts';
import { deathsTold } from '../check/run-told.ts';
import { type Content, type Fold, facts, only, steps } from '../document/model.ts';
import type { Told } from '../document/terminal.ts';
import { countFact } from '../explore/told.ts';
import { counted, durationText } from '../wording.ts';

/** A target in a few words. */
export function targetName({ kind, url, product, faults }: DiffResult['targets']['A']): string {
  if (kind !== 'in-process') return product === undefined ? url : `${url} (${product})`;
  return faults === undefined ? 'the reference CSE' : `the reference CSE with ${faults.join(', ')}`;
}

/** `files`: where scenarios were written, by the signatures of differences. */
export function diffTold(result: DiffResult, files: ReadonlyMap<string, string>): Told {
  const { differences, deaths = [], notes, exit, targets } = result;
  return {
    intro: facts(['A', targetName(targets.A)], ['B', targetName(targets.B)]),
    views: [
      { content: deathsBySide(deaths).map(([side, those]) => deathsTold({ deaths: those }, `${side}: `)) },
      ...differences.map((one, at) => ({ content: differenceFold(one, `${at + 1}`, { result, files }) })),
      { content: comparedTold(result) },
    ],
    lead: notes.map((note) => `note: ${note}`),
    headline: `${headOf(result)}: ${exit.reason}`,
  };
}

function headOf({ exit, differences, deaths = [] }: DiffResult): string {
  if (exit.code === 1 && deaths.length > 0) return 'A target died';
  if (exit.code === 1) return counted(differences.length, 'difference');
  return { 0: 'Nothing found', 2: 'Not run', 3: 'No verdict', 4: 'Inconclusive', 130: 'Interrupted' }[exit.code];
}

interface Around {
  readonly result: DiffResult;
  readonly files: ReadonlyMap<string, string>;
}

function differenceFold(one: Difference, number: string, { result, files }: Around): Fold {
  const { operations, attempts, smallest, confirmed, compared, requirement, part, about, curl, right, path } = one;
  const length = `${counted(operations.found, 'operation')} at first, ${operations.left.length} after ${counted(attempts, 'attempt')}`;
  const file = files.get(one.signature);
  const follows = result.differences.flatMap(({ signature }, at) => (one.after.includes(signature) ? [at + 1] : []));
  return {
    ...{ kind: 'fold', mark: number, id: headline(one), says: '' },
    content: [
      facts(requirement && [right === 'gap' ? 'our CSE' : 'says', requirement.says], [
        'differs',
        `${part}, in the answer to: ${about}. A: ${compared.A}; B: ${compared.B}`,
      ]),
      steps(one.steps),
      {
        ...{ kind: 'table', columns: [{ name: 'A' }, { name: 'B' }] },
        groups: [
          {
            rows: one.rows.map(({ name, A = '–', B = '–', differs }) => ({
              ...{ id: name, cells: [{ text: A }, { text: B }], ...(differs && { mark: '≠' }) },
            })),
          },
        ],
      },
      facts(
        ['length', smallest ? length : `${length}; a shorter one was not looked for to the end`],
        follows.length > 0 && [
          'follows',
          `perhaps from ${follows.join(', ')}, which shows earlier in the same sequence`,
        ],
        confirmed === false && [
          'note',
          'as a scenario by itself it did not fail: it depends on what was before, or comes and goes',
        ],
        file !== undefined && ['written', `${file}, for cselab check`],
        ['again', `cselab diff … --seed ${result.seed} --path ${path}`],
      ),
      (['A', 'B'] as const).map((side) => ({
        ...{ kind: 'prose', sign: `${side} by hand `, words: curl[side], isWhole: true },
      })),
    ],
  };
}

function headline({ right, requirement, part }: Difference): string {
  const id = requirement?.id;
  if (right === 'neither') return `${id}: neither keeps it`;
  if (right === 'gap') return id === undefined ? `gap: nothing in the catalogue speaks of ${part} here` : `gap: ${id}`;
  return `${id}: ${right} keeps it, ${right === 'A' ? 'B' : 'A'} does not`;
}

function comparedTold({ sequences, compared, took, normalised, exercised }: DiffResult): Content {
  const rules = normalised.map(({ says, gaps = [], times }) => {
    const open = gaps.length === 0 ? '' : ` (${gaps.join(', ')})`;
    return `${says}${open}: ${times.toLocaleString('en')} times`;
  });
  return [
    `${counted(sequences, 'sequence')}, ${counted(compared, 'answer')} of each compared; ${durationText(took)} in all`,
    facts(countFact('operations', exercised.operations)),
    only('verbose', facts(countFact('requirements', exercised.requirements)), {
      ...{ kind: 'details', summary: 'not told where it differs', content: rules },
    }),
    only('brief', facts(['not told', `${counted(normalised.length, 'kind')} of difference; -v lists them`])),
  ];
}
