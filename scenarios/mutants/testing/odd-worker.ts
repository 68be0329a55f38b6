/** For tests: a worker that does what its task asks of it. */
import type { Mutant, Sight } from '../judged/see.ts';

const sound: Sight = { violations: [], causes: [], scenarios: 1, troubles: [], took: 1 };
const seen = (...requirements: readonly string[]): Sight => ({
  ...sound,
  violations: requirements.map((requirement) => ({ requirement, scenario: 's', expected: [], actual: '' })),
});

const acts: Readonly<Record<string, (mutant: Mutant) => void>> = {
  dies: () => process.exit(7),
  'is killed': () => process.kill(process.pid, 'SIGKILL'),
  hangs: () => {},
  spins: () => {
    for (;;);
  },
  throws: () => process.send?.({ failed: 'no such thing' }),
  'says its pid': () => process.send?.({ sight: { ...sound, scenarios: process.pid } }),
  'sees nothing': () => process.send?.({ sight: sound }),
  'sees it': ({ fault }) => process.send?.({ sight: seen(fault.violates) }),
  'sees another': () => process.send?.({ sight: seen('ae.aei') }),
  'sees both': ({ fault }) => process.send?.({ sight: seen('container.create.status', fault.violates) }),
  'runs nothing': () => process.send?.({ sight: { ...sound, scenarios: 0 } }),
  'is in trouble': () => process.send?.({ sight: { ...sound, troubles: ['one', 'two'] } }),
};

process.on('message', (message) => {
  const mutant = message as Mutant;
  acts[mutant.fault.id]?.(mutant);
});
process.on('disconnect', () => process.exit());
