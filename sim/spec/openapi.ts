/** The HTTP binding of a dialect (TS-0009) as an OpenAPI 3.1 document. */
import type { DialectName } from '../core/resource-type.ts';
import { mediaTypes } from '../dialects/media-type.ts';
import { queryParameters } from '../dialects/query.ts';
import { requestHeaders } from '../dialects/query-readers.ts';
import { allSchemas, contact, parameterSchema, responseCodes } from './messages.ts';
import { anyOf, listOf, reference, type Schema, text } from './schemas.ts';

/** Segments of an address: any resource can be addressed by one, its identifier, or by the names from the CSE base on. */
const segments = ['resource', 'child', 'grandchild', 'descendant'];

const description = `Resources of a oneM2M CSE. An address has a segment for each name from the CSE base on, or is one resource identifier; \
latest, oldest (la, ol), fopt and pcu are segments, too. Before it, /~/CSE-ID leads to another CSE. Attributes may also be given by their \
long names, which descriptions state. What attributes must be together is not in the schemas.`;

export function openApi(dialect: DialectName, version: string): object {
  const { types, schemas } = allSchemas(dialect);
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  const parameters = [...parametersOf(dialect)];
  return {
    openapi: '3.1.0',
    info: { title: `oneM2M CSE, ${dialect} dialect`, version, description, contact, license },
    tags: [
      { name: 'resources', description: 'What a CSE answers' },
      { name: 'notifications', description: 'What it sends' },
    ],
    servers: [{ url: 'http://{host}', variables: { host: { default: '127.0.0.1:8000' } } }],
    // Rights are those of the originator, which a certificate may prove.
    security: [{}, { certificate: [] }],
    paths: Object.fromEntries(segments.map((_, at) => pathItem(segments.slice(0, at + 1), dialect, types))),
    webhooks: { notification: { post: notified(dialect) } },
    components: {
      schemas,
      parameters: Object.fromEntries(parameters.map((one) => [one.name, one])),
      headers: { 'X-M2M-RI': { schema: text }, 'Content-Location': { schema: text } },
      securitySchemes: { certificate: { type: 'mutualTLS' } },
    },
  };
}

function parametersOf(dialect: DialectName) {
  const headers = requestHeaders.map((name) => {
    // TS-0009, clause 6.4.
    const required = dialect === 'onem2m' && (name === 'X-M2M-RI' || name === 'X-M2M-RVI');
    return { name, in: 'header', required, schema: text };
  });
  const inQuery = Object.entries(queryParameters).map(([name, one]) => {
    const schema = parameterSchema(one);
    return { name, in: 'query', schema: one.repeatable ? listOf(schema) : schema };
  });
  // Attributes of the resource, as criteria (TS-0009, clause 6.2.2.2).
  const schema = { type: 'object', additionalProperties: text };
  return [...headers, ...inQuery, { name: 'attributes', in: 'query', style: 'form', explode: true, schema }];
}

type Types = ReturnType<typeof allSchemas>['types'];

const operations = [
  ['get', 'retrieve', 'Retrieve a resource, or with fu=1 discover what is below it.', ['200', '202']],
  ['post', 'create', 'Create a resource below it, or send it a notification or a response.', ['200', '201', '202']],
  ['put', 'update', 'Update a resource, or each member of a group at fopt.', ['200', '202']],
  ['delete', 'delete', 'Delete a resource, with all that is below it.', ['200', '202']],
] as const;

function pathItem(path: readonly string[], dialect: DialectName, types: Types): [string, object] {
  const depth = path.length === 1 ? '' : String(path.length);
  const criteria = new Set(
    Object.entries(queryParameters).flatMap(([name, { part }]) => (part === 'criteria' ? [name] : [])),
  );
  const names = parametersOf(dialect).map(({ name }) => name);
  const bodies = { post: creations(dialect, types), put: changes(dialect, types) };
  const item = operations.map(([method, name, description, statuses]) => {
    const parameters = names.filter((one) => method !== 'post' || !(criteria.has(one) || one === 'attributes'));
    const content = method === 'post' || method === 'put' ? bodies[method] : undefined;
    const operation = {
      ...{
        operationId: `${name}${depth}`,
        tags: ['resources'],
        summary: description.replace(/[,.].*/, ''),
        description,
      },
      parameters: parameters.map((one) => ({ $ref: `#/components/parameters/${one}` })),
      ...(content && { requestBody: { required: true, content } }),
      responses: responses(dialect, statuses),
    };
    return [method, operation];
  });
  const parameters = path.map((name) => ({ name, in: 'path', required: true, schema: text }));
  return [`/${path.map((name) => `{${name}}`).join('/')}`, { parameters, ...Object.fromEntries(item) }];
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

const changes = (dialect: DialectName, types: Types): Content => ({
  [mediaTypes[dialect].preferred]: { schema: anyOf(types.flatMap(({ update }) => update ?? []).map(reference)) },
});

/** The standard has the resource type in the media type, the documented dialect in the root key alone. */
function creations(dialect: DialectName, types: Types): Content {
  const { preferred } = mediaTypes[dialect];
  const byMedia = new Map([[preferred, ['sgn', 'agn', 'rsp']]]);
  for (const { type, create } of types) {
    if (create === undefined) continue;
    const media = dialect === 'onem2m' ? `${preferred};ty=${type.ty}` : preferred;
    byMedia.set(media, [...(byMedia.get(media) ?? []), create]);
  }
  return Object.fromEntries([...byMedia].map(([media, names]) => [media, { schema: anyOf(names.map(reference)) }]));
}

const meanings = new Map([
  ['200', 'Done'],
  ['201', 'Created'],
  ['202', 'Accepted, to be done later'],
  ['4XX', 'Refused'],
  ['5XX', 'Failed'],
]);

function responses(dialect: DialectName, statuses: readonly string[]): object {
  const echoed = ['X-M2M-RI', 'Content-Location'].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const rows = [...statuses, '4XX', '5XX'].map((status) => {
    const rsc = { required: true, schema: responseCodes(status.replace('XX', '')) };
    const schema = reference(status.endsWith('XX') ? 'problem' : 'answer');
    const headers = { 'X-M2M-RSC': rsc, ...Object.fromEntries(echoed) };
    return [
      status,
      { description: meanings.get(status), headers, content: { [mediaTypes[dialect].preferred]: { schema } } },
    ];
  });
  return Object.fromEntries(rows);
}

/** Notifications to a subscriber, and its answers. */
function notified(dialect: DialectName): object {
  const media = dialect === 'onem2m' ? 'application/json' : 'application/vnd.onem2m-ntfy+json';
  return {
    ...{ operationId: 'notify', tags: ['notifications'], summary: 'Notify' },
    description: 'What a subscription sends to each of its targets (nu).',
    requestBody: { required: true, content: { [media]: { schema: anyOf(['sgn', 'agn'].map(reference)) } } },
    responses: responses(dialect, ['200']),
  };
}
