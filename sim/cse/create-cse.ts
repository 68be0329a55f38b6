/** A reference CSE on Node, which sends over sockets of its own. */

import type { Clock, Messenger, Scheduler } from '../core/configuration.ts';
import type { Limits } from '../core/limits.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { DialectName } from '../core/resource-type.ts';
import { assembleCse, schedulerOf } from './assemble-cse.ts';
import '../deviations/index.ts';
import { HttpClient } from '../bindings/client.ts';
import { TargetRules } from '../bindings/target-rules.ts';
import type { DeviationChoice } from '../deviations/applying.ts';
import type { Variation } from '../deviations/drawn/variation.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { type CseControls, controlsOf } from '../instruments/controls.ts';
import { Instruments } from '../instruments/instruments.ts';
import type { OpenTelemetryApi } from '../instruments/spans.ts';
import type { FlexDefinition } from '../resources/flex-definitions.ts';
import { OutgoingWires } from './outgoing-wires.ts';
import { replaceableCse } from './replaceable-cse.ts';

export interface CseOptions {
  /** Name of the CSE base; default `onem2m`, and `cse-in` in the onem2m dialect. */
  readonly base?: string;
  /** CSE identifier without a slash; default `mn-cse-1`, and `id-in` in the onem2m dialect. */
  readonly cseId?: string;
  /** Service provider identifier; default `openmtc.org`. */
  readonly spId?: string;
  /** Default `MN-CSE`, and `IN-CSE` in the onem2m dialect. */
  readonly cseType?: 'IN-CSE' | 'MN-CSE' | 'ASN-CSE';
  /** URLs shown as `poa` of the CSE base. */
  readonly pointOfAccess?: readonly string[];
  /** The binding of the interface specification (`documented`, the default), or the standard's own (`onem2m`). */
  readonly dialect?: DialectName;
  /** Whether access control policies are enforced; default false in the documented dialect, true in the onem2m dialect. */
  readonly requireAuth?: boolean;
  /** Originator with all rights; default `CAdmin` in the onem2m dialect, nobody in the documented one. */
  readonly admin?: string;
  /** Originators that may register as an AE, with `*` for any letters; default `C*` and `S*` in the onem2m dialect, everybody in the documented one. */
  readonly registrars?: readonly string[];
  /** `ty` of resources that everybody may create directly below the CSE base with access control; default access control policies. */
  readonly creatableAtBase?: readonly number[];
  /** Further definitions of flexible containers. */
  readonly flexContainers?: readonly FlexDefinition[];
  /** `ty` of unsupported resource types; none unless given. */
  readonly withoutTypes?: readonly number[];
  /** Releases of oneM2M that requests may name, oldest first; default `2a`, `3` and `4`, and `5` too in the onem2m dialect. */
  readonly releases?: readonly string[];
  /** Originator of the CSE's own requests; default its CSE identifier. */
  readonly ownOriginator?: string;
  /** Where the CSE never sends, even if named in `nu` or `poa`: `private`, an address, or a network such as `10.0.0.0/8`. */
  readonly notifyDeny?: readonly string[];
  /** Origins whose pages may use the CSE where it listens (CORS), such as `http://localhost:5173`; `*`: all. None unless given. */
  readonly cors?: readonly string[];
  /** Expiration times are shown but have no effect, as in deployed CSEs that do not enforce them. */
  readonly keepExpired?: boolean;
  readonly limits?: Partial<Limits>;
  /** Microseconds since 1970 UTC; default the system's time. Without `schedule`, the system's timers are used. */
  readonly clock?: Clock | Scheduler;
  /** Carries requests of this CSE (notifications, announcements …) to others; over HTTP unless given. */
  readonly messenger?: Messenger;
  /** So many random letters and digits, for generated names. */
  readonly randomText?: (length: number) => string;
  /** Deviations from the standard and the interface: ids of written ones, or rows as data. An unknown id throws an UnknownDeviationError, an unknown word of a row a TypeError, that names the nearest. */
  readonly deviations?: readonly DeviationChoice[];
  /** Variations of its answers that every client has to accept. */
  readonly variations?: readonly Variation[];
  /** Requests kept in its journals; 1,000 unless given, 5,000 for a CSE of a pair. 0: they stay empty. */
  readonly journal?: number;
  /** `import * as api from '@opentelemetry/api'`: spans for received and sent requests, with the tracer provider that the application has registered. */
  readonly openTelemetry?: OpenTelemetryApi;
  /** Receives internal errors of the CSE, which it answers by 500. */
  readonly onError?: (error: unknown) => void;
}

export interface ReferenceCse {
  /** The CSE behind the HTTP binding of its dialect, for `serveHttp` or `createFetch`. */
  readonly http: HttpService;
  /** The core: primitives in, primitives out. */
  readonly core: Cse;
}

/** A CSE to which wires can be added while it runs. */
export interface WiredCse extends ReferenceCse {
  /** How it sends: over HTTP, and the wires added by `serveMqtt`, `serveWs`, `serveCoap` and `cseWsHandlers`. */
  readonly wires: OutgoingWires;
}

/** A CSE in the memory of this process, with all that a test needs to observe and control it. */
export interface InMemoryCse extends WiredCse, CseControls, AsyncDisposable {
  /** Ends simulated devices, scheduled tasks, and connections to others. */
  close(): Promise<void>;
}

/** A reference CSE in memory, in the documented dialect. It opens no port and starts no timer: `await using cse = createCse()`. */
export function createCse(options: CseOptions = {}): InMemoryCse {
  const clock = schedulerOf(options.clock);
  const { journal: maxEntries = 1_000, onError, openTelemetry } = options;
  const instruments = new Instruments({ clock, maxEntries, onError, openTelemetry });
  const client = new LazyClient(options.notifyDeny);
  const wires = new OutgoingWires(client, options.notifyDeny);
  const { outbound } = instruments;
  const { connectionOf } = wires;
  const cseOptions = { ...options, clock };
  const make = (sender: Sender) => assembleCse(cseOptions, { sender, outbound, connectionOf });
  const current = replaceableCse(make, wires, instruments);
  const { core } = current;
  const http = options.cors ? { ...current.service, cors: options.cors } : current.service;
  const controls = controlsOf(instruments, { core, service: http, clock, restore: current.replace });
  return {
    ...controls,
    ...{ http, wires },
    get core() {
      return core();
    },
    async close() {
      controls.stopWorkload();
      current.replace(undefined);
      await client.close();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

/** Opens nothing before the first request. */
class LazyClient implements Sender {
  readonly #deny: readonly string[] | undefined;
  #client: HttpClient | undefined;

  constructor(deny: readonly string[] | undefined) {
    this.#deny = deny;
  }

  send(...message: Parameters<Sender['send']>): ReturnType<Sender['send']> {
    this.#client ??= new HttpClient({ targets: new TargetRules({ deny: this.#deny ?? [] }) });
    return this.#client.send(...message);
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}
