/** A CSE of the standard that is reached over CoAP, and requests that it takes. */

import type { TestContext } from 'node:test';
import { type CseNode, startNode } from '../../../topology/node.ts';
import type { NodeContext, NodeSettings } from '../../../topology/node-settings.ts';
import { json, request } from './raw-coap.ts';

export const standard = { dialect: 'onem2m', cseId: 'id-in', base: 'cse-in' } as const;

export async function node(
  t: TestContext,
  settings: Partial<NodeSettings> = {},
  context: NodeContext = {},
): Promise<CseNode & { readonly coapUrl: string }> {
  const started = await startNode({ cse: standard, coap: {}, ...settings }, context);
  t.after(() => started.close());
  return Object.assign(started, { coapUrl: started.points.find((point) => point.startsWith('coap:')) ?? '' });
}

const entity = { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } };
export const register = () =>
  request('0.02', 'cse-in', { options: { 267: 2, 'Content-Format': 50 }, payload: json(entity) });
export const container = (attributes: object, more: Parameters<typeof request>[2] = {}) =>
  request('0.02', 'cse-in/a', {
    payload: json({ 'm2m:cnt': attributes }),
    options: { 267: 3, 'Content-Format': 50 },
    ...more,
  });
export const admin = (code: string, path: string, more: Parameters<typeof request>[2] = {}) =>
  request(code, path, { from: 'CAdmin', ...more });
