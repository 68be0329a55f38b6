/** The API of the page: a function for each read and each action. */
import { z } from 'zod';
import { deviations } from '../deviations/index.ts';
import type { RuleInput } from '../disturbance/contract.ts';
import { isSwitchable } from '../instruments/deviation-switch.ts';
import { durationIn, inForm, PortRefusal } from '../topology/port-refusal.ts';
import type { Console } from './console.ts';
import type { ConsoleCse } from './console-cse.ts';
import type { SteeredClock } from './steered-clock.ts';
import { childrenOf, detailsOf, heldBy } from './views.ts';

export interface ClockState {
  /** Microseconds since 1970 UTC. */
  readonly now: number;
  readonly running: boolean;
  /** Rises with each report: answers and events reach a page by different ways, and one may overtake the other. */
  readonly version: number;
}

type Parameter = (name: string) => string;
type ReadRoute = (parameter: Parameter) => unknown;
type ActionRoute = (body: unknown) => unknown;

/** Milliseconds by which the page can advance the clock at a time: each task on the way runs, some of them every few seconds. */
const longestForward = 31 * 24 * 3_600_000;

const Request = z.strictObject({
  cse: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  target: z.string().startsWith('/').max(8_000),
  originator: z.string().max(500),
  content: z.record(z.string(), z.json()).optional(),
});
const Deviations = z.strictObject({ cse: z.string(), ids: z.array(z.string()).max(50) });
const Rules = z.strictObject({ cse: z.string(), rules: z.array(z.custom<RuleInput>()).max(50) });
const Clock = z.union([
  z.strictObject({ do: z.enum(['pause', 'resume']) }),
  z.strictObject({ do: z.literal('forward'), by: z.string().max(20) }),
]);

/** What is gone is null: that is no error of the page, whose events may come later. */
export function readRoutes(parts: Console): ReadonlyMap<string, ReadRoute> {
  const { traffic, cses } = parts;
  const cseIn = (parameter: Parameter) => cseCalled(parameter('cse'), cses);
  return new Map(
    Object.entries<ReadRoute>({
      '/api/overview': () => ({
        // Gateways first, next to the applications.
        cses: [...cses.values()].sort(byRole).map((one) => one.overview()),
        clock: parts.clockState(),
      }),
      '/api/deviations': switchable,
      '/api/messages': () => traffic.summaries,
      '/api/message': (parameter) => traffic.message(Number(parameter('id'))),
      '/api/children': (parameter) => {
        const resource = cseIn(parameter).resource(parameter('id'));
        return resource && childrenOf(resource);
      },
      '/api/resource': (parameter) => {
        const resource = cseIn(parameter).resource(parameter('id'));
        return resource && detailsOf(resource, cseIn(parameter).core);
      },
      '/api/held': (parameter) => heldBy(cseIn(parameter).core),
    }),
  );
}

const switchable = () =>
  deviations()
    .filter(isSwitchable)
    .map(({ id, says }) => ({ id, says }));

const byRole = (one: ConsoleCse, other: ConsoleCse): number =>
  Number(one.role === 'backend') - Number(other.role === 'backend');

export function actionRoutes(parts: Console): ReadonlyMap<string, ActionRoute> {
  const { cses, clock, traffic } = parts;
  return new Map(
    Object.entries<ActionRoute>({
      '/api/request': async (body) => {
        const { cse, ...request } = inForm(Request, body);
        const { status, headers, body: text } = await cseCalled(cse, cses).request(request);
        return { status, headers, body: typeof text === 'string' ? text : Buffer.from(text).toString('base64') };
      },
      '/api/deviations': (body) => {
        const { cse, ids } = inForm(Deviations, body);
        cseCalled(cse, cses).deviations.set(ids);
        parts.settingsChanged();
        return { ids };
      },
      '/api/disturbances': async (body) => {
        const { cse, rules } = inForm(Rules, body);
        const { disturbances } = cseCalled(cse, cses).node;
        await disturbances.set(rules);
        parts.settingsChanged();
        return { rules: disturbances.rules };
      },
      '/api/clock': async (body) => {
        await steer(clock, inForm(Clock, body));
        // Expired resources go at the next request; in the tree of the page they go at once.
        for (const { core } of cses.values()) core.tree.expire(clock.now());
        parts.settingsChanged();
        return parts.clockState();
      },
      '/api/forget': () => {
        traffic.forget();
        return {};
      },
    }),
  );
}

async function steer(clock: SteeredClock, change: z.infer<typeof Clock>): Promise<void> {
  if (change.do !== 'forward') return change.do === 'pause' ? clock.pause() : clock.resume();
  const by = durationIn(change.by);
  if (by > longestForward) throw new PortRefusal(400, 'It goes forward by at most 31 days at a time.');
  await clock.advance(by);
}

function cseCalled(cse: string, cses: ReadonlyMap<string, ConsoleCse>): ConsoleCse {
  const found = cses.get(cse);
  if (found === undefined) throw new PortRefusal(404, `There is no CSE ${cse} here.`);
  return found;
}
