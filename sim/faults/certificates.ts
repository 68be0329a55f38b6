import type { HttpRequest } from '../dialects/http-message.ts';
import type { Fault, Wrap } from './fault.ts';
import { isSuccess, resourceAtPath, sentIn, shownIn } from './vocabulary/asked.ts';
import { changingAnswers, changingRequests, handling, refusing } from './vocabulary/blocks.ts';

const unwanted = { status: 403, code: 4103, says: 'The originator has no access.' };
const certificateWanted = { status: 403, code: 4107, says: 'This CSE requires a client certificate.' };

const overTls = ({ peer }: HttpRequest) => peer !== undefined;
const withoutCertificate = ({ peer }: HttpRequest) => peer !== undefined && peer.uris === undefined;
/** The certificates of other CSEs are left alone, so that a registration comes about. */
const ofApplication = ({ peer }: HttpRequest) =>
  peer?.uris?.some((uri) => uri.split('/').length === '//sp/cse/ae'.split('/').length) === true;

/** Takes the word of a client without a certificate for who it is. */
const believing = (when: (request: HttpRequest) => boolean): Wrap =>
  changingRequests((request) => {
    const originator = request.headers['x-m2m-origin'];
    if (!withoutCertificate(request) || originator === undefined || !when(request)) return undefined;
    return { ...request, peer: { uris: [originator] } };
  });

/** HTTPS and client certificates. */
export const certificates: readonly Fault[] = [
  {
    id: 'tls.https.not-served',
    violates: 'tls.server-speaks-https',
    says: 'Application entities are not read over HTTPS: 503.',
    wrap: handling(async (request, service, core) => {
      const read = request.method === 'GET' && overTls(request);
      if (!read || resourceAtPath(request.target, core)?.type.root !== 'm2m:ae') return service.handle(request);
      return { status: 503, headers: {}, body: '' };
    }),
  },
  {
    id: 'tls.certificate.not-required',
    violates: 'tls.certificate-required',
    says: 'Clients without the required certificate are believed who they say they are.',
    wrap: believing(() => true),
  },
  {
    id: 'tls.certificate.not-required-to-read',
    violates: 'tls.certificate-required',
    says: 'To read, clients without the required certificate are believed who they say they are.',
    wrap: believing(({ method }) => method === 'GET'),
  },
  {
    id: 'tls.certificate.always-required',
    violates: 'tls.certificate-optional',
    says: 'Clients without a certificate are refused although none is required.',
    wrap: refusing(certificateWanted, (_, request) => withoutCertificate(request)),
  },
  {
    id: 'tls.certificate.required-for-containers',
    violates: 'generic-client.no-certificate-needed',
    says: 'Containers are not created for clients without a certificate although none is required.',
    wrap: refusing(
      certificateWanted,
      ({ method }, request) => method === 'POST' && withoutCertificate(request) && sentIn(request)?.kind === 'm2m:cnt',
    ),
  },
  {
    id: 'tls.certificate.creates-nothing',
    violates: 'generic-client.cert',
    says: 'Containers are not created for applications with a certificate: 403.',
    wrap: refusing(
      unwanted,
      ({ method }, request) => method === 'POST' && ofApplication(request) && sentIn(request)?.kind === 'm2m:cnt',
    ),
  },
  {
    id: 'tls.certificate.reads-nothing',
    violates: 'generic-client.key',
    says: 'Containers are not read for applications with a certificate: 403.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const read = request.method === 'GET' && ofApplication(request) && isSuccess(answer);
      if (!read || shownIn(answer.body)?.kind !== 'm2m:cnt') return answer;
      return { status: 403, headers: { 'X-M2M-RSC': '4103' }, body: '' };
    }),
  },
  {
    id: 'tls.originator.forgotten',
    violates: 'generic-client.originator',
    says: 'The creator of a container is nobody although the originator has its certificate.',
    wrap: handling((request, service, core) =>
      changingAnswers((answer) => {
        const shown = ofApplication(request) && isSuccess(answer) ? shownIn(answer.body) : undefined;
        if (shown?.kind !== 'm2m:cnt') return undefined;
        return { ...answer, body: JSON.stringify({ 'm2m:cnt': { ...shown.attributes, cr: 'nobody' } }) };
      })(service, core).handle(request),
    ),
  },
  {
    id: 'tls.server-certificate.self-signed',
    violates: 'generic-client.ca-cert',
    says: 'The service presents a certificate that it has issued itself.',
    presents: 'self-signed',
  },
];
