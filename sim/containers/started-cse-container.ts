/** A reference CSE running in a container. */
import type { StartedTestContainer } from 'testcontainers';
import type { Wire } from '../dialects/http-message.ts';
import type { PairCertificates } from '../topology/pair-certificates.ts';
import { AbstractStartedContainer, getContainerRuntimeClient } from './starting.ts';

/** Beside HTTP. */
export type OtherWire = Exclude<Wire, 'http'>;

/** The URL of a CSE over this wire. Only WebSocket has TLS as HTTP has. */
export function urlOver(wire: OtherWire, secure: boolean, host: string, port: number): string {
  return `${wire === 'ws' && secure ? 'wss' : wire}://${host}:${port}`;
}

export interface StartedCseOptions {
  /** In the container. */
  readonly port: number;
  /** Ports there of the other wires that end there: for MQTT, that of its own server. */
  readonly wires: ReadonlyMap<OtherWire, number>;
  readonly secure: boolean;
  readonly base: string;
  readonly cseId: string;
  /** Undefined where TLS is off. */
  readonly certificates: PairCertificates | undefined;
  /** Called when it has stopped. */
  readonly afterwards: () => Promise<void>;
}

/** The result of `CseContainer.start()`: a started container of testcontainers, with URLs and names of the CSE. */
export class StartedCseContainer extends AbstractStartedContainer {
  readonly #options: StartedCseOptions;
  #paused = false;

  constructor(started: StartedTestContainer, options: StartedCseOptions) {
    super(started);
    this.#options = options;
  }

  /** URL of the CSE for this process, such as `http://localhost:32768`; no slash at the end. */
  getUrl(): string {
    const { port, secure } = this.#options;
    return `${secure ? 'https' : 'http'}://${this.getHost()}:${this.getMappedPort(port)}`;
  }

  /** URL of its own MQTT server for this process, such as `mqtt://localhost:32769`; undefined where there is none. */
  getMqttUrl(): string | undefined {
    return this.#urlOver('mqtt');
  }

  /** URL over WebSocket for this process, `ws:` or `wss:`; undefined without `withWs()`. */
  getWsUrl(): string | undefined {
    return this.#urlOver('ws');
  }

  /** URL over CoAP for this process; undefined without `withCoap()`. */
  getCoapUrl(): string | undefined {
    return this.#urlOver('coap');
  }

  #urlOver(wire: OtherWire): string | undefined {
    const { wires, secure } = this.#options;
    const port = wires.get(wire);
    if (port === undefined) return undefined;
    return urlOver(wire, secure, this.getHost(), this.getMappedPort(port, wire === 'coap' ? 'udp' : 'tcp'));
  }

  /** Name of the CSE base. */
  getBase(): string {
    return this.#options.base;
  }

  /** CSE identifier, without a slash. */
  getCseId(): string {
    return this.#options.cseId;
  }

  /**
   * Paths of files on this machine: the chain by which the CSE is verified, certificates of an application (`ae`) and of an
   * interworking proxy (`ipe`) with their originators, and some that are to be refused (`directory.refused('expired')`). They are
   * removed when the container stops. Undefined where TLS is off.
   */
  getCertificates(): PairCertificates | undefined {
    return this.#options.certificates;
  }

  /** Freezes the CSE: connections are accepted and nothing is answered until `resume()`. */
  async pause(): Promise<void> {
    if (this.#paused) return;
    const container = await this.#container();
    await freeze(() => container.pause());
    this.#paused = true;
  }

  async resume(): Promise<void> {
    if (!this.#paused) return;
    await (await this.#container()).unpause();
    this.#paused = false;
  }

  /** A frozen container cannot end by itself. */
  protected override containerStopping(): Promise<void> {
    return this.resume();
  }

  protected override containerStopped(): Promise<void> {
    return this.#options.afterwards();
  }

  async #container() {
    const { container } = await getContainerRuntimeClient();
    return container.getById(this.getId());
  }
}

/** Retries. */
const attempts = 5;

/** The engine gives up where the processes of a busy machine do not freeze at once, and lets them go on: it is asked again. */
export async function freeze(pause: () => Promise<unknown>, left = attempts): Promise<void> {
  try {
    await pause();
  } catch (error) {
    if (left === 0 || !/unable to freeze/.test(String(error))) throw error;
    await freeze(pause, left - 1);
  }
}
