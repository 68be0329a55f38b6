/** What works though a conformance statement does not claim it. */
import type { Claim } from '../engine/result.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { findAbilities } from './abilities.ts';
import type { Asker } from './asker.ts';
import { type Limits, readerOf } from './assume.ts';
import { findBase } from './find-base.ts';
import type { FeatureFinding } from './finding.ts';
import { ownName, Subtree } from './subtree.ts';
import { trials } from './trials.ts';
import { tryKinds } from './written.ts';

/** Milliseconds between two requests, at least. */
const gap = 20;
const mostRequests = 30;

/**
 * Tries one harmless request for each feature that is not claimed: reads of the CSE base, and creates in a subtree of its own
 * that is removed again. Gives what works as sentences, and what could not be removed.
 */
export async function undeclared(prepared: PreparedUrl, claims: readonly Claim[], limits: Limits): Promise<string[]> {
  const open = new Set<string>(claims.filter(({ claim }) => claim !== 'yes').map(({ id }) => id));
  const kinds = trials.filter(({ feature }) => open.has(feature));
  if (open.size === 0 || keptAway(prepared)) return [];
  const asker = readerOf(prepared, limits, { gap, most: mostRequests });
  try {
    const reads = await readAbilities(asker, prepared, open);
    const tried = kinds.length === 0 ? { findings: [], left: [] } : await tryCreating(asker, prepared, open);
    const notes = [...reads, ...tried.findings].filter(({ id, found }) => found === 'yes' && open.has(id)).map(note);
    return [...notes, ...tried.left.map((path) => `${path}, created to see what works, could not be removed`)];
  } finally {
    await asker.target.close();
  }
}

/** Whether the base itself is not to be touched. */
function keptAway({ choice, description }: PreparedUrl): boolean {
  const base = `/${description.base}/`;
  return (choice.handsOff ?? []).some((path) => base.startsWith(`${path.replace(/\/+$/, '')}/`));
}

async function readAbilities(
  asker: Asker,
  { description }: PreparedUrl,
  open: ReadonlySet<string>,
): Promise<FeatureFinding[]> {
  const originators = asker.originator === undefined ? [] : [asker.originator];
  const search = await findBase(asker, { name: description.base, first: description.base, originators });
  return search.kind === 'base' ? findAbilities(asker, search.base, open) : [];
}

async function tryCreating(asker: Asker, { choice, description }: PreparedUrl, open: ReadonlySet<string>) {
  const { dialect = 'documented', admin, lifetime } = choice;
  const own = dialect === 'documented' ? undefined : ownName;
  const fixed = asker.originator === undefined || asker.originator === admin ? undefined : choice.originator;
  const originators = [fixed ?? own];
  const base = `/${description.base}`;
  const subtree = new Subtree({ asker, dialect, base, originators, free: false, admin, untold: lifetime === 'none' });
  let findings: FeatureFinding[] = [];
  let left: string[] = [];
  try {
    const ground = await subtree.open();
    // The container stays: others stand below it, or refer to it.
    const chosen = trials.filter(({ feature }, index) => index === 0 || open.has(feature));
    if (ground !== undefined) findings = await tryKinds(subtree, ground, chosen);
  } finally {
    left = await subtree.remove();
  }
  return { findings, left };
}

function note({ id, name, evidence }: FeatureFinding): string {
  return `${name} (${id}): it works, though the statement does not claim it (${evidence})`;
}
