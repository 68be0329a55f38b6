/** What Node has as globals, for the few modules that use it. */
import { Buffer } from 'buffer/';

// Node's take any bytes, and know base64url.
Buffer.prototype.equals = function (other) {
  return this.length === other.length && this.every((byte, at) => byte === other[at]);
};
const plainly = Buffer.prototype.toString;
Buffer.prototype.toString = function (encoding, ...rest) {
  if (encoding !== 'base64url') return plainly.call(this, encoding, ...rest);
  return plainly.call(this, 'base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const process = {
  env: {},
  argv: [],
  execArgv: [],
  platform: 'linux',
  versions: {},
  version: '',
  cwd: () => '/cselab',
  hrtime: { bigint: () => BigInt(Math.round(performance.now() * 1e6)) },
  emitWarning: () => undefined,
  on: () => process,
  off: () => process,
  stdout: { isTTY: false },
  stderr: { isTTY: false },
};

/** A turn of the event loop, without the pause that timers of browsers make. */
const turns = new MessageChannel();
const waiting = [];
turns.port1.onmessage = () => waiting.shift()?.();
function setImmediate(task, ...values) {
  waiting.push(() => task(...values));
  turns.port2.postMessage(undefined);
}

export { Buffer, process, setImmediate };
