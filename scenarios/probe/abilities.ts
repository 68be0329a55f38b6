/** Features of a CSE that show in reads of its base. */

import { type FeatureId, featureIds, featureOf } from '../ics/features.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';
import type { Base } from './find-base.ts';
import { type FeatureFinding, type Finding, type Found, featureFinding, quoted, valueFinding } from './finding.ts';
import { typesIn } from './identity.ts';

interface Ability {
  readonly id: FeatureId;
  readonly question: Omit<Question, 'path'>;
  readonly judge: (answer: ProbeAnswer) => Found;
  /** Details besides success or refusal. */
  readonly details?: (answer: ProbeAnswer) => string;
}

/** Keeps answers short, however large the tree is. */
const few = { lim: 3 };

const table: readonly Ability[] = [
  {
    id: 'PICS_RESULT_CONTENT',
    question: { query: { rcn: 6, ...few } },
    judge: (answer) => (answer.success && answer.view.root === 'm2m:rrl' ? 'yes' : refused(answer)),
    details: (answer) => (answer.success ? `it answers with ${quoted(answer.view.root ?? 'something else')}` : ''),
  },
  {
    id: 'PICS_PARTIAL_RETRIEVE',
    question: { query: { atrl: 'rn' } },
    judge: (answer) => (answer.success && onlyName(answer) ? 'yes' : refused(answer)),
    details: (answer) => (answer.success && !onlyName(answer) ? 'other attributes come as well' : ''),
  },
  {
    id: 'PICS_CONDITIONAL_RETRIEVE',
    question: { query: { fu: 2, crb: '20000101T000000' } },
    judge: (answer) => (answer.view.rsc === 4004 || answer.view.status === 404 ? 'yes' : refused(answer)),
    details: (answer) => (answer.success ? 'it is served though it was not created before 2000' : ''),
  },
  {
    id: 'PICS_CBOR',
    question: { headers: { Accept: 'application/cbor' } },
    judge: (answer) => (answer.success && isCbor(answer) ? 'yes' : refused(answer)),
    details: (answer) =>
      `asked with Accept: application/cbor; Content-Type is ${quoted(answer.view.headers.get('content-type') ?? 'absent')}`,
  },
];

/** One read for each. `only`: the features to test; all of them when absent. */
export async function findAbilities(
  asker: Asker,
  base: Pick<Base, 'path'>,
  only?: ReadonlySet<string>,
): Promise<FeatureFinding[]> {
  const findings: FeatureFinding[] = [];
  for (const { id, question, judge, details } of table) {
    if (only?.has(id) === false) continue;
    const answer = await asker.ask({ path: base.path, ...question });
    const more = answer.answered ? (details?.(answer) ?? '') : '';
    const evidence = more === '' ? answer.evidence : `${answer.evidence}; ${more}`;
    findings.push(featureFinding(id, answer.answered ? judge(answer) : 'unknown', evidence));
  }
  return findings;
}

/** Whether it supports discovery, and the form of the results. */
export async function findDiscovery(asker: Asker, { path }: Base): Promise<Finding[]> {
  const answer = await asker.ask({ path, query: { fu: 1, ...few } });
  const id = 'PICS_DISCOVERY';
  if (!answer.success || answer.view.found === undefined)
    return [featureFinding(id, answer.answered ? refused(answer) : 'unknown', answer.evidence)];
  const { evidence } = answer;
  const form = valueFinding('speech', 'discovery', 'discovery answers', discoveryForm(answer), evidence);
  return [form, featureFinding(id, 'yes', evidence)];
}

/** Features with a resource type in `srt`. */
const featuresByType = featureIds.flatMap((id) => {
  const { ty } = featureOf(id);
  return ty === undefined ? [] : [{ id, ty }];
});

/** Findings from the resource types of the CSE base; unknown without a list. */
export function typeFindings(base: Base): FeatureFinding[] {
  const types = typesIn(base.attributes);
  if (types === undefined)
    return featuresByType.map(({ id }) => featureFinding(id, 'unknown', 'its CSE base has no srt'));
  const listed = (id: FeatureId, isListed: boolean, what: string) =>
    featureFinding(id, isListed ? 'yes' : 'no', `${isListed ? '' : 'no '}${what} in srt of its CSE base`);
  const announced = types.some((ty) => ty >= 10_000 && ty < 11_000);
  return [
    ...featuresByType.map(({ id, ty }) => listed(id, types.includes(ty), `ty ${ty}`)),
    listed('PICS_ANNC', announced, 'announced types'),
  ];
}

function discoveryForm({ view }: ProbeAnswer): string {
  const { body, root } = view;
  const list = root === 'm2m:uril' ? 'm2m:uril' : 'a bare list';
  const inner = root === 'm2m:uril' ? (body as Record<string, unknown>)['m2m:uril'] : body;
  return `${list}, ${Array.isArray(inner) ? 'a JSON list' : 'one text'}`;
}

function onlyName({ view }: ProbeAnswer): boolean {
  const attributes = Object.entries(view.attributes ?? {}).filter(([, value]) => value !== null);
  return attributes.length === 1 && attributes[0]?.[0] === 'rn';
}

/** Invalid CBOR is a text, without a root. */
function isCbor({ view }: ProbeAnswer): boolean {
  return /cbor/.test(view.headers.get('content-type') ?? '') && view.root !== undefined;
}

/** A failure denies a feature only with NOT_IMPLEMENTED (TS-0004 6.6.3.6). */
function refused({ view }: ProbeAnswer): Found {
  return view.rsc === 5001 || (view.status === 501 && view.rsc === undefined) ? 'no' : 'unknown';
}
