/** Bytes that break the law in the words of the scenario grammar. */
import type { Actor } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { written } from '../../recording/literals.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import { bytePartsOf, type Literal } from './byte-parts.ts';
import type { ExploredPlace } from './place.ts';
import type { Site } from './site.ts';
import type { FoundBytes } from './wire-search.ts';

const sender = 'sender';
const name = written('name');
const application = `/${written('base')}/${name}-w`;

/** The application entity and the container, the bytes, and the check that fails. */
export function wireScenarioOf(
  found: FoundBytes,
  { site, explored, label }: { readonly site: Site; readonly explored: ExploredPlace; readonly label: string },
): CounterexampleScenario {
  const { dialect, originator: ofAll } = site.installation;
  const { base } = site.description;
  const literals: Literal[] = [
    [`/${base}/${label}-w`, application],
    [`C${label}`, `C${name}`],
    [label, name],
    [`Host: ${explored.place.host}`, `Host: ${written('host')}`],
  ];
  const bytes = bytePartsOf(found.wire.bytes, literals);
  const acts = explored.originator !== undefined && ofAll === undefined;
  const as = acts ? { as: sender } : {};
  const rr = dialect === 'onem2m' ? true : 'TRUE';
  const { before, raw, after } = judged(found);
  const steps = [
    { create: 'ae', in: `/${written('base')}`, attributes: { rn: `${name}-w`, api: 'Nwire', rr }, ...as },
    { create: 'container', in: application, attributes: { rn: 'c' }, ...as },
    ...before.map((step) => ({ ...step, ...as })),
    { raw: { bytes }, expect: 'either', ...raw },
    ...after.map((step) => ({ ...step, ...as })),
  ];
  const actors: Record<string, Actor> = acts ? { [sender]: { registered: false, originator: `C${name}` } } : {};
  return { actors, steps: steps as unknown as Step[] };
}

interface Judged {
  /** Steps before the bytes and after them, and what their own step has beside them. */
  readonly before: readonly object[];
  readonly raw: object;
  readonly after: readonly object[];
}

function judged({ breach, changed }: FoundBytes): Judged {
  const { kind, requirement } = breach;
  const checking = (check: Check) => ({ check: { [requirement]: check } });
  switch (kind) {
    case 'success':
      return { before: [], raw: checking({ status: { not: { between: [200, 299] } } }), after: [] };
    case 'failure':
    case 'no HTTP':
      return { before: [], raw: checking({ status: { not: 500 } }), after: [] };
    case 'silence':
      return { before: [], raw: checking({ 'one of': inTime }), after: [] };
    case 'gone':
      return {
        before: [],
        raw: {},
        after: [{ retrieve: `${application}/c`, expect: 'either', ...checking({ status: 200 }) }],
      };
    case 'out of step':
    case 'split apart':
      throw new TypeError('a scenario sends one request over a connection, in one piece');
    case 'changed':
      return unchanged(`${application}${changed?.below ?? ''}`, changed?.attribute, checking);
  }
}

const inTime: NonNullable<Check['one of']> = [
  { status: { between: [100, 599] }, source: 'an answer within the limit' },
  { connection: 'closed', source: 'RFC 9112, 9.6: a connection that is closed' },
];

function unchanged(
  path: string,
  attribute: string | undefined,
  checking: (check: Check) => { readonly check: object },
): Judged {
  if (attribute === undefined) {
    return { before: [], raw: {}, after: [{ retrieve: path, expect: 'either', ...checking({ status: 200 }) }] };
  }
  return {
    before: [{ retrieve: path, capture: { before: attribute } }],
    raw: {},
    after: [{ retrieve: path, ...checking({ attributes: { [attribute]: { 'same as': written('before') } } }) }],
  };
}
