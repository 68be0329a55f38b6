/** What a run would do; nothing is sent. */
import type { DryRequest, DryRun, ListedScenario } from '../../scenarios/index.ts';
import { type Content, prose } from '../document/model.ts';
import { counted, groupedBy } from '../facts/wording.ts';

export function scenarioPlanBlocks(scenarios: readonly ListedScenario[]): Content {
  return scenarios.map(({ id, title, needs, inapplicable, steps }) => [
    id,
    prose(title, '    '),
    steps.map((step) => step.asks && prose(step.title, '    ')),
    needs.length > 0 && prose(`needs ${needs.join(', ')}`, '    '),
    inapplicable !== undefined && prose(`not applicable: ${inapplicable}`, '    '),
  ]);
}

export function scenarioPlanSummary(scenarios: readonly ListedScenario[]): string {
  const idle = scenarios.filter(({ inapplicable }) => inapplicable !== undefined).length;
  return `${counted(scenarios.length, 'scenario')}${idle > 0 ? `, ${idle} of them not applicable` : ''}`;
}

export function dryRunBlocks({ requests, questions, skipped }: DryRun): Content {
  const all: Array<DryRequest | DryRun['questions'][number]> = [...requests, ...questions];
  const byHeading = groupedBy(all, (one) => one.scenario ?? `(${'phase' in one ? one.phase : ''} the scenarios)`);
  const blocks = (one: (typeof all)[number]) => ('request' in one ? sendBlocks(one) : prose(`ask: ${one.text}`, '  '));
  return [
    [...byHeading].map(([title, own]) => [title, own.map(blocks)]),
    skipped.map(({ scenario, reason, state }) => [scenario, prose(`${state}: ${reason}`, '  ')]),
  ];
}

function sendBlocks({ phase, on, request, originator, certificate, objection }: DryRequest): Content {
  const { exactBytes, method, path, body } = request;
  const parts = [
    `${phase === 'step' ? '' : `${phase}: `}${exactBytes ? 'exact bytes' : `${method} ${path}`}`,
    on !== undefined && 'at the backend',
    originator !== undefined && `as ${originator}`,
    certificate !== undefined && `with the certificate "${certificate}"`,
  ];
  return [
    prose(parts.filter(Boolean).join(' '), '  ', { isWhole: true }),
    body !== undefined && prose(body, '      ', { isWhole: true }),
    objection !== undefined && prose(objection, '      '),
  ];
}

export function dryRunSummary({ requests, questions, skipped }: DryRun): string {
  const unsent = requests.filter(({ objection }) => objection !== undefined).length;
  const leftOut = requests.filter((one) => one.leftOut).length;
  const inState = (state: DryRun['skipped'][number]['state']) => skipped.filter((one) => one.state === state).length;
  const parts = [
    counted(requests.length - unsent, 'request'),
    unsent > leftOut && `, ${unsent - leftOut} more held back`,
    leftOut > 0 && `, ${leftOut} more left out as a risk`,
    questions.length > 0 && `, ${counted(questions.length, 'question')} to a person`,
    ...(['not applicable', 'left out'] as const).map(
      (state) => inState(state) > 0 && `; ${counted(inState(state), 'scenario')} ${state}`,
    ),
  ];
  return parts.filter(Boolean).join('');
}
