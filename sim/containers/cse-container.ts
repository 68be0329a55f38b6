/** A reference CSE in a container, for the tests of an application. */

import { basename } from 'node:path';
import type { DialectName } from '../core/resource-type.ts';
import { defaultNames } from '../environment/default-names.ts';
import type { TlsMode } from '../topology/pair.ts';
import { type PairCertificates, pairCertificates } from '../topology/pair-certificates.ts';
import type { TlsFiles } from '../topology/tls-files.ts';
import { type OtherWire, StartedCseContainer } from './started-cse-container.ts';
import { GenericContainer, getContainerRuntimeClient, ReadinessWait, readiness, startFailure } from './starting.ts';

/** The usual name of an image built from `fixtures/containers/Dockerfile`. None is published: the image is always yours. */
export const usualImage = 'cselab';

const ports = { gateway: 8000, backend: 18_000 } as const;
const healthPort = 8090;
/** Ports of the other wires, by that of HTTP. */
export const portOver: Readonly<Record<OtherWire, (http: number) => number>> = {
  mqtt: () => 1883,
  ws: (http) => http + 100,
  coap: () => 5683,
};
const certificatesInside = '/certs';
const treeInside = '/tree.yaml';

/** `alone`: a gateway without a backend. */
type Role = 'alone' | 'gateway' | 'backend';

/** In the onem2m dialect a CSE alone is the infrastructure node. */
function namesOf(dialect: DialectName, role: Role) {
  const { gateway, backend } = defaultNames[dialect];
  return role === 'backend' || (role === 'alone' && dialect === 'onem2m') ? backend : gateway;
}

/** Its part in a pair. */
interface PairContext {
  readonly role: 'gateway' | 'backend';
  /** Name in the network of the pair. */
  readonly alias: string;
  /** URL of the backend in that network, or of the MQTT server by which it is reached, for a gateway. */
  readonly registerAt?: string;
  readonly certificates: PairCertificates | undefined;
}

/**
 * One CSE in a container of its own: `await using cse = await new CseContainer('cselab').start()`. It has started when its health port
 * says that it is ready. The methods of testcontainers (`withNetwork`, `withEnvironment` …) apply, too; the command is `cselab up` with
 * the settings made here.
 *
 * Applications outside of the container receive notifications at `http://host.docker.internal:<port>`, where they listen at
 * every address (`0.0.0.0`).
 */
export class CseContainer extends GenericContainer {
  readonly #image: string;
  readonly #flags: string[] = [];
  #dialect: DialectName = 'documented';
  #tls: TlsMode = 'off';
  /** With the URL of a server elsewhere. */
  readonly #wires = new Map<OtherWire, string | undefined>();
  #inPair: PairContext | undefined;
  #id: string | undefined;

  /** The name of an image that exists or can be pulled, built from `fixtures/containers/Dockerfile`. */
  constructor(image: string) {
    super(image);
    this.#image = image;
    this.withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }]);
    this.withWaitStrategy(new ReadinessWait(healthPort, readiness));
  }

  /** HTTPS with fresh certificates; `mutual`, the default, requires one of clients, too. */
  withTls(mode: TlsMode = 'mutual'): this {
    this.#tls = mode;
    return this;
  }

  /** `documented` unless said otherwise. */
  withDialect(dialect: DialectName): this {
    this.#dialect = dialect;
    return this;
  }

  /** Over MQTT, too: by a server of its own in the container, at `getMqttUrl()`, or by yours, under its URL inside the container. */
  withMqtt(url?: string): this {
    return this.over('mqtt', url);
  }

  /** Over WebSocket, too, at `getWsUrl()`. */
  withWs(): this {
    return this.over('ws');
  }

  /** Over CoAP, too, without DTLS, at `getCoapUrl()`. */
  withCoap(): this {
    return this.over('coap');
  }

  /** For `GatewayPair`. @internal */
  over(wire: OtherWire, url?: string): this {
    this.#wires.set(wire, url);
    return this;
  }

  /** Resources to begin with, from a YAML file on this machine such as `fixtures/trees/building.yaml`. */
  withTree(file: string): this {
    this.withCopyFilesToContainer([{ source: file, target: treeInside, mode: 0o444 }]);
    return this.withFlags('--tree', treeInside);
  }

  /** Adds deviations: ids that `cselab up --list-deviations` lists, or YAML files of rows on this machine. */
  withDeviation(...idsOrFiles: string[]): this {
    for (const one of idsOrFiles) this.withFlags('--deviation', /\.(ya?ml|json)$/.test(one) ? this.#copied(one) : one);
    return this;
  }

  /** Its path inside. */
  #copied(file: string): string {
    const target = `/deviations/${this.#flags.length}-${basename(file)}`;
    this.withCopyFilesToContainer([{ source: file, target, mode: 0o444 }]);
    return target;
  }

  /** Pages of these origins may use it, such as `http://localhost:5173`; `*`: those of all. */
  withCors(...origins: string[]): this {
    return this.withFlags(...origins.flatMap((origin) => ['--cors', origin]));
  }

  /** Any other flags of `cselab up`: `withFlags('--latency', '200ms', '--break', 'drop POST share=10%')`. */
  withFlags(...flags: string[]): this {
    this.#flags.push(...flags);
    return this;
  }

  /** For `GatewayPair`. @internal */
  inPair(inPair: PairContext): this {
    this.#inPair = inPair;
    return this;
  }

  /** Rejects with a ContainerStartError that has the last lines of the container's output. */
  override async start(): Promise<StartedCseContainer> {
    const role: Role = this.#inPair?.role ?? 'alone';
    const port = role === 'backend' ? ports.backend : ports.gateway;
    const names = namesOf(this.#dialect, role);
    const own = this.#inPair === undefined ? await certificatesFor(this.#tls, [names]) : undefined;
    const certificates = this.#inPair?.certificates ?? own;
    const tls = role === 'backend' ? certificates?.backend : certificates?.gateways[0];
    this.#prepare({ role, port, names, tls });
    const afterwards = async () => own?.remove();
    try {
      const options = {
        port,
        wires: this.#portsBeside(port),
        secure: this.#tls !== 'off',
        ...names,
        certificates,
        afterwards,
      };
      return new StartedCseContainer(await super.start(), options);
    } catch (error) {
      await afterwards();
      throw await startFailure(this.#image, this.#id, error);
    }
  }

  protected override async containerCreated(id: string): Promise<void> {
    this.#id = id;
  }

  /** Ports of the wires that end in the container. */
  #portsBeside(http: number): ReadonlyMap<OtherWire, number> {
    const own = [...this.#wires].filter(([, url]) => url === undefined);
    return new Map(own.map(([wire]) => [wire, portOver[wire](http)]));
  }

  #prepare({ role, port, names, tls }: CommandParts): void {
    const { alias, registerAt } = this.#inPair ?? {};
    const scheme = this.#tls === 'off' ? 'http' : 'https';
    const others = [...this.#portsBeside(port)].map(([wire, one]) => (wire === 'coap' ? (`${one}/udp` as const) : one));
    this.withExposedPorts(port, healthPort, ...others);
    if (tls !== undefined) this.withCopyFilesToContainer(Object.values(tls).map(copied));
    this.withCommand([
      'up',
      ...(role === 'backend' ? ['--no-gateway'] : ['--cse-id', names.cseId, '--base', names.base]),
      ...(role === 'alone' ? ['--no-backend'] : []),
      ...(registerAt === undefined ? [] : ['--register-at', registerAt]),
      ...(alias === undefined ? [] : ['--own-url', `${scheme}://${alias}:${port}`]),
      ...['--interface', '0.0.0.0', '--health-port', String(healthPort), '--dialect', this.#dialect],
      ...(tls === undefined ? [] : ['--https', '--certs', certificatesInside]),
      ...(this.#tls === 'mutual' ? ['--require-cert'] : []),
      ...[...this.#wires].flatMap(([wire, url]) => [`--${wire}`, ...(url === undefined ? [] : [url])]),
      ...this.#flags,
    ]);
  }
}

interface CommandParts {
  readonly role: Role;
  readonly port: number;
  readonly names: { readonly cseId: string; readonly base: string };
  readonly tls: TlsFiles | undefined;
}

const copied = (source: string) => ({ source, target: `${certificatesInside}/${basename(source)}`, mode: 0o444 });

/** Valid for the engine's host as this machine sees it, and for these names in a network of the engine. Undefined where TLS is off. */
export async function certificatesFor(
  tls: TlsMode,
  [gateway, backend = gateway]: readonly { readonly cseId: string }[],
  aliases: readonly string[] = [],
): Promise<PairCertificates | undefined> {
  if (tls === 'off' || gateway === undefined || backend === undefined) return undefined;
  const { info } = await getContainerRuntimeClient();
  return pairCertificates([gateway], backend, { hosts: [...aliases, info.containerRuntime.host] });
}

/** Names and ports of a pair in its network. */
export function pairNames(dialect: DialectName) {
  const { gateway, backend } = defaultNames[dialect];
  return { gateway: { ...gateway, port: ports.gateway }, backend: { ...backend, port: ports.backend } };
}
