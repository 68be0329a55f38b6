/** `cselab profile`: makes a product profile for `cselab up --as` from the report of a live run. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { productOf, productPath } from '../../scenarios/engine/targets/embedded/simulated-products.ts';
import type { Fitted, ReadTarget, RunResult } from '../../scenarios/index.ts';
import { profile } from '../../scenarios/profile/profile.ts';
import { readTargetFile, shippedFor, targetFilePath } from '../../scenarios/results.ts';
import { lastOf, UsageError } from '../../scenarios/words.ts';
import { command, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { counted } from '../facts/wording.ts';
import { readReport } from '../formats/read-report.ts';
import { ProductText } from '../profile/product-text.ts';
import { say, writeWhole } from '../writing/io.ts';

const flags = {
  '': {
    target: valued(
      '<file>',
      'target file of that run, or the name of a product that cselab knows (default: by the report)',
    ),
    out: valued('<file>', 'where to write it; - is stdout (default: <product>.yaml)'),
    force: toggle('replace its deviations if the file exists'),
  },
};

type ProfileFlags = ValuesOf<typeof flags>;

const examples = `
It takes from the report which requirements the product violates, chooses for each of them a deviation of the simulator that violates
it too, runs every scenario against them all together, and leaves out or replaces what stands in the way of others or breaks what the product
keeps. Names, dialect and access control are taken from the report and the target file, resource types that it has not from its
conformance statement. Of a file that is there, or that is shipped for the product, everything else is kept.
Exit codes: 0 written, 2 usage.

Examples:
  cselab check --target acme --url http://127.0.0.1:8080 --report json=acme.json
  cselab profile acme.json --out my-acme.yaml     some minutes: it is tried
  cselab up --as my-acme.yaml                     a CSE that differs as that one does`;

export const define = command({
  help: 'write a product file for cselab up --as: the deviations that a report shows, and how faithful they are',
  args: [['<report>', 'what cselab check --report json wrote']],
  flags,
  examples,
  run: runProfile,
});

async function runProfile(path: string, { target: file, out: output, force }: ProfileFlags): Promise<void> {
  const report = readReport(path);
  const name = report.target.product?.toLowerCase().replace(/\W+/g, '-') ?? 'product';
  const out = output ?? `${name}.yaml`;
  if (out !== '-' && existsSync(out) && !force) {
    throw new UsageError(`${out} is there already; --force replaces the deviations in it`);
  }
  const target = file === undefined ? shippedFor(report.target.product) : readTargetFile(targetFilePath(file));
  const text = ProductText.from(existsSync(out) ? out : productPath(name) !== name ? name : undefined);
  text.setFacts(report, target?.choice ?? {});
  const fitted = await fitProfile(report, text, { name: out === '-' ? name : basename(out, '.yaml'), target });
  text.setDeviations(fitted, report);
  await writeWhole(out, text.text);
  const rest = fitted.notImitated.length === 0 ? '' : `; not ${fitted.notImitated.join(', ')}`;
  say(`${out === '-' ? name : out}: ${resultOf(fitted)}${rest}`);
}

async function fitProfile(
  report: RunResult,
  text: ProductText,
  { name, target }: { readonly name: string; readonly target: ReadTarget | undefined },
): Promise<Fitted> {
  const cseTarget = target?.choice ?? report.target;
  let trial = 0;
  return lastOf(profile(report, { product: productOf(text.value, name), target: cseTarget }), (fitted) => {
    trial += 1;
    say(`trial ${trial}: ${resultOf(fitted)}`);
  });
}

function resultOf({ deviations, notImitated, beyond }: Fitted): string {
  const all = deviations.size + notImitated.length;
  const share = all === 0 ? '' : ` (${Math.floor((100 * deviations.size) / all)} %)`;
  return `${deviations.size} of ${counted(all, 'violated requirement')} in common${share}, ${beyond.length} beyond`;
}
