import { wayFor } from '../engine/running/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import { guarded } from './guard.ts';
import { Holdings } from './holdings.ts';
import type { ReadLedger } from './ledger-file.ts';
import type { RunLine } from './ledger-line.ts';
import { provingBy } from './proof.ts';
import { Recorder } from './recorder.ts';
import { Rules } from './rules.ts';
import type { SweepOptions } from './sweep.ts';

/** What the run of a ledger has created and not removed, as far as it was written down. */
export function holdingsOf({ head, changes }: ReadLedger): Holdings {
  const { run, gateway, backend } = head;
  const holdings = new Holdings(run, { gateway, ...(backend && { backend }) });
  for (const line of changes) holdings.take(line);
  return holdings;
}

/** How that is removed: by whoever created it, and nothing but what is certainly of that run. */
export function sweepOfLedger(
  head: RunLine,
  holdings: Holdings,
  { gateway, backend, usualCertificate, certificates, dialect, release, admin, originator }: Parties,
): SweepOptions {
  const rules = new Rules({ holdings });
  const recorder = new Recorder({ holdings, rules });
  let requests = 0;
  const speech = { dialect, release, requestIdentifier: () => `cl-${head.run}-c${++requests}` };
  const safety = { rules, recorder, proves: provingBy({ holdings, rules, recorder, speech, admin }) };
  return {
    run: head.run,
    startedAt: head.startedAt,
    holdings,
    targets: {
      gateway: guarded(gateway, 'gateway', safety),
      ...(backend && { backend: guarded(backend, 'backend', safety) }),
    },
    speech,
    admin,
    originator,
    wayOf: (name) => wayFor(name ?? usualCertificate, certificates),
  };
}
