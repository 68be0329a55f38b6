/** What `cselab up --latency`, `--jitter` and `--break` say, as rules. */
import { BreakageRuleError } from '../breakage/rule.ts';
import { millisecondsOf } from '../clock.ts';
import type { CseNode } from '../topology/node.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options-error.ts';

/** As texts, checked. Rejects with an UpOptionsError that shows the place of what is wrong. */
export async function breakageRules({ latency, jitter, break: rules = [] }: UpOptions): Promise<string[]> {
  if (rules.length > 0) {
    // Loaded for those who have rules.
    const { readRule } = await import('../breakage/rule-form.ts');
    for (const rule of rules) usable('--break', () => readRule(rule));
  }
  return [...delays(latency, jitter), ...rules];
}

/** Rejects with an UpOptionsError for a rule that is not for a CSE such as this. */
export async function startBreaking(node: CseNode): Promise<void> {
  await node.startBreaking().catch((error: unknown) => {
    throw error instanceof BreakageRuleError ? new UpOptionsError(`--break: ${error.message}`) : error;
  });
}

function delays(latency: string | undefined, jitter: string | undefined): string[] {
  if (latency === undefined && jitter === undefined) return [];
  const middle = latency === undefined ? 0 : usable('--latency', () => millisecondsOf(latency));
  const spread = jitter === undefined ? 0 : usable('--jitter', () => millisecondsOf(jitter));
  if (spread === 0) return [`latency by=${middle}ms`];
  return [`latency from=${Math.max(0, middle - spread)}ms to=${middle + spread}ms`];
}

function usable<Value>(flag: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof BreakageRuleError || error instanceof RangeError) {
      throw new UpOptionsError(`${flag}: ${error.message}`);
    }
    throw error;
  }
}
