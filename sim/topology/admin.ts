/** The admin port: tests control a CSE from outside, with its token. Plain JSON over HTTP, on the loopback interface only. */

import { z } from 'zod';
import { type HttpServer, serveHttp } from '../bindings/http.ts';
import { reserved } from '../bindings/target-rules.ts';
import { type Snapshot, takeSnapshot } from '../core/operations/snapshot.ts';
import type { ReplaceableCse } from '../cse/replaceable-cse.ts';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';
import { readJson } from '../dialects/strict-json.ts';
import type { Disturbances, RuleInput } from '../disturbance/contract.ts';
import type { ManualClock, Scheduler } from '../environment/clock.ts';
import { isSameToken } from '../environment/token.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { RequestJournal } from '../journal/journal.ts';
import { durationIn, inForm, jsonAnswer, PortRefusal, portService } from './port-refusal.ts';

export interface AdminOptions {
  readonly cse: ReplaceableCse;
  readonly clock: Scheduler;
  readonly sent: RequestJournal;
  /** The state after a reset; without a snapshot, an empty tree. */
  readonly start: { readonly snapshot?: Snapshot };
  readonly disturbances: Disturbances;
  /** In `Authorization: Bearer …` of each request: others are refused. */
  readonly token: string;
}

const Advance = z.strictObject({ by: z.union([z.string(), z.number()]) });

/** The rules themselves are checked where they are set. */
const Rules = z.strictObject({ rules: z.array(z.custom<RuleInput>()), seed: z.int().optional() });

const SnapshotForm = z.strictObject({
  dialect: z.string(),
  base: z.string(),
  cseId: z.string(),
  lastChange: z.number(),
  counters: z.record(z.string(), z.number()),
  resources: z.array(
    z.strictObject({
      root: z.string(),
      id: z.string(),
      name: z.string(),
      parent: z.string().nullable(),
      created: z.number(),
      modified: z.number(),
      expires: z.number().nullable(),
      labels: z.array(z.string()).optional(),
      stateTag: z.number(),
      creator: z.string().optional(),
      values: z.record(z.string(), z.json()),
    }),
  ),
});

/** Bytes; a million instances with their attributes need about as many. */
const largestSnapshot = 512 * 1024 * 1024;

/** Listens at 127.0.0.1, at a free port for 0. Rejects with node's error for a port that is taken. */
export async function serveAdmin(
  options: AdminOptions,
  port: number,
  onError: (error: unknown) => void,
): Promise<HttpServer> {
  const limits = { bodyBytes: largestSnapshot };
  const routes = routesOf(options);
  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    checkToken(request, options.token);
    return jsonAnswer(200, await routeFor(request, routes)(request.body));
  };
  const service = portService({ answer, onError, failed: 'The CSE failed to do this; its log says why.' });
  return reserved(await serveHttp(service, { port, interface: '127.0.0.1', limits, onError }));
}

type Route = (body: Uint8Array) => unknown;

function routesOf({ cse, clock, sent, start, disturbances }: AdminOptions): ReadonlyMap<string, Route> {
  return new Map(
    Object.entries<Route>({
      'POST /reset': () => {
        cse.replace(start.snapshot);
        sent.clear();
        return { resources: cse.cse.core.tree.size };
      },
      'POST /clock/advance': async (body) => {
        const { by } = parsed(Advance, body);
        await manual(clock).advance(durationIn(by));
        return { now: new Date(clock.now() / 1000).toISOString() };
      },
      'GET /snapshot': () => takeSnapshot(cse.cse.core),
      'PUT /restore': (body) => {
        cse.replace(parsed(SnapshotForm, body));
        return { resources: cse.cse.core.tree.size };
      },
      'GET /sent': () => ({ sent: sent.entries.map(sentEntryOf), forgotten: sent.dropped }),
      'GET /disturbances': () => stateOf(disturbances),
      'PUT /disturbances': async (body) => {
        const { rules, seed } = parsed(Rules, body);
        await disturbances.set(rules, seed === undefined ? {} : { seed });
        return stateOf(disturbances);
      },
      'DELETE /disturbances': async () => {
        await disturbances.clear();
        return stateOf(disturbances);
      },
    }),
  );
}

const stateOf = ({ seed, rules }: Disturbances) => ({ seed, rules });

/** Without an answer while it is pending; a binary body is base64. */
function sentEntryOf({ at, to: url, method, target, headers, body, answer, problem }: JournalEntry): object {
  return { at, url, method, target, headers, ...(body !== '' && { body }), answer, problem };
}

function manual(clock: Scheduler | ManualClock): ManualClock {
  if ('advance' in clock) return clock;
  throw new PortRefusal(409, "The clock is the system's, which goes by itself; start the CSE with a manual clock.");
}

/** A notification of the CSE itself, or a page in a browser, may be directed here, too. */
function checkToken({ headers }: HttpRequest, token: string): void {
  const [, presented] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (isSameToken(presented, token)) return;
  throw new PortRefusal(
    401,
    'The admin port needs its token, which was printed at the start: "Authorization: Bearer <token>".',
  );
}

function routeFor({ method, target }: HttpRequest, routes: ReadonlyMap<string, Route>): Route {
  const [path = ''] = target.split('?');
  const route = routes.get(`${method} ${path}`);
  if (route !== undefined) return route;
  const known = [...routes.keys()].join(', ');
  const isKnown = [...routes.keys()].some((one) => one.endsWith(` ${path}`));
  throw new PortRefusal(isKnown ? 405 : 404, `There is no ${method} ${path} here; there is ${known}.`);
}

function parsed<T>(form: z.ZodType<T>, body: Uint8Array): T {
  const read = readJson(new TextDecoder().decode(body));
  if ('problem' in read) throw new PortRefusal(400, read.problem);
  return inForm(form, read.value);
}
