/** Denied targets of a CSE, whoever names them: by the address to which a name resolves, at the moment of use. */
import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { HttpServer } from './http.ts';

// Admin and console ports of this process: none of its CSEs sends anything there, whoever requests it.

const ports = new Set<number>();

const isReservedPort = (port: number): boolean => ports.has(port);

/** No CSE of this process sends anything to this server, until it is closed. */
export function reserved(server: HttpServer): HttpServer {
  ports.add(server.port);
  const close = async (): Promise<void> => {
    await server.close();
    ports.delete(server.port);
  };
  return { ...server, close, [Symbol.asyncDispose]: close };
}

/** Loopback and unspecified addresses, also as IPv4 in IPv6. */
const ofEveryMachine = new BlockList();
ofEveryMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ofEveryMachine.addSubnet('0.0.0.0', 8, 'ipv4');
ofEveryMachine.addAddress('::1', 'ipv6');
ofEveryMachine.addAddress('::', 'ipv6');

/** Whether an IP address leads to this machine. */
function isOwnAddress(address: string): boolean {
  if (isListed(address, ofEveryMachine)) return true;
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flat()) {
    if (one !== undefined) own.addAddress(one.address, one.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return isListed(address, own);
}

/** Also for the IPv4 address that an IPv6 address contains. */
function isListed(address: string, list: BlockList): boolean {
  const family = isIP(address);
  return family > 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export interface TargetRulesOptions {
  /** `private`, addresses, or networks such as `10.0.0.0/8`: nothing is sent there. */
  readonly deny?: readonly string[];
  /** URLs from the configuration itself, whose origins are exempt. */
  readonly trusted?: readonly string[];
}

/** Networks outside the public internet (RFC 6890, RFC 4193): what `private` denies. */
const privateNetworks = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '0.0.0.0/8'],
  ...['::1', '::', 'fc00::/7', 'fe80::/10'],
];

export class TargetRules {
  readonly #denied = new BlockList();
  readonly #trusted: ReadonlySet<string>;

  /** Throws a TypeError for an entry that is neither `private` nor an address nor a network. */
  constructor({ deny = [], trusted = [] }: TargetRulesOptions = {}) {
    for (const entry of deny.flatMap((one) => (one === 'private' ? privateNetworks : [one]))) this.#deny(entry);
    this.#trusted = new Set(trusted.filter((url) => URL.canParse(url)).map(originOf));
  }

  /** The rule for one connection to an origin. */
  of(origin: string): AddressRule {
    const url = new URL(origin);
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const isTrusted = this.#trusted.has(originOf(origin));
    return (address) =>
      (isReservedPort(port) && isOwnAddress(address)) || (!isTrusted && isListed(address, this.#denied));
  }

  #deny(entry: string): void {
    const [address = '', prefix, ...more] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    const bits =
      prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(/^\d+$/.test(prefix) ? prefix : Number.NaN);
    if (isIP(address) === 0 || more.length > 0 || !(bits <= (family === 'ipv4' ? 32 : 128))) {
      throw new TypeError(
        `${JSON.stringify(entry)} is neither "private" nor an address nor a network such as 10.0.0.0/8`,
      );
    }
    this.#denied.addSubnet(address, bits, family);
  }
}

/** Of any scheme: `URL.origin` is null for those that browsers do not know. */
function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Whether the IP address is denied. */
export type AddressRule = (address: string) => boolean;

/** Looks names up as node does, without the denied addresses. */
export function lookupBut(isDenied: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []).filter(({ address }) => !isDenied(address));
      const [first] = addresses;
      if (error !== null) callback(error, '');
      else if (first === undefined) callback(deniedTarget(hostname), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export const deniedTarget = (host: string): Error => new Error(`nothing is sent to ${host}`);
