import type { Turn } from '../../engine/targets/target.ts';
import { bytesOf, creating, type Place, reading, withLength } from '../../generators/wire/wire-case.ts';
import { caseOf, type RobustnessCase, type RobustnessSection } from '../robustness-case.ts';

const closing = 'RFC 9112, 9.5 and 9.6';
const moment = 300;
const turn = (bytes: string, more: Partial<Turn> = {}): Turn => ({
  bytes: Buffer.from(bytes, 'latin1'),
  methods: [],
  within: moment,
  ...more,
});
const get = (at: Place) => bytesOf(reading(at));
const post = (at: Place) => bytesOf(withLength(creating(at)));
const half = (bytes: string) => bytes.slice(0, bytes.length / 2);
/** What these clients do is no affair of the next one. */
const crowd = (number: string, title: string, connections: number, write: (at: Place) => Turn): RobustnessCase =>
  caseOf(number, title, { kind: 'crowd', connections, turn: write }, closing, { right: ['2xx'] });

export const connections: RobustnessSection = {
  number: 13,
  title: 'Connections',
  cases: [
    caseOf(
      '13.1',
      'a client that closes its side after a GET',
      { kind: 'turns', turns: (at, within) => [turn(get(at), { methods: ['GET'], within, afterwards: 'end' })] },
      closing,
      { right: ['2xx'], tolerable: ['closed'] },
    ),
    caseOf(
      '13.2',
      'a client that closes its side after a POST',
      { kind: 'turns', turns: (at, within) => [turn(post(at), { methods: ['POST'], within, afterwards: 'end' })] },
      closing,
      { right: [201], tolerable: ['closed'], methods: ['POST'] },
    ),
    caseOf(
      '13.3',
      'a client that closes its side in a head',
      { kind: 'turns', turns: (at, within) => [turn(half(get(at)), { methods: ['GET'], within, afterwards: 'end' })] },
      'RFC 9112, 8',
      { right: ['closed', 400, 408], tolerable: ['4xx', 500, 'silence'] },
    ),
    caseOf(
      '13.4',
      'a client that closes its side in a body',
      {
        kind: 'turns',
        turns: (at, within) => [turn(post(at).slice(0, -5), { methods: ['POST'], within, afterwards: 'end' })],
      },
      'RFC 9112, 8',
      { right: ['closed', 400, 408], tolerable: ['4xx', 500, 'silence'] },
    ),
    crowd('13.5', 'a client that resets after a GET', 1, (at) => turn(get(at), { afterwards: 'reset' })),
    crowd('13.6', 'twenty clients that reset in a head', 20, (at) => turn(half(get(at)), { afterwards: 'reset' })),
    crowd('13.7', 'twenty clients that reset in a body', 20, (at) =>
      turn(post(at).slice(0, -5), { afterwards: 'reset' }),
    ),
    crowd('13.8', 'twenty clients that say nothing', 20, () => turn('')),
    crowd('13.9', 'twenty clients that stop in a head', 20, (at) => turn(half(get(at)))),
    crowd('13.10', 'twenty clients that stop in a body', 20, (at) => turn(post(at).slice(0, -5))),
    crowd('13.11', 'twenty clients that never read', 20, (at) => turn(get(at).repeat(50), { within: moment })),
    crowd('13.12', 'a hundred clients that come and go', 100, () => turn('', { within: 1 })),
  ],
};
