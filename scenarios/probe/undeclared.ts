/** Features that work though the ICS of a target file denies them. */
import { defaultOriginator } from '../engine/messages/usual-headers.ts';
import type { Claim } from '../engine/results/run-context.ts';
import { type Installation, wayFor } from '../engine/targets/installation.ts';
import { findAbilities } from './abilities.ts';
import { Asker } from './asker.ts';
import { tryTypes } from './by-writing.ts';
import { inSubtree, ownName, trials, type WritingTrial } from './subtree.ts';

/** A run before its end, still with guard and ledger. */
interface CheckedRun {
  readonly run: string;
  readonly installation: Installation;
}

/** Least milliseconds between two requests. */
const gap = 20;
const mostRequests = 30;

/**
 * Sends one request for each denied feature: reads of the CSE base, and creates in a subtree that is deleted again. None makes the
 * target send or keep a request. Ends at the first missing answer. Returns evidence for each feature that works, and as notes what
 * could not be deleted, and why it ended early.
 */
export async function undeclared(
  checked: CheckedRun,
  claims: readonly Claim[],
  signal?: AbortSignal,
): Promise<{ readonly works: ReadonlyMap<string, string>; readonly notes: readonly string[] }> {
  const open = new Set<string>(claims.filter(({ claim }) => claim === 'no').map(({ id }) => id));
  const asker = await askerOf(checked, signal);
  const path = `/${checked.installation.gateway.description.base}`;
  const reads = await findAbilities(asker, { path }, open);
  const chosen = chosenTrials(open);
  const tried = chosen.length === 0 ? { result: [], left: [] } : await tryCreating(asker, checked, chosen);
  const works = [...reads, ...tried.result].filter(({ id, found }) => found === 'yes' && open.has(id));
  const notes = [
    ...tried.left.map((left) => `${left}, created to see what works, could not be deleted`),
    ...(asker.silence === undefined ? [] : [`undeclared features were not tested any further: ${asker.silence}`]),
  ];
  return { works: new Map(works.map(({ id, evidence }) => [id, evidence])), notes };
}

async function askerOf({ installation }: CheckedRun, signal: AbortSignal | undefined): Promise<Asker> {
  const { gateway, dialect, release, admin, originator, usualCertificate, certificates } = installation;
  const { certificate } = await wayFor(usualCertificate, certificates);
  return new Asker(gateway, {
    ...{ gap, most: mostRequests, patience: 1, dialect, release, certificate, signal },
    originator: originator ?? (dialect === 'documented' ? undefined : (admin ?? defaultOriginator)),
  });
}

/** The first trial of each open feature, and the container if one of them needs it. */
function chosenTrials(open: ReadonlySet<string>): WritingTrial[] {
  const first = trials.filter(
    ({ feature }, at) => open.has(feature) && trials.findIndex((one) => one.feature === feature) === at,
  );
  const needsContainer = first.some(({ needs }) => needs !== undefined);
  const [container] = trials;
  return needsContainer && container !== undefined && !first.includes(container) ? [container, ...first] : first;
}

async function tryCreating(asker: Asker, { run, installation }: CheckedRun, chosen: readonly WritingTrial[]) {
  const { dialect, admin, originator, lifetime, gateway } = installation;
  const originators = [originator ?? (dialect === 'documented' ? undefined : ownName)];
  const base = `/${gateway.description.base}`;
  const expiration = lifetime?.expiration() ?? 'untold';
  const probeContext = { asker, run, dialect, base, originators, free: false, admin, expiration };
  return inSubtree(probeContext, async (subtree) => {
    const context = await subtree.open();
    return context === undefined ? [] : tryTypes(subtree, context, chosen);
  });
}
