/** What a CSE can do that shows in reads of its base. */

import { type FeatureId, featureIds, featureOf } from '../statement/features.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';
import type { Base } from './find-base.ts';
import { type FeatureFinding, type Finding, type Found, featureFinding, quoted, told } from './finding.ts';
import { kindsIn } from './identity.ts';

interface Ability {
  readonly id: FeatureId;
  readonly question: Omit<Question, 'path'>;
  readonly judge: (seen: ProbeAnswer) => Found;
  /** What is seen beside success or refusal. */
  readonly tells?: (seen: ProbeAnswer) => string;
}

/** Keeps answers short, whatever a live tree holds. */
const few = { lim: 3 };

const table: readonly Ability[] = [
  {
    id: 'PICS_RESULT_CONTENT',
    question: { query: { rcn: 6, ...few } },
    judge: (seen) => (seen.success && seen.view.root === 'm2m:rrl' ? 'yes' : refused(seen)),
    tells: (seen) => (seen.success ? `it answers with ${quoted(seen.view.root ?? 'something else')}` : ''),
  },
  {
    id: 'PICS_PARTIAL_RETRIEVE',
    question: { query: { atrl: 'rn' } },
    judge: (seen) => (seen.success && onlyName(seen) ? 'yes' : refused(seen)),
    tells: (seen) => (seen.success && !onlyName(seen) ? 'other attributes come as well' : ''),
  },
  {
    id: 'PICS_CONDITIONAL_RETRIEVE',
    question: { query: { fu: 2, crb: '20000101T000000' } },
    judge: (seen) => (seen.view.rsc === 4004 || seen.view.status === 404 ? 'yes' : refused(seen)),
    tells: (seen) => (seen.success ? 'it is served though it was not created before 2000' : ''),
  },
  {
    id: 'PICS_CBOR',
    question: { headers: { Accept: 'application/cbor' } },
    judge: (seen) => (seen.success && isCbor(seen) ? 'yes' : refused(seen)),
    tells: (seen) =>
      `asked with Accept: application/cbor; Content-Type is ${quoted(seen.view.headers.get('content-type') ?? 'absent')}`,
  },
];

/** One read for each. `only`: the features that are asked for; all of them when absent. */
export async function findAbilities(
  asker: Asker,
  base: Pick<Base, 'path'>,
  only?: ReadonlySet<string>,
): Promise<FeatureFinding[]> {
  const findings: FeatureFinding[] = [];
  for (const { id, question, judge, tells } of table) {
    if (only?.has(id) === false) continue;
    const seen = await asker.ask({ path: base.path, ...question });
    const more = seen.answered ? (tells?.(seen) ?? '') : '';
    const evidence = more === '' ? seen.evidence : `${seen.evidence}; ${more}`;
    findings.push(featureFinding(id, seen.answered ? judge(seen) : 'unknown', evidence));
  }
  return findings;
}

/** Whether it discovers, and how it words what it found. */
export async function findDiscovery(asker: Asker, { path }: Base): Promise<Finding[]> {
  const seen = await asker.ask({ path, query: { fu: 1, ...few } });
  const id = 'PICS_DISCOVERY';
  if (!seen.success || seen.view.found === undefined) {
    return [featureFinding(id, seen.answered ? refused(seen) : 'unknown', seen.evidence)];
  }
  const { evidence } = seen;
  const form = told('speech', 'discovery', 'discovery answers', discoveryForm(seen), evidence);
  return [form, featureFinding(id, 'yes', evidence)];
}

/** Kinds that a CSE base lists in `srt`. */
const featuresByKind: ReadonlyArray<{ readonly id: FeatureId; readonly ty: number }> = featureIds.flatMap((id) => {
  const { ty } = featureOf(id);
  return ty === undefined ? [] : [{ id, ty }];
});

/** The kinds that its CSE base lists; without a list nothing is known of them. */
export function kindFindings(base: Base): FeatureFinding[] {
  const kinds = kindsIn(base.attributes);
  if (kinds === undefined) {
    return featuresByKind.map(({ id }) => featureFinding(id, 'unknown', 'its CSE base has no srt that could tell'));
  }
  const listed = (id: FeatureId, isListed: boolean, what: string) =>
    featureFinding(id, isListed ? 'yes' : 'no', `${isListed ? '' : 'no '}${what} in srt of its CSE base`);
  const announced = kinds.some((ty) => ty >= 10_000 && ty < 11_000);
  return [
    ...featuresByKind.map(({ id, ty }) => listed(id, kinds.includes(ty), `ty ${ty}`)),
    listed('PICS_ANNC', announced, 'announced kinds'),
  ];
}

function discoveryForm({ view }: ProbeAnswer): string {
  const { body, root } = view;
  const list = root === 'm2m:uril' ? 'm2m:uril' : 'a bare list';
  const inner = root === 'm2m:uril' ? (body as Record<string, unknown>)['m2m:uril'] : body;
  return `${list}, ${Array.isArray(inner) ? 'a JSON list' : 'one text'}`;
}

function onlyName({ view }: ProbeAnswer): boolean {
  const given = Object.entries(view.attributes ?? {}).filter(([, value]) => value !== null);
  return given.length === 1 && given[0]?.[0] === 'rn';
}

/** What is said to be CBOR and is none comes as a text. */
function isCbor({ view }: ProbeAnswer): boolean {
  return /cbor/.test(view.headers.get('content-type') ?? '') && view.root !== undefined;
}

/** What fails is not denied by that, unless the CSE says so: NOT_IMPLEMENTED (TS-0004 6.6.3.6). */
function refused({ view }: ProbeAnswer): Found {
  return view.rsc === 5001 || (view.status === 501 && view.rsc === undefined) ? 'no' : 'unknown';
}
