/** `cselab spec`: the interface of the CSE for other tools, from its tables. Loads them only when it runs. */
import { readFileSync } from 'node:fs';
import { command, commandOf, valued } from '../command-line/flag.ts';

const flags = { '': { dialect: valued('<name>', 'how the CSE speaks').of(['documented', 'onem2m']).or('documented') } };

const examples = `
Examples:
  cselab spec openapi > cse.json && npx openapi-typescript cse.json -o cse.d.ts
  cselab spec asyncapi --dialect onem2m > cse-messages.json`;

const specCommand = (
  help: string,
  load: () => Promise<(dialect: 'documented' | 'onem2m', version: string) => object>,
) =>
  command({
    help,
    flags,
    async run({ dialect }) {
      const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      process.stdout.write(`${JSON.stringify((await load())(dialect, version), null, 2)}\n`);
    },
  });

export const define = commandOf(
  'write the interface of the CSE as a document for generators of clients and other tools',
  examples,
  {
    openapi: specCommand(
      'OpenAPI 3.1 of the HTTP binding, with a JSON schema of each resource type',
      async () => (await import('./openapi.ts')).openApi,
    ),
    asyncapi: specCommand(
      'AsyncAPI 3 of primitives over MQTT and WebSocket',
      async () => (await import('./asyncapi.ts')).asyncApi,
    ),
  },
);
