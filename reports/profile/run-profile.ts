/** What `cselab profile` does once its flags are read. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Fitted,
  lastOf,
  productNames,
  productOf,
  profile,
  type ReadTarget,
  type RunResult,
  readTargetFile,
  shippedFor,
  targetFilePath,
  UsageError,
} from '../../scenarios/index.ts';
import type { ProfileFlags } from '../commands/profile.ts';
import { writeWhole } from '../output-file.ts';
import { readReport } from '../read-report.ts';
import { counted } from '../wording.ts';
import { ProductText } from './product-text.ts';

export async function runProfile(path: string, { target: named, out: given, force }: ProfileFlags): Promise<void> {
  const report = readReport(path);
  const name = report.target.product?.toLowerCase().replace(/\W+/g, '-') ?? 'product';
  const out = given ?? `${name}.yaml`;
  if (out !== '-' && existsSync(out) && !force) {
    throw new UsageError(`${out} is there already; --force replaces the deviations in it`);
  }
  const target = named === undefined ? shippedFor(report.target.product) : readTargetFile(targetFilePath(named));
  const text = ProductText.from(existsSync(out) ? out : productNames.includes(name) ? name : undefined);
  text.take(report, target?.choice ?? {});
  const fitted = await tried(report, text, { name: out === '-' ? name : basename(out, '.yaml'), target });
  text.put(fitted, report);
  await writeWhole(out, text.text);
  const rest = fitted.notImitated.length === 0 ? '' : `; not ${fitted.notImitated.join(', ')}`;
  say(`${out === '-' ? name : out}: ${resultOf(fitted)}${rest}`);
}

interface Trying {
  readonly name: string;
  readonly target: ReadTarget | undefined;
}

async function tried(report: RunResult, text: ProductText, { name, target }: Trying): Promise<Fitted> {
  const reached = target?.choice ?? report.target;
  const trials = profile(report, { product: productOf(text.value, name), target: reached });
  let trial = 0;
  return lastOf(trials, (fitted) => {
    trial += 1;
    say(`trial ${trial}: ${resultOf(fitted)}`);
  });
}

function resultOf({ deviations, notImitated, beyond }: Fitted): string {
  const all = deviations.size + notImitated.length;
  const share = all === 0 ? '' : ` (${Math.floor((100 * deviations.size) / all)} %)`;
  return `${deviations.size} of ${counted(all, 'violated requirement')} in common${share}, ${beyond.length} beyond`;
}

function say(line: string): void {
  process.stderr.write(`cselab: ${line}\n`);
}
