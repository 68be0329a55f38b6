import { dataOf, onlyKey } from '../engine/basics/body.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { FactName, Facts } from './facts.ts';
import { factsOfMessage, numberOrText } from './request-facts.ts';

/** Response status codes by HTTP status (TS-0009 6.3.2, table 6.3.2-1). */
const codes: Readonly<Record<string, string>> = {
  200: '2000 2002 2004',
  201: '2001',
  202: '1000 1001 1002',
  400: '4000 4102 4110 4120 4122 4123 4143 6010 6022 6023 6024',
  403: '4101 4103 4106 4107 4108 4109 4111 4112 4113 4114 4115 4116 4117 4126 4127 5105 5203 5205 5208 5214 5215 5218 5222',
  404: '4004 4118 4119 4121 5103 5107 6003 6005',
  405: '4005',
  406: '5207',
  409: '4104 4105 4124 5106 5219 5220 6028 6029',
  415: '4015',
  500: '5000 5204 5209 5210 5211 5212 5216 5217 5221 6020 6021 6025 6026',
  501: '4001 4125 5001 5206',
  504: '4008 6030 6031',
};
const statusOf = new Map(
  Object.entries(codes).flatMap(([status, all]) => all.split(' ').map((code) => [Number(code), Number(status)])),
);

/** Facts about the answers of applications to notifications. */
export class NotificationAnswers {
  /** Targets that have answered: they may close an idle connection later. */
  readonly #answering = new Set<string>();

  /** `to`: the URL notified; `addressed`: whether a resource identifier led there. */
  read({ request, answer, failure }: Exchange, to: string, addressed: boolean): Facts {
    const notification = factsOfMessage(request);
    const facts = new Map<FactName, unknown>([
      ['wire', 'HTTP'],
      ['addressed', addressed],
      ['notified', notifiedIn(notification.json)],
      ['asked release', notification.headers.get('x-m2m-rvi')],
    ]);
    const isSilent = /no complete answer/.test(failure?.message ?? '');
    const isCut = /other side closed|ECONNRESET/.test(failure?.message ?? '') && !this.#answering.has(to);
    if (answer !== undefined || isSilent || isCut) facts.set('answered', answer !== undefined);
    if (answer === undefined) return facts;
    this.#answering.add(to);
    const message = factsOfMessage(answer);
    const code = numberOrText(message.headers.get('x-m2m-rsc'));
    const fitting = typeof code === 'number' ? statusOf.get(code) : undefined;
    const more: Array<readonly [FactName, unknown]> = [
      ['asked identifier', message.headers.get('x-m2m-ri') === notification.headers.get('x-m2m-ri')],
      ['status', answer.status],
      ['code', code],
      ...(fitting === undefined ? [] : [['fits', fitting === answer.status] as const]),
    ];
    for (const [name, value] of [...message.facts, ...more]) facts.set(name, value);
    return facts;
  }
}

function notifiedIn(json: unknown): string {
  const root = onlyKey(json);
  if (root === 'm2m:agn') return 'several';
  if (root !== 'm2m:sgn') return 'other';
  const { vrq, sud } = dataOf(dataOf(json)[root]);
  return vrq === true ? 'verification' : sud === true ? 'deletion' : 'one';
}
