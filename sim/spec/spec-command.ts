/** `cselab spec`: the interface of the CSE for other tools, made from its tables. Loads them only when it runs. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { command, valued } from '../command-line/flag.ts';

const documents = {
  openapi: [
    'OpenAPI 3.1 of the HTTP binding, with a JSON schema of each resource type',
    async () => (await import('./openapi.ts')).openApi,
  ],
  asyncapi: ['AsyncAPI 3 of primitives over MQTT and WebSocket', async () => (await import('./asyncapi.ts')).asyncApi],
} as const;

const flags = { dialect: valued('<name>', 'how the CSE speaks').of(['documented', 'onem2m']).or('documented') };

const examples = `
Examples:
  cselab spec openapi > cse.json && npx openapi-typescript cse.json -o cse.d.ts
  cselab spec asyncapi --dialect onem2m > cse-messages.json`;

export function define(spec: Command): void {
  spec
    .helpCommand(false)
    .description('write the interface of the CSE as a document for generators of clients and other tools')
    .addHelpText('after', examples);
  for (const [name, [says, load]] of Object.entries(documents)) {
    const run = async ({ dialect }: { readonly dialect: 'documented' | 'onem2m' }) => {
      const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      process.stdout.write(`${JSON.stringify((await load())(dialect, version), null, 2)}\n`);
    };
    command({ says, flags: { '': flags }, run })(spec.command(name));
  }
}
