import { documentedKinds, kindFacts } from '../model/resource.ts';
import type { About, Came } from '../moves/move.ts';
import type { Course } from './parted.ts';

/** Where a part of an answer stands, for which the model expects nothing that the specification states. */
interface OpenPart {
  readonly part: string;
  readonly about: About;
  /** At one of the two. */
  readonly came: Came;
  readonly course: Pick<Course, 'removed' | 'limited'>;
}

/** Requirements of the catalogue by which a part of an answer is left open, by the part and then by the operation; `*` for all others. */
const gaps: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries<Readonly<Record<string, string>>>({
    'header content-type': { '*': 'wire.answer-content-type' },
    'header content-location': { '*': 'headers.content-location' },
    'header x-m2m-ri': { '*': 'headers.request-identifier.echoed' },
    'header x-m2m-rvi': { '*': 'headers.release-version.echoed' },
    RSC: {
      create: 'headers.response-status-code.created',
      update: 'headers.response-status-code.updated',
      delete: 'headers.response-status-code.deleted',
      discover: 'headers.response-status-code.discovered',
      '*': 'headers.response-status-code.retrieved',
    },
    'attribute aei': { '*': 'ae.aei.generated' },
    'attribute nl': { '*': 'ae.nl.placeholder' },
    'attribute lbl': { update: 'labels.update', '*': 'labels.retrieved' },
    'attribute lt': { update: 'update.changes-lt', '*': 'common.lt.equals-ct-at-first' },
    'attribute ct': { update: 'update.keeps-ct' },
    'attribute et': { '*': 'common.et.default-lifetime' },
    'attribute rn': { create: 'content-instance.rn.assigned-differs', '*': 'container.create.without-rn' },
    'attribute cr': { '*': 'container.cr.originator' },
    'attribute mni': { '*': 'retention.mni.accepted' },
    'attribute mbs': { '*': 'retention.mbs.accepted' },
    found: { '*': 'discovery.filter.different-criteria' },
  }).map(([part, byOperation]) => [part, new Map(Object.entries(byOperation))]),
);

/** The same for refusals. */
const gapsOfRefusals: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'header x-m2m-ri': 'headers.request-identifier.echoed-on-refusal',
    'header x-m2m-rvi': 'headers.release-version.echoed',
  }),
);

/** The same for what depends on the kind of the resource. */
const gapsOfKinds: ReadonlyMap<string, string> = new Map([
  ['ae ch', 'ae.ch.without-children'],
  ['ae pi', 'cse-base.ri'],
  ['container ch', 'container.ch.instances'],
  ['container st', 'container.st.counts-creations'],
  ['container pi', 'container.nested.parent'],
]);

/** The gap of the catalogue that leaves a part open; undefined where none speaks of it. */
export function gapOf(open: OpenPart): string | undefined {
  const { part, about, came } = open;
  if (came.outcome !== 'success') return gapsOfRefusals.get(part);
  if (part === 'body' || part === 'root') return gapOfBody(about);
  if (part === 'attribute cni' || part === 'attribute cbs') return gapOfCounter(open);
  if (part === 'attribute cs') return gapOfSize(came);
  const ofKind = gapsOfKinds.get(`${about.kind} ${part.replace('attribute ', '')}`);
  const ofPart = gaps.get(part);
  return ofKind ?? ofPart?.get(about.operation) ?? ofPart?.get('*');
}

function gapOfBody({ operation, kind }: About): string | undefined {
  if (operation === 'discover') return 'discovery.result.list-of-addresses';
  const isKind = documentedKinds.find((one) => one === kind);
  if (isKind === undefined) return undefined;
  const { area } = kindFacts[isKind];
  if (operation === 'delete') return `${area}.delete.representation`;
  return operation === 'update' ? `update.${area}.answer` : undefined;
}

function gapOfCounter({ part, course: { removed, limited } }: OpenPart): string | undefined {
  if (removed) return part === 'attribute cni' ? 'container.cni.after-removal' : 'container.cbs.after-removal';
  if (limited) return part === 'attribute cni' ? 'retention.mni.holds' : 'retention.mbs.holds';
  return part === 'attribute cbs' ? 'container.cbs.beyond-ascii' : undefined;
}

function gapOfSize({ view: { attributes } }: Came): string | undefined {
  if (attributes?.cnf === 'application/json:1') return 'content-instance.cs.base64';
  return /^[\x20-\x7e]*$/.test(String(attributes?.con)) ? undefined : 'content-instance.cs.beyond-ascii';
}
