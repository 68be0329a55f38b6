/** Assumptions about a target without a target file, by as few reads as possible. */

import { defined } from '../engine/basics/defined.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { now, type Target } from '../engine/messages/target.ts';
import { defaultOriginator } from '../engine/messages/usual-headers.ts';
import { withGrowingPauses } from '../engine/targets/exchanging/clocks.ts';
import { isSuspicious } from '../engine/targets/liveness.ts';
import { probeTimeout, targetAt } from '../engine/targets/reach-url.ts';
import { type PreparedUrl, usualTargetWait } from '../engine/targets/url-choice.ts';
import { type FeatureId, featureIds, featureOf, isOptional } from '../ics/features.ts';
import type { Ics } from '../ics/ics.ts';
import { onlyRead } from '../safety/guard.ts';
import { shippedFor } from '../target-files/read-target-file.ts';
import { askerOf, onlyOriginator } from './asker.ts';
import { type Base, findBase, type Search } from './find-base.ts';
import { cseIdIn, dialectOf, productOf, spIdIn, typesIn } from './identity.ts';

export interface Assumption {
  /** Completed with what the target reported. */
  readonly prepared: PreparedUrl;
  /** As sentences. */
  readonly assumed: readonly string[];
  /** Denies the resource types that its CSE base does not list; absent if it lists all. */
  readonly ics?: Ics;
}

interface Limits {
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Names to try for the CSE base. */
const mostNames = 5;

/**
 * Reads the CSE base. Never overrides the configuration; assumes nothing if it cannot be read. One request if the configuration is
 * right, at most six.
 */
export async function assume(prepared: PreparedUrl, limits: Limits): Promise<Assumption> {
  const reader = readerOf(prepared, limits);
  const waiting = { limit: prepared.choice.waitForTarget ?? usualTargetWait, signal: limits.signal };
  try {
    const search = await withGrowingPauses(
      () => searchBase(reader, prepared, limits),
      (found) => !mayCome(found),
      waiting,
    );
    if (search.kind === 'silent')
      return { prepared: search.answer.unsent ? prepared : unreachable(prepared, search), assumed: [] };
    // A run does not work if the base answers in SP-relative form only.
    const found = search.kind === 'base' && search.base.prefix === '';
    return found ? completed(prepared, search.base) : { prepared, assumed: [] };
  } finally {
    await reader.close();
  }
}

/** Later requests need not wait again. */
function unreachable(prepared: PreparedUrl, { answer: { exchange } }: Search & { kind: 'silent' }): PreparedUrl {
  return { ...prepared, skipWait: true, ...(exchange.failure?.kind === 'timeout' && { noAnswer: exchange }) };
}

function readerOf(prepared: PreparedUrl, { timeout }: Limits): Target {
  const limits = { connections: 1, keepAlive: false, startedAt: now(), timeout: Math.min(timeout, probeTimeout) };
  return onlyRead(targetAt(prepared, limits), prepared.choice.handsOff);
}

/** Searches with the configured values. */
function searchBase(reader: Target, prepared: PreparedUrl, { signal }: Limits): Promise<Search> {
  const { choice, description } = prepared;
  const usual = choice.dialect === 'onem2m' ? (choice.admin ?? defaultOriginator) : undefined;
  const originator = onlyOriginator(prepared) ?? usual;
  const originators = originator === undefined ? [] : [originator];
  const asker = askerOf(reader, prepared, { gap: 0, most: mostNames + 1, originator, signal });
  return findBase(asker, { name: choice.base, first: description.base, most: mostNames, originators });
}

/** Whether a missing answer may still come. */
function mayCome(search: Search): boolean {
  return search.kind === 'silent' && !search.answer.unsent && isSuspicious(search.answer.exchange);
}

function completed(prepared: PreparedUrl, base: Base): Assumption {
  const { choice, description } = prepared;
  const spId = choice.spId === undefined ? spIdIn(base.attributes) : undefined;
  const name = choice.base === undefined ? base.name : description.base;
  const missing = missingIn(base, choice.dialect ?? 'documented');
  const claims = Object.fromEntries(missing.map((id) => [id, 'no' as const]));
  const ics = missing.length === 0 ? undefined : { of: 'its CSE base', claims };
  const found = defined({ looksLike: productOf(base).product, spId, ics: choice.ics ?? ics });
  const described = { ...description, base: name, ...defined({ spId }) };
  return {
    prepared: { ...prepared, choice: { ...choice, base: name, ...found }, description: described },
    assumed: sentences(prepared, base, missing),
    ...defined({ ics }),
  };
}

/** Features whose resource type is not in `srt`. Those that every scenario needs, or the dialect documents, are checked nonetheless. */
function missingIn({ attributes }: Base, dialect: Dialect): FeatureId[] {
  const types = typesIn(attributes);
  if (types === undefined) return [];
  return featureIds.filter((id) => {
    const { ty, core } = featureOf(id);
    return ty !== undefined && core === undefined && isOptional(id, dialect) && !types.includes(ty);
  });
}

function sentences({ choice, description }: PreparedUrl, base: Base, missing: readonly FeatureId[]): string[] {
  const cseId = choice.cseId === undefined ? cseIdIn(base.attributes) : undefined;
  const spId = choice.spId === undefined ? spIdIn(base.attributes) : undefined;
  const otherwise = base.name === description.base ? '' : `, while /${description.base} does not`;
  const { product } = productOf(base);
  const claims = [
    dialectText(choice.dialect ?? 'documented', base),
    choice.base === undefined && `its CSE base is /${base.name}, which answers${otherwise}`,
    cseId !== undefined && `its CSE-ID is /${cseId}, as its CSE base says`,
    spId !== undefined && `its SP-ID is ${spId}, as its CSE base says`,
    shippedFor(product) && `looks like ${product}: --target ${product?.toLowerCase()} says what is known of it`,
    ...missing.map((id) => `no ${featureOf(id).name}: ty ${featureOf(id).ty} is not in srt of its CSE base`),
  ];
  return claims.filter((one) => typeof one === 'string');
}

/** The user chooses the dialect; the run says if it does not seem to fit. */
function dialectText(chosen: Dialect, base: Base): string {
  const { dialect, finding } = dialectOf(base);
  const because = finding.evidence.replace(/^.*; /, '');
  if (dialect === chosen) return `speaks the ${chosen} dialect: ${because}`;
  return `is checked by the ${chosen} dialect, though it looks like --dialect ${dialect}: ${because}`;
}
