/** `cselab certs`: certificates for laboratories. Loads what it needs only when it runs. */
import type { Command } from 'commander';

export interface MakeFlags {
  out: string;
  ae?: string[];
  gateway: string;
  backend: string;
  spId: string;
  host?: string[];
  days: number;
  force?: true;
}

export interface IssueFlags {
  in: string;
  days: number;
  force?: true;
}

const examples = `
Examples:
  cselab certs make --out my-certs --ae CMyApp //openmtc.org/in-cse-1/CDashboard
  cselab certs issue //openmtc.org/mn-cse-1/CNew --in my-certs
  cselab certs check
  cselab certs check my-certs --days 90`;

export function define(certs: Command, wholeNumber: (text: string) => number): void {
  certs
    .helpCommand(false)
    .description('make certificates for a laboratory, and say how long certificates last')
    .addHelpText('after', examples);
  defineMake(certs, wholeNumber);
  defineIssue(certs, wholeNumber);
  defineCheck(certs, wholeNumber);
}

function defineMake(certs: Command, wholeNumber: (text: string) => number): void {
  certs
    .command('make')
    .usage('--out <dir> [options]')
    .description('make an authority, a certificate for each CSE and application, and some that are to be refused')
    .requiredOption('--out <dir>', 'directory for the files')
    .option(
      '--ae <name...>',
      'AE-ID below the gateway, such as CMyApp, or an absolute identifier (default: CTest-AE CTestIPE)',
    )
    .option('--gateway <id>', 'CSE identifier of the gateway', 'mn-cse-1')
    .option('--backend <id>', 'CSE identifier of the backend', 'in-cse-1')
    .option('--sp-id <id>', 'service provider identifier', 'openmtc.org')
    .option('--host <name...>', 'DNS name or address beside localhost')
    .option('--days <number>', 'how long they are valid', wholeNumber, 365)
    .option('--force', 'replace files that exist')
    .action(async (flags: MakeFlags) => {
      const { runMake } = await import('./run-certs.ts');
      await runMake(flags);
    });
}

function defineIssue(certs: Command, wholeNumber: (text: string) => number): void {
  certs
    .command('issue')
    .usage('<identifiers...> --in <dir> [options]')
    .description(
      'issue more certificates for clients, by the authority of a directory that `cselab certs make` has written',
    )
    .argument('<identifiers...>', 'absolute ones, such as //openmtc.org/mn-cse-1/CMyApp')
    .requiredOption('--in <dir>', 'directory of the authority, and for the files')
    .option('--days <number>', 'how long they are valid', wholeNumber, 365)
    .option('--force', 'replace files that exist')
    .action(async (identifiers: string[], flags: IssueFlags) => {
      const { runIssue } = await import('./run-certs.ts');
      await runIssue(identifiers, flags);
    });
}

function defineCheck(certs: Command, wholeNumber: (text: string) => number): void {
  certs
    .command('check')
    .description('say whose certificates these are, how long they last, and whether chain and key fit')
    .argument('[paths...]', 'directories or files; those that come with cselab when there are none')
    .option('--days <number>', 'exit 1 when one has fewer days left', wholeNumber, 30)
    .action(async (paths: string[], { days }: { days: number }) => {
      const { runCertificateCheck } = await import('./run-certs.ts');
      runCertificateCheck(paths, days);
    });
}
