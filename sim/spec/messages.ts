/** Schemas beside resources: lists, notifications, refusals, and whole primitives. */
import { operationNumbers } from '../core/numbers.ts';
import type { DialectName } from '../core/resource-type.ts';
import { statuses } from '../core/status.ts';
import { type Parameter, queryParameters } from '../dialects/query.ts';
import { count, moment, position } from '../dialects/query-readers.ts';
import { ofRequests, ofResponses } from '../dialects/serialized-primitive.ts';
import * as schemas from './schemas.ts';
import { anyOf, listOf, reference, type Schema, text, under } from './schemas.ts';

export const contact = { name: 'cselab', url: 'https://github.com/cselab/cselab' };

const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  ...{ type: 'object', properties },
  ...(required.length > 0 && { required }),
});

/** For response status codes whose HTTP status begins with the digit, or for all. */
export const responseCodes = (digit = ''): Schema => ({
  type: 'integer',
  enum: Object.values(statuses)
    .filter(({ http }) => String(http).startsWith(digit))
    .map(({ code }) => code),
});

/** For one value of a query parameter. */
export function parameterSchema({ read }: Parameter): Schema {
  if ('allowed' in read) return { type: 'integer', enum: read.allowed };
  if (read === count) return schemas.count;
  if (read === position) return { ...schemas.count, minimum: 1 };
  return read === moment ? schemas.schemaOf('timestamp', 'onem2m', 'sent') : text;
}

const child = object({ typ: schemas.count, nm: text, val: text }, ['typ', 'nm', 'val']);

/** Root keys beside those of resources (TS-0004, clauses 6.4 and 7.5). */
const others: Readonly<Record<string, Schema>> = {
  problem: object({ 'm2m:dbg': text }),
  atrl: under('m2m:atrl', listOf(text)),
  uri: under('m2m:uri', text),
  uril: under('m2m:uril', listOf(text)),
  rrl: under('m2m:rrl', object({ rrf: listOf(child) }, ['rrf'])),
  rce: under('m2m:rce', object({ uri: text }, ['uri'])),
  agr: under('m2m:agr', object({ 'm2m:rsp': listOf(reference('response')) }, ['m2m:rsp'])),
  rqp: under('m2m:rqp', reference('request')),
  agrp: under('m2m:agrp', listOf(reference('request'))),
  rsp: under('m2m:rsp', reference('response')),
  sgn: under('m2m:sgn', reference('notification')),
  agn: under('m2m:agn', object({ 'm2m:sgn': listOf(reference('notification')) }, ['m2m:sgn'])),
  notification: object({
    nev: object({ net: schemas.count, rep: reference('representation'), om: {} }),
    ...{ sur: text, cr: text, nfu: text, vrq: { type: 'boolean' }, sud: { type: 'boolean' } },
  }),
};

const parametersOf = (table: typeof ofRequests): Record<string, Schema> =>
  Object.fromEntries(table.parameters.map(([name, isNumber]) => [name, isNumber ? schemas.count : text]));

function inQuery(part: Parameter['part']): Record<string, Schema> {
  const rows = Object.entries(queryParameters).filter(([name, one]) => one.part === part && name !== 'atrl');
  return Object.fromEntries(
    rows.map(([name, one]) => {
      const schema = parameterSchema(one);
      return [name, one.repeatable ? anyOf([schema, listOf(schema)]) : schema];
    }),
  );
}

/** All schemas of a dialect, by name. `representation` is any resource in an answer, `content` that of a request. */
export function allSchemas(dialect: DialectName) {
  const { types, schemas: resources } = schemas.resourceSchemas(dialect);
  const requestSchemas = types.flatMap(({ create, update }) => [create ?? [], update ?? []].flat());
  const { rt = {}, ...parameters } = inQuery('request');
  const request = {
    ...{ op: { type: 'integer', enum: Object.values(operationNumbers) }, to: text, ty: schemas.count },
    ...{ ...parametersOf(ofRequests), ...parameters, rt: object({ rtv: rt, nu: listOf(text) }) },
    ...{ fc: object(inQuery('criteria')), pc: reference('content') },
  };
  const response = { ...parametersOf(ofResponses), rsc: responseCodes(), to: text, fr: text, pc: reference('answer') };
  const all: Record<string, Schema> = {
    ...{ ...resources, ...others, request: object(request, ['op', 'to', 'rqi']), response: object(response, ['rsc']) },
    representation: anyOf(['uri', ...types.map(({ shown }) => shown)].map(reference)),
    content: anyOf([...requestSchemas, 'sgn', 'agn', 'rsp', 'atrl'].map(reference)),
    answer: anyOf(['representation', 'uril', 'rrl', 'rce', 'agr', 'rqp', 'agrp', 'problem'].map(reference)),
  };
  return { types, schemas: all };
}
