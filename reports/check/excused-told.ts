/** What fails and does not count, for a text: what a baseline knows, and what another dialect says. */
import type { RunResult } from '../../scenarios/index.ts';
import { type Content, type Fold, only } from '../document/model.ts';
import { actualsOf, type Evidence, evidenceIn, indexEvidence, placeText } from '../evidence.ts';
import { excuseText } from '../excuse.ts';
import { looks } from '../wording.ts';

/** Each requirement of another dialect that the target does not keep. */
export function advisoryTold(result: RunResult): Fold[] {
  const evidence = indexEvidence(result);
  const advisory = result.requirements.filter(({ verdict }) => verdict === 'advisory');
  return advisory.map(({ id, says, source, violations }) => {
    const failures = violations.flatMap((reference) => evidence.at(reference) ?? []);
    return {
      ...{ kind: 'fold', id, says: `${says} (${source})`, ...looks.advisory },
      content: [{ kind: 'list', items: actualsOf(failures) }, only('verbose', failures.map(placeTold))],
    };
  });
}

/** The deviations that the baseline excuses, each with who answers for it. */
export function knownTold({ requirements }: RunResult, known: readonly Evidence[]): Fold[] {
  return requirements.flatMap(({ id, says }) => {
    const own = known.filter(({ check }) => check.requirement === id);
    const excuses = [...new Set(own.map(excuseOf))];
    if (own.length === 0) return [];
    const content = excuses.map((excuse): Content => {
      const same = own.filter((one) => excuseOf(one) === excuse);
      return [
        { kind: 'list', items: [excuse] },
        only(
          'verbose',
          actualsOf(same).map((words) => ({ kind: 'prose', sign: '  ', words })),
          same.map(placeTold),
        ),
      ];
    });
    return [{ kind: 'fold', id, says, mark: '~', tone: 'open', content }];
  });
}

export function knownIn({ scenarios }: RunResult): Evidence[] {
  return scenarios.flatMap(evidenceIn).filter(({ check }) => check.known !== undefined);
}

function excuseOf({ check }: Evidence): string {
  return excuseText(check.known ?? {});
}

function placeTold({ check, scenario }: Evidence): Content {
  return { kind: 'prose', sign: '  ', words: { text: `${placeText(check)}  ${scenario.id}`, as: 'muted' } };
}
