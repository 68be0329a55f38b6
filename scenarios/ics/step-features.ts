/** Features that a step needs, from the step as written. */

import type { Step } from '../engine/grammar/grammar-step.ts';
import type { Need } from '../engine/grammar/vocabulary.ts';
import { factsOf, resourceTypes } from '../engine/grammar/vocabulary.ts';
import { type FeatureId, featureOfType } from './features.ts';

/** Features without which the step cannot succeed, also those of a root of another resource type. */
export function featuresOfStep(step: Step): FeatureId[] {
  return [...contentFeatures(step), ...addressFeatures(step), ...queryFeatures(step)];
}

/** Features of an installation with these needs. */
export function featuresOfNeeds(needs: ReadonlySet<Need>): FeatureId[] {
  const secure = (['https', 'certificate optional', 'certificate required'] as const).some((need) => needs.has(need));
  return [
    ...(secure ? (['PICS_TLS'] as const) : []),
    ...(needs.has('simulated backend') ? (['PICS_CSR'] as const) : []),
    ...(needs.has('backend') ? (['PICS_CSR', 'PICS_RETARGETING'] as const) : []),
  ];
}

function contentFeatures(step: Step): FeatureId[] {
  if ('discover' in step) return ['PICS_DISCOVERY'];
  // Responses to non-blocking requests do not need subscriptions.
  if ('notified' in step) return step.of === 'response' || step.of === 'any' ? [] : ['PICS_SUB'];
  if (!('create' in step || 'update' in step)) return [];
  const type = 'create' in step ? step.create : step.kind;
  const rootTypes = resourceTypes.filter((one) => factsOf(one).root === step.root && step.root !== undefined);
  const announced = 'create' in step && Array.isArray(step.attributes?.at) && step.attributes.at.length > 0;
  const features = [type, ...rootTypes].flatMap((one) => featureOfType(one) ?? []);
  return announced ? [...features, 'PICS_ANNC'] : features;
}

/** TS-0009 6.2.3: the start of the path is the scope of the identifier. */
function addressFeatures(step: Step): FeatureId[] {
  const path = pathOf(step);
  if (path?.startsWith('/~/')) return ['PICS_SP_RELATIVE_RESOURCE_ID_FORMAT'];
  return path?.startsWith('/_/') ? ['PICS_ABSOLUTE_RESOURCE_ID_FORMAT'] : [];
}

function pathOf(step: Step): string | undefined {
  if ('create' in step) return step.in;
  if ('retrieve' in step) return step.retrieve;
  if ('update' in step) return step.update;
  if ('delete' in step) return step.delete;
  if ('discover' in step) return step.discover;
  return 'raw' in step && 'path' in step.raw ? step.raw.path : undefined;
}

/** Default result contents (TS-0004 7.5.2). */
const usualContent = { create: '1', retrieve: '1', update: '1', delete: '0' };

function queryFeatures(step: Step): FeatureId[] {
  const query = 'query' in step ? (step.query ?? {}) : {};
  const verb = (['create', 'retrieve', 'update', 'delete'] as const).find((one) => one in step);
  const { rcn, rt } = query;
  const other = rcn !== undefined && verb !== undefined && String(rcn) !== usualContent[verb];
  return [
    ...(other ? (['PICS_RESULT_CONTENT'] as const) : []),
    ...(query.atrl === undefined ? [] : (['PICS_PARTIAL_RETRIEVE'] as const)),
    ...(rt !== undefined && /^[125]$/.test(String(rt)) ? (['PICS_NON_BLOCKING'] as const) : []),
  ];
}
