/** A gateway and the backend at which it is registered, each in a container, in a network of their own. */
import type { StartedNetwork } from 'testcontainers';
import type { DialectName } from '../core/resource-type.ts';
import type { TlsMode } from '../topology/pair.ts';
import type { PairCertificates } from '../topology/pair-certificates.ts';
import { CseContainer, certificatesFor, pairNames, portOver } from './cse-container.ts';
import { type OtherWire, type StartedCseContainer, urlOver } from './started-cse-container.ts';
import { Network } from './starting.ts';

/** Names in the network of the pair; containers that join it speak to `http://gateway:8000` and `http://backend:18000`. */
const aliases = { gateway: 'gateway', backend: 'backend' } as const;

/** `await using pair = await new GatewayPair('cselab').withTls().start()`. */
export class GatewayPair {
  readonly #image: string;
  readonly #forGateway: ((gateway: CseContainer) => CseContainer)[] = [];
  #dialect: DialectName = 'documented';
  #tls: TlsMode = 'off';
  readonly #wires = new Set<OtherWire>();

  /** The name of an image that exists or can be pulled, built from `fixtures/containers/Dockerfile`. */
  constructor(image: string) {
    this.#image = image;
  }

  /** HTTPS at both with fresh certificates; `mutual`, the default, requires one of clients, too. */
  withTls(mode: TlsMode = 'mutual'): this {
    this.#tls = mode;
    return this;
  }

  /** Of both; `documented` unless said otherwise. */
  withDialect(dialect: DialectName): this {
    this.#dialect = dialect;
    return this;
  }

  /** Both speak MQTT, too, also to each other: by a server beside the backend, at `pair.backend.getMqttUrl()`. */
  withMqtt(): this {
    this.#wires.add('mqtt');
    return this;
  }

  /** The same over WebSocket, at `getWsUrl()` of each. Of several wires the CSEs use the first one between each other. */
  withWs(): this {
    this.#wires.add('ws');
    return this;
  }

  /** The same over CoAP, without DTLS, at `getCoapUrl()` of each. */
  withCoap(): this {
    this.#wires.add('coap');
    return this;
  }

  /** Resources of the gateway to begin with, from a YAML file on this machine such as `fixtures/trees/building.yaml`. */
  withTree(file: string): this {
    return this.#with((gateway) => gateway.withTree(file));
  }

  /** Adds deviations to the gateway: ids that `cselab up --list-deviations` lists, or YAML files of rows. */
  withDeviation(...idsOrFiles: string[]): this {
    return this.#with((gateway) => gateway.withDeviation(...idsOrFiles));
  }

  /** Any other flags of `cselab up`, for the gateway: `withFlags('--latency', '200ms')`. */
  withFlags(...flags: string[]): this {
    return this.#with((gateway) => gateway.withFlags(...flags));
  }

  /** Resolves when the gateway is registered. Rejects with a ContainerStartError; nothing is left behind then. */
  async start(): Promise<StartedGatewayPair> {
    const ends: End[] = [];
    try {
      return await this.#start(ends);
    } catch (error) {
      await endAll(ends);
      throw error;
    }
  }

  async #start(ends: End[]): Promise<StartedGatewayPair> {
    const names = pairNames(this.#dialect);
    const certificates = await certificatesFor(this.#tls, [names.gateway, names.backend], Object.values(aliases));
    if (certificates !== undefined) ends.push(() => certificates.remove());
    const network = await new Network().start();
    ends.push(() => network.stop());
    const unstarted = this.#member(network)
      .inPair({ role: 'backend', alias: aliases.backend, certificates })
      .withNetworkAliases(aliases.backend);
    for (const wire of this.#wires) unstarted.over(wire);
    const backend = await unstarted.start();
    ends.push(() => backend.stop());
    const secure = this.#tls !== 'off';
    const { port } = names.backend;
    const urlOfBackend = (wire: OtherWire) => urlOver(wire, secure, aliases.backend, portOver[wire](port));
    const [first] = this.#wires;
    const overHttp = `${secure ? 'https' : 'http'}://${aliases.backend}:${port}`;
    const registerAt = first === undefined ? overHttp : urlOfBackend(first);
    const gateway = this.#member(network)
      .inPair({ role: 'gateway', alias: aliases.gateway, registerAt, certificates })
      .withNetworkAliases(aliases.gateway);
    for (const wire of this.#wires) gateway.over(wire, wire === 'mqtt' ? urlOfBackend(wire) : undefined);
    const started = await this.#forGateway.reduce((one, change) => change(one), gateway).start();
    ends.push(() => started.stop());
    return new StartedGatewayPair({ gateway: started, backend, network, certificates, ends });
  }

  #member(network: StartedNetwork): CseContainer {
    return new CseContainer(this.#image).withDialect(this.#dialect).withTls(this.#tls).withNetwork(network);
  }

  #with(change: (gateway: CseContainer) => CseContainer): this {
    this.#forGateway.push(change);
    return this;
  }
}

type End = () => Promise<unknown>;

interface Parts {
  readonly gateway: StartedCseContainer;
  readonly backend: StartedCseContainer;
  readonly network: StartedNetwork;
  readonly certificates: PairCertificates | undefined;
  readonly ends: End[];
}

/** A running pair. */
export class StartedGatewayPair implements AsyncDisposable {
  readonly gateway: StartedCseContainer;
  readonly backend: StartedCseContainer;
  /** For your containers that are to reach the pair. */
  readonly network: StartedNetwork;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.gateway = parts.gateway;
    this.backend = parts.backend;
    this.network = parts.network;
    this.#parts = parts;
  }

  /** Where this process reaches the gateway; no slash at the end. `backend.getUrl()` is that of the backend. */
  getUrl(): string {
    return this.gateway.getUrl();
  }

  /** Paths of files on this machine, as of `StartedCseContainer.getCertificates()`; removed when the pair stops. */
  getCertificates(): PairCertificates | undefined {
    return this.#parts.certificates;
  }

  /** Freezes the backend: requests of the gateway are not answered until `resumeBackend()`. */
  pauseBackend(): Promise<void> {
    return this.backend.pause();
  }

  resumeBackend(): Promise<void> {
    return this.backend.resume();
  }

  /** Removes gateway, backend, network and certificates. May be called again. */
  stop(): Promise<void> {
    return endAll(this.#parts.ends);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The last first, each even if others fail; rejects with the first failure. */
async function endAll(ends: End[]): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    await end().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
