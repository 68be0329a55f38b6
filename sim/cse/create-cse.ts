/** A reference CSE as Node runs it: what it sends goes over sockets of its own. */

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
  /** How it speaks: as the interface specification says (`documented`, the default), or by the standard's own binding (`onem2m`). */
  readonly dialect?: DialectName;
  /** Whether access control policies are looked at; default false in the documented dialect, true in the onem2m dialect. */
  readonly requireAuth?: boolean;
  /** Originator that may do everything; default `CAdmin` in the onem2m dialect, nobody in the documented one. */
  readonly admin?: string;
  /** Originators that may register as an AE, `*` standing for any letters; default `C*` and `S*` in the onem2m dialect, everybody in the documented one. */
  readonly registrars?: readonly string[];
  /** `ty` of what everybody may create directly below the CSE base when access control is on; default access control policies. */
  readonly creatableAtBase?: readonly number[];
  /** Definitions of flexible containers beside those that every CSE knows. */
  readonly flexContainers?: readonly FlexDefinition[];
  /** `ty` of resource types that it does not have; none unless given. */
  readonly withoutTypes?: readonly number[];
  /** Releases of oneM2M that requests may name, the oldest first; default `2a`, `3` and `4`, and `5` too in the onem2m dialect. */
  readonly releases?: readonly string[];
  /** Originator of what the CSE itself sends; default its CSE identifier. */
  readonly ownOriginator?: string;
  /** Where the CSE sends nothing, whoever names it in `nu` or `poa`: `private`, an address, or a network such as `10.0.0.0/8`. */
  readonly notifyDeny?: readonly string[];
  /** Origins whose pages may use the CSE where it listens (CORS), such as `http://localhost:5173`; `*`: those of all. None unless given. */
  readonly cors?: readonly string[];
  /** Expiration times are only shown, and nothing goes because of them, as at deployed CSEs that have nobody who looks after them. */
  readonly keepExpired?: boolean;
  readonly limits?: Partial<Limits>;
  /** Microseconds since 1970 UTC; default the system's time. Without `schedule`, what waits is woken by the system's timers. */
  readonly clock?: Clock | Scheduler;
  /** Takes requests of this CSE (notifications, announcements …) to others; over HTTP unless given. */
  readonly messenger?: Messenger;
  /** So many random letters and digits; for names that the CSE makes up. */
  readonly randomText?: (length: number) => string;
  /** What it does otherwise than the standard and the interface say: ids of written ones, or rows as data. An unknown id is an UnknownDeviationError that names the nearest. */
  readonly deviations?: readonly DeviationChoice[];
  /** In which ways its answers differ that everybody has to take. */
  readonly variations?: readonly Variation[];
  /** How many requests its journals keep; 1,000 unless given, of a CSE of a pair 5,000. 0: they stay empty. */
  readonly journal?: number;
  /** `import * as api from '@opentelemetry/api'`: spans for what comes and what is sent, by the tracer provider that the application has registered. */
  readonly openTelemetry?: OpenTelemetryApi;
  /** Hears of defects of the CSE, which it answers by 500. */
  readonly onError?: (error: unknown) => void;
}

export interface ReferenceCse {
  /** The CSE behind the HTTP binding of its dialect: to be given to `serveHttp` or `createFetch`. */
  readonly http: HttpService;
  /** The core: primitives in, primitives out. */
  readonly core: Cse;
}

/** A CSE to which wires can be added while it lives. */
export interface WiredCse extends ReferenceCse {
  /** By which it sends: over HTTP, and by what `serveMqtt`, `serveWs`, `serveCoap` and `cseWsHandlers` add. */
  readonly wires: OutgoingWires;
}

/** A CSE in the memory of this process, with what a test needs to watch and steer it. */
export interface InMemoryCse extends WiredCse, CseControls, AsyncDisposable {
  /** Ends simulated devices, what waits for the clock, and connections to others. */
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

/** Opens nothing before something is sent. */
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
