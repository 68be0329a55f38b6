import type { Fault, Wrap } from './fault.ts';
import { asked, json, sentIn } from './vocabulary/asked.ts';
import { changingResources, handling, refusing } from './vocabulary/blocks.ts';
import { base64Bytes, textOf } from './vocabulary/bytes.ts';

const base64Json = 'application/json:1';

/** Changes the content of instances with another marker than that of base64. */
function changingText(change: (text: string) => unknown): Wrap {
  return changingResources('m2m:cin', (attributes) => {
    if (attributes.cnf !== base64Json && typeof attributes.con === 'string') attributes.con = change(attributes.con);
  });
}

function changingBase64(change: (text: string) => unknown): Wrap {
  return changingResources('m2m:cin', (attributes) => {
    if (attributes.cnf === base64Json && typeof attributes.con === 'string') attributes.con = change(attributes.con);
  });
}

const decoded = (text: string) => textOf(base64Bytes(text));
const base64Body = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
const isBase64Body = ({ method }: { method: string }, { body }: { body: Uint8Array }) =>
  method === 'POST' && base64Body.test(textOf(body));

/** What happens to content on its way in and out, and to application identifiers, which are free texts too. */
export const content: readonly Fault[] = [
  {
    id: 'content.trimmed',
    violates: 'content.text-kept',
    says: 'Text content is answered without the white space around it.',
    wrap: changingText((text) => text.trim()),
  },
  {
    id: 'content.ascii-only',
    violates: 'content.text-kept',
    says: 'Text content is answered with a question mark for each letter beyond ASCII.',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
    wrap: changingText((text) => text.replace(/[^\x00-\x7f]/gu, '?')),
  },
  {
    id: 'content.carriage-returns',
    violates: 'content.text-kept',
    says: 'Text content is answered with a carriage return before each line feed.',
    wrap: changingText((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    id: 'content.json-parsed',
    violates: 'content.text-kept',
    says: 'Text content that is a JSON object is answered as an object.',
    wrap: changingText((text) => (text.startsWith('{') ? (json(text) ?? text) : text)),
  },
  {
    id: 'content.base64-decoded',
    violates: 'content.base64-kept',
    says: 'Base64 content is answered decoded, as a text.',
    wrap: changingBase64(decoded),
  },
  {
    id: 'content.base64-parsed',
    violates: 'content.base64-kept',
    says: 'Base64 content is answered as the JSON value that it encodes.',
    wrap: changingBase64((text) => json(decoded(text)) ?? text),
  },
  {
    id: 'content.base64-unpadded',
    violates: 'content.base64-kept',
    says: 'Base64 content is answered without the equals signs at its end.',
    wrap: changingBase64((text) => text.replace(/=+$/, '')),
  },
  {
    id: 'content-instance.base64-body.refused',
    violates: 'content-instance.base64-body.creates',
    says: 'A body that is base64 text is refused with 400.',
    wrap: refusing({ status: 400, code: 4000, says: 'The body is no JSON.' }, isBase64Body),
  },
  {
    id: 'content-instance.base64-body.unsupported',
    violates: 'content-instance.base64-body.creates',
    says: 'A body that is base64 text is refused with 415.',
    wrap: refusing({ status: 415, code: 4015, says: 'Only JSON is taken.' }, isBase64Body),
  },
  {
    id: 'content-instance.base64-body.swallowed',
    violates: 'content-instance.base64-body.creates',
    says: 'A body that is base64 text is answered by 201 without a body, and nothing is created.',
    wrap: handling(async (request, service) =>
      isBase64Body(asked(request), request)
        ? { status: 201, headers: { 'X-M2M-RSC': '2001' }, body: '' }
        : service.handle(request),
    ),
  },
  {
    id: 'ae.api.ascii-only',
    violates: 'ae.api',
    says: 'api of an application entity is answered with a question mark for each letter beyond ASCII.',
    wrap: changingResources('m2m:ae', (attributes) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
      attributes.api = String(attributes.api).replace(/[^\x00-\x7f]/gu, '?');
    }),
  },
  {
    id: 'ae.api.html-escaped',
    violates: 'ae.api',
    says: 'api of an application entity is answered with its angle brackets escaped for HTML.',
    wrap: changingResources('m2m:ae', (attributes) => {
      attributes.api = String(attributes.api).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    }),
  },
  {
    id: 'wire.content-type.not-for-nameless',
    violates: 'wire.request-content-type',
    says: 'A content instance without a name, labelled application/vnd.onem2m-res+json, is refused with 415.',
    wrap: refusing({ status: 415, code: 4015, says: 'The content type is not known.' }, ({ method }, request) => {
      const sent = method === 'POST' ? sentIn(request) : undefined;
      const label = request.headers['content-type'];
      return (
        label === 'application/vnd.onem2m-res+json' && sent?.kind === 'm2m:cin' && sent.attributes.rn === undefined
      );
    }),
  },
];
