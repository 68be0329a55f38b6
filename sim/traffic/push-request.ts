/** The request by which a simulated device pushes. */
import type { Cse } from '../core/cse.ts';
import type { HttpRequest } from '../dialects/http-message.ts';
import type { Device } from './device.ts';
import { namesOf, originatorOf } from './places.ts';

/** As a client of the CSE's dialect writes it. It has no peer: it came over no network. */
export function pushRequest(device: Device, content: object, cse: Cse): HttpRequest {
  const { base, dialect, releases } = cse.configuration;
  const originator = originatorOf(device, cse);
  const standard = dialect.name === 'onem2m';
  const path = [base, ...namesOf(device, cse)].map(encodeURIComponent).join('/');
  return {
    method: 'POST',
    target: `/${path}`,
    headers: {
      host: 'device.in-process',
      'content-type': standard ? 'application/json;ty=4' : 'application/vnd.onem2m-res+json;ty=4',
      ...(originator !== undefined && { 'x-m2m-origin': originator }),
      'x-m2m-ri': cse.services.ports.randomText(16),
      ...(standard && { 'x-m2m-rvi': releases.at(-1) ?? '4' }),
    },
    body: new TextEncoder().encode(JSON.stringify({ 'm2m:cin': content })),
  };
}
