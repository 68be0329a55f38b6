/** IP addresses and networks as access control contexts name them: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */

/** True when the address is the one named, or in the network named. */
export function isInNetwork(address: string, network: string): boolean {
  const [base = '', length] = network.split('/');
  const wanted = bitsOf(base);
  const given = bitsOf(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false;
  const prefix = length === undefined ? wanted.length : Number(length);
  return Number.isInteger(prefix) && prefix >= 0 && given.slice(0, prefix) === wanted.slice(0, prefix);
}

/** 32 or 128 binary digits; undefined for what is no address. */
function bitsOf(address: string): string | undefined {
  return address.includes(':') ? bitsOfIpv6(address) : bitsOfIpv4(address);
}

function bitsOfIpv4(address: string): string | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('');
}

function bitsOfIpv6(address: string): string | undefined {
  const [head = '', tail, ...more] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (more.length > 0 || missing < 0 || (tail === undefined && missing > 0)) return undefined;
  const all = [...before, ...Array<string>(missing).fill('0'), ...after];
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}
