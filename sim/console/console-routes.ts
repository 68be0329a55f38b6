/** What the page asks for and has done: a function for each. */
import { z } from 'zod';
import type { GivenRule } from '../breakage/contract.ts';
import { deviations } from '../deviations/index.ts';
import { isSwitchable } from '../instruments/deviation-switch.ts';
import { durationIn, inForm, PortRefusal } from '../topology/port-refusal.ts';
import type { Console } from './console.ts';
import type { Station } from './station.ts';
import type { SteeredClock } from './steered-clock.ts';
import { childrenOf, detailsOf, heldBy } from './views.ts';

export interface ClockTold {
  /** Microseconds since 1970 UTC. */
  readonly now: number;
  readonly going: boolean;
  /** Higher in what is told later: answers and events come to a page by different ways, and one may overtake the other. */
  readonly told: number;
}

type Asked = (name: string) => string;
type Reading = (asked: Asked) => unknown;
type Doing = (body: unknown) => unknown;

/** Milliseconds that the page can move the clock at a time: each task on the way is done, some of them every few seconds. */
const longestForward = 31 * 24 * 3_600_000;

const Request = z.strictObject({
  cse: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  target: z.string().startsWith('/').max(8_000),
  originator: z.string().max(500),
  content: z.record(z.string(), z.json()).optional(),
});
const Deviations = z.strictObject({ cse: z.string(), ids: z.array(z.string()).max(50) });
const Rules = z.strictObject({ cse: z.string(), rules: z.array(z.custom<GivenRule>()).max(50) });
const Clock = z.union([
  z.strictObject({ do: z.enum(['pause', 'resume']) }),
  z.strictObject({ do: z.literal('forward'), by: z.string().max(20) }),
]);

/** What is gone is null: that is no mistake of the page, which was told too late. */
export function readings(parts: Console): ReadonlyMap<string, Reading> {
  const { traffic, stations } = parts;
  const station = (asked: Asked) => stationCalled(asked('cse'), stations);
  return new Map(
    Object.entries<Reading>({
      '/api/overview': () => ({
        // Gateways stand where the applications are.
        cses: [...stations.values()].sort(byRole).map((one) => one.overview()),
        clock: parts.clockTold(),
      }),
      '/api/deviations': switchable,
      '/api/messages': () => traffic.summaries,
      '/api/message': (asked) => traffic.message(Number(asked('id'))),
      '/api/children': (asked) => {
        const resource = station(asked).resource(asked('id'));
        return resource && childrenOf(resource);
      },
      '/api/resource': (asked) => {
        const resource = station(asked).resource(asked('id'));
        return resource && detailsOf(resource, station(asked).core);
      },
      '/api/held': (asked) => heldBy(station(asked).core),
    }),
  );
}

const switchable = () =>
  deviations()
    .filter(isSwitchable)
    .map(({ id, says }) => ({ id, says }));

const byRole = (one: Station, other: Station): number =>
  Number(one.role === 'backend') - Number(other.role === 'backend');

export function doings(parts: Console): ReadonlyMap<string, Doing> {
  const { stations, clock, traffic } = parts;
  return new Map(
    Object.entries<Doing>({
      '/api/request': async (body) => {
        const { cse, ...request } = inForm(Request, body);
        const { status, headers, body: text } = await stationCalled(cse, stations).request(request);
        return { status, headers, body: typeof text === 'string' ? text : Buffer.from(text).toString('base64') };
      },
      '/api/deviations': (body) => {
        const { cse, ids } = inForm(Deviations, body);
        stationCalled(cse, stations).deviations.set(ids);
        parts.settingsChanged();
        return { ids };
      },
      '/api/breakage': async (body) => {
        const { cse, rules } = inForm(Rules, body);
        const { breakage } = stationCalled(cse, stations).node;
        await breakage.set(rules);
        parts.settingsChanged();
        return { rules: breakage.rules };
      },
      '/api/clock': async (body) => {
        await steer(clock, inForm(Clock, body));
        // What has expired meanwhile goes at the next request; who looks at the tree sees it gone at once.
        for (const { core } of stations.values()) core.tree.expire(clock.now());
        parts.settingsChanged();
        return parts.clockTold();
      },
      '/api/forget': () => {
        traffic.forget();
        return {};
      },
    }),
  );
}

async function steer(clock: SteeredClock, wanted: z.infer<typeof Clock>): Promise<void> {
  if (wanted.do !== 'forward') return wanted.do === 'pause' ? clock.pause() : clock.resume();
  const by = durationIn(wanted.by);
  if (by > longestForward) throw new PortRefusal(400, 'It goes forward by at most 31 days at a time.');
  await clock.advance(by);
}

function stationCalled(cse: string, stations: ReadonlyMap<string, Station>): Station {
  const station = stations.get(cse);
  if (station === undefined) throw new PortRefusal(404, `There is no CSE ${cse} here.`);
  return station;
}
