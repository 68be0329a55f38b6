/** For tests: asks a target without pauses. */
import type { TestContext } from 'node:test';
import { ConnectionSlots } from '../../engine/targets/exchanging/load-limits.ts';
import { urlTarget } from '../../engine/targets/exchanging/url.ts';
import { prepareUrl } from '../../engine/targets/url-choice.ts';
import { Asker } from '../asker.ts';

export async function askerAt(t: TestContext, url: string): Promise<Asker> {
  const { description, trust } = await prepareUrl({ url });
  const limits = { slots: new ConnectionSlots(1), connections: 1, keepAlive: false, timeout: 1000, startedAt: 0 };
  const target = urlTarget({ ...limits, description, trust });
  t.after(() => target.close());
  return new Asker(target, { gap: 0, most: 50, dialect: 'onem2m', release: '3', originator: undefined });
}
