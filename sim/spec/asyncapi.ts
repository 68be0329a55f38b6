/** Messages of a CSE of a dialect over MQTT (TS-0010) and WebSocket (TS-0020) as an AsyncAPI 3 document. */
import type { DialectName } from '../core/resource-type.ts';
import { allSchemas, contact } from './messages.ts';
import { reference } from './schemas.ts';

const description = `Request and response primitives of a oneM2M CSE. Notifications are requests with op 5. In topics the slashes of \
identifiers are written as colons.`;

const topics = { requests: 'req', responses: 'resp', registrations: 'reg_req', registrationResponses: 'reg_resp' };

/** Name, action, channel, and reply channel of each operation. */
const operations = [
  ['receiveRequest', 'receive', 'requests', 'responses'],
  ['sendRequest', 'send', 'requests', 'responses'],
  ['receiveRegistration', 'receive', 'registrations', 'registrationResponses'],
  ['receiveOverConnection', 'receive', 'connection', 'connection'],
  ['sendOverConnection', 'send', 'connection', 'connection'],
] as const;

export function asyncApi(dialect: DialectName, version: string): object {
  const { schemas } = allSchemas(dialect);
  const contentType = 'application/json';
  const messages = ['request', 'response'].map((name) => [name, { name, contentType, payload: reference(name) }]);
  return {
    asyncapi: '3.0.0',
    info: {
      ...{ title: `oneM2M CSE over MQTT and WebSocket, ${dialect} dialect`, version, description, contact },
      ...{ license: { name: 'Apache-2.0' }, tags: [{ name: 'oneM2M' }] },
    },
    defaultContentType: contentType,
    servers: {
      mqtt: { host: '127.0.0.1:1883', protocol: 'mqtt' },
      ws: { host: '127.0.0.1:8100', protocol: 'ws', description: 'Subprotocol oneM2M.json' },
    },
    channels: {
      ...Object.fromEntries(Object.entries(topics).map(([name, word]) => [name, topicChannel(word)])),
      connection: channel('ws', '/', ['request', 'response']),
    },
    operations: Object.fromEntries(operations.map(operation)),
    components: { schemas, messages: Object.fromEntries(messages) },
  };
}

function operation([name, action, requests, responses]: (typeof operations)[number]): [string, object] {
  const description = action === 'send' ? 'The CSE asks, or notifies.' : 'The CSE is asked.';
  return [name, { action, description, ...messagesOf(requests, 'request'), reply: messagesOf(responses, 'response') }];
}

const channel = (server: string, address: string, messages: readonly string[]) => ({
  ...{ address, servers: [{ $ref: `#/servers/${server}` }] },
  messages: Object.fromEntries(messages.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
});

const topicChannel = (word: string) => ({
  ...channel('mqtt', `/oneM2M/${word}/{originator}/{receiver}/json`, [word.endsWith('resp') ? 'response' : 'request']),
  parameters: {
    originator: { description: 'AE-ID, CSE-ID or Credential-ID of who asks' },
    receiver: { description: 'AE-ID or CSE-ID of who answers' },
  },
});

const messagesOf = (name: string, message: string) => ({
  ...{ channel: { $ref: `#/channels/${name}` }, messages: [{ $ref: `#/channels/${name}/messages/${message}` }] },
});
