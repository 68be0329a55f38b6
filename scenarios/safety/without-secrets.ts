import type { Redactor } from '../secrets/redactor.ts';
import type { LedgerLine } from './ledger-line.ts';

/**
 * A line of a ledger without the originators that hold a secret, as where they come from the environment: whoever cleans up
 * names them again. Addresses stay as they are, since nothing could be removed without them.
 */
export function withoutSecrets<L extends LedgerLine>(line: L, redactor: Redactor): L {
  const holdsSecret = (value: unknown) => typeof value === 'string' && redactor.text(value) !== value;
  const withheld = Object.entries(line).filter(
    ([key, value]) => (key === 'admin' || key === 'originator') && holdsSecret(value),
  );
  if (withheld.length === 0) return line;
  const open = Object.entries(line).filter(([key]) => !withheld.some(([one]) => one === key));
  return Object.fromEntries([...open, ...(line.kind === 'run' ? [['withheld', true]] : [])]) as L;
}
