/** Admin and console ports of this process: none of its CSEs sends anything there, whoever requests it. */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { HttpServer } from './http.ts';

const ports = new Set<number>();

export const isReservedPort = (port: number): boolean => ports.has(port);

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
export function isOwnAddress(address: string): boolean {
  if (isListed(address, ofEveryMachine)) return true;
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flat()) {
    if (one !== undefined) own.addAddress(one.address, one.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return isListed(address, own);
}

/** Also for the IPv4 address that an IPv6 address contains. */
export function isListed(address: string, list: BlockList): boolean {
  const family = isIP(address);
  return family > 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
