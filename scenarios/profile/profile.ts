/** Makes a product file from a report: which deviations violate what a live product violated, and how much of it. */

import { writtenDeviations } from '../../sim/deviations/index.ts';
import type { Product } from '../../sim/products/product.ts';
import { serveProduct } from '../../sim/products/serve-product.ts';
import { normaliserOf } from '../baseline/normalise.ts';
import { signatureOf } from '../baseline/signature.ts';
import { check } from '../checking/check.ts';
import type { CheckReference } from '../engine/results/requirement-result.ts';
import type { RunResult } from '../engine/results/result.ts';
import type { Claim } from '../engine/results/run-context.ts';
import { lastOf } from '../engine/running/last-of.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { featureIds, featureOf } from '../ics/features.ts';
import { type Failures, type Fitted, fit, type ProfileTrial } from './fit.ts';

export interface ProfileOptions {
  /** What imitates the product beside deviations. */
  readonly product: Omit<Product, keyof Fitted>;
  /** How the product was reached when it was checked; its URL is not used. */
  readonly target: Omit<UrlChoice, 'url'>;
}

/** Yields the result of each trial. The report says which requirements the product violates. */
export function profile(report: RunResult, options: ProfileOptions): AsyncGenerator<Fitted, Fitted> {
  const own = options.product.rows.map(({ id, violates = '', also = [], says }) => ({ id, violates, also, says }));
  return fit(failuresIn(report), [...own, ...writtenDeviations()], trialOf(report, options));
}

/** What the imitation violates, checked as the product was, but faster: it needs no consideration. */
function trialOf({ dialect, scenarios }: RunResult, { product, target }: ProfileOptions): ProfileTrial {
  const { connections: _few, rate: _slow, ...reached } = target;
  const checkedIds = scenarios.filter(({ state }) => state !== 'left out').map(({ id }) => id);
  return async (deviations, requirements = checkedIds) => {
    const byId = new Map(deviations.map((id) => [id, id]));
    await using server = await serveProduct({ ...product, deviations: byId, notImitated: [], beyond: [] });
    const choice = { ...reached, kind: 'url', url: server.url } as const;
    const run = check({ target: choice, dialect, ids: requirements, again: false });
    return failuresIn(await lastOf(run));
  };
}

function failuresIn({ run, target, scenarios, requirements }: RunResult): Failures {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const textOf = ({ scenario: at, step, check }: CheckReference) => {
    const scenario = byId.get(at);
    const failed = scenario?.steps[step]?.checks[check];
    if (scenario === undefined || failed === undefined) return [];
    return `${at} ${step}.${check} ${signatureOf(failed, normaliserOf({ run, target }, scenario)).hash}`;
  };
  const violated = requirements.filter(({ verdict }) => verdict === 'violated');
  return new Map(violated.map(({ id, violations }) => [id, new Set(violations.flatMap(textOf))]));
}

/** `ty` of the resource types that a conformance statement denies. */
export function typesDenied(claims: readonly Claim[]): readonly number[] {
  const denied = new Set(claims.filter(({ claim }) => claim === 'no').map(({ id }) => id));
  return featureIds.flatMap((id) => (denied.has(id) ? (featureOf(id).ty ?? []) : [])).toSorted((a, b) => a - b);
}
