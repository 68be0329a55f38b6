/** Requests that cover an installation, whatever the deviation: a witness is a part of them. */
import type { DialectName } from '../core/resource-type.ts';
import type { HttpRequest, Peer } from '../dialects/http-message.ts';
import { typesIn } from '../resources/index.ts';

export interface TourStep {
  /** Seconds before it. */
  readonly after: number;
  readonly member: 'gateway' | 'backend';
  readonly request: HttpRequest;
  /** For reports. */
  readonly description: string;
}

interface TourRequest {
  readonly method: string;
  readonly path: string;
  /** The last segment of the originator; none is sent when absent. */
  readonly from?: string;
  readonly body?: object;
  readonly member?: 'gateway' | 'backend';
  readonly after?: number;
  readonly peer?: Peer;
}

function stepOf(dialect: DialectName, requested: TourRequest): TourStep {
  const { method, path, from, body, member = 'gateway', after = 1, peer } = requested;
  const text = body === undefined ? '' : JSON.stringify(body);
  const [root] = Object.keys(body ?? {});
  const number = typesIn(dialect).find((candidate) => candidate.root === root)?.ty;
  const isStandard = dialect === 'onem2m';
  const type = isStandard ? 'application/json' : 'application/vnd.onem2m-res+json';
  const own = isStandard || from === undefined || from === 'CAdmin' ? from : `//openmtc.org/mn-cse-1/${from}`;
  const headers = {
    ...(from !== undefined && { 'x-m2m-origin': own }),
    ...(text !== '' && { 'content-type': isStandard && method === 'POST' ? `${type};ty=${number}` : type }),
    ...(isStandard && { 'x-m2m-ri': 'tour', 'x-m2m-rvi': '3' }),
  };
  const request = { method, target: path, headers, body: new TextEncoder().encode(text), ...(peer && { peer }) };
  const certificate = peer === undefined ? '' : `, certificate of ${peer.uris?.[0] ?? 'nobody'}`;
  const description = `${method} ${path} at the ${member} by ${own ?? 'nobody'}${certificate}${text === '' ? '' : ` ${text}`}`;
  return { after, member, request, description };
}

/** Target of the notifications that the tour requests. */
export const tourInbox = 'http://inbox.in-process';

const aeIn = (dialect: DialectName) => (api: string, more: object) => ({
  'm2m:ae': dialect === 'onem2m' ? { api, rr: true, srv: ['3'], ...more } : { api, rr: 'TRUE', ...more },
});

/** Three rounds of all exchanges of a gateway with its backend and subscribers. */
export function pairTour(dialect: DialectName, base: string): readonly TourStep[] {
  const ae = aeIn(dialect);
  const sub = (rn: string, target: string) => ({ 'm2m:sub': { rn, nu: [target], enc: { net: [1, 3, 4] } } });
  return ['1', '2', '3'].flatMap((round) => {
    const [own, far] = [`/${base}/App${round}`, `/~/in-cse-1/${base}/Far${round}`];
    const [from, farFrom, poa] = [`CApp${round}`, `CFar${round}`, [`${tourInbox}/poa`]];
    const requests: readonly TourRequest[] = [
      { method: 'POST', path: `/${base}`, from, body: ae('N.app', { rn: `App${round}`, poa }) },
      { method: 'POST', path: own, from, body: { 'm2m:cnt': { rn: 'data' } } },
      { method: 'POST', path: `${own}/data`, from, body: sub('url', `${tourInbox}/url`) },
      { method: 'POST', path: `${own}/data`, from, body: sub('ae', from) },
      { method: 'POST', path: `${own}/data`, from, body: { 'm2m:cin': { rn: 'one', con: 'first' } } },
      { method: 'PUT', path: `${own}/data`, from, body: { 'm2m:cnt': { lbl: ['changed'] } } },
      { method: 'DELETE', path: `${own}/data/one`, from },
      { method: 'POST', path: `/~/in-cse-1/${base}`, from: farFrom, body: ae('N.far', { rn: `Far${round}` }) },
      { method: 'POST', path: far, from: farFrom, body: { 'm2m:cnt': { rn: 'data', lbl: ['a'] } } },
      { method: 'POST', path: far, from: farFrom, body: { 'm2m:cnt': { rn: 'more', lbl: ['b'] } } },
      { method: 'POST', path: `${far}/data`, from: farFrom, body: { 'm2m:cin': { con: 'far' } } },
      { method: 'GET', path: `${far}/data`, from: farFrom },
      { method: 'GET', path: `${far}?fu=1&lbl=a`, from: farFrom },
      { method: 'GET', path: `${far}?fu=1&cra=20990101T000000&lbl=a`, from: farFrom },
      { method: 'GET', path: `${far}/none`, from: farFrom },
      { method: 'DELETE', path: `${far}/more`, from: farFrom },
      { method: 'GET', path: `${far}/more`, from: farFrom },
      { method: 'GET', path: far, from: farFrom },
      { method: 'GET', path: `/${base}/mn-cse-1`, from: 'CAdmin', member: 'backend', after: 65 },
      { method: 'GET', path: `/~/mn-cse-1/${base}`, from: 'CAdmin', member: 'backend', after: 65 },
    ];
    return requests.map((one) => stepOf(dialect, one));
  });
}

const urisOf = (name: string): readonly string[] => [`//openmtc.org/mn-cse-1/${name}`];

/** Every originator with every certificate, several requests on each connection. */
export function tlsTour(dialect: DialectName, base: string): readonly TourStep[] {
  const certificates = [urisOf('CTest-AE'), undefined, urisOf('CTestIPE')];
  const originators = ['CTest-AE', 'CTestIPE', undefined];
  return certificates.flatMap((uris, turn) =>
    originators.flatMap((from, other) => {
      const [rn, peer] = [`App${turn}${other}`, { uris }];
      const shared = { peer, ...(from !== undefined && { from }) };
      const requests: readonly TourRequest[] = [
        { ...shared, method: 'GET', path: `/${base}` },
        { ...shared, method: 'POST', path: `/${base}`, body: aeIn(dialect)('N.app', { rn }) },
        { ...shared, method: 'GET', path: `/~/mn-cse-1/${base}/${rn}` },
        { ...shared, method: 'DELETE', path: `/${base}/${rn}` },
      ];
      return requests.map((one) => stepOf(dialect, one));
    }),
  );
}
