/** For tests: a worker that does what its task says. */
import type { Detection, DeviationTask } from '../scoring/detect.ts';

const sound: Detection = { violations: [], causes: [], scenarios: 1, troubles: [], took: 1 };
const detected = (...requirements: readonly string[]): Detection => ({
  ...sound,
  violations: requirements.map((requirement) => ({ requirement, scenario: 's', expected: [], actual: '' })),
});

const acts: Readonly<Record<string, (task: DeviationTask) => void>> = {
  dies: () => process.exit(7),
  'is killed': () => process.kill(process.pid, 'SIGKILL'),
  hangs: () => {},
  spins: () => {
    for (;;);
  },
  throws: () => process.send?.({ failed: 'no such thing' }),
  'says its pid': () => process.send?.({ result: { ...sound, scenarios: process.pid } }),
  'sees nothing': () => process.send?.({ result: sound }),
  'sees it': ({ deviation }) => process.send?.({ result: detected(deviation.violates) }),
  'sees another': () => process.send?.({ result: detected('ae.aei') }),
  'sees both': ({ deviation }) => process.send?.({ result: detected('container.create.status', deviation.violates) }),
  'runs nothing': () => process.send?.({ result: { ...sound, scenarios: 0 } }),
  'is in trouble': () => process.send?.({ result: { ...sound, troubles: ['one', 'two'] } }),
};

process.on('message', (message) => {
  const task = message as DeviationTask;
  acts[task.deviation.id]?.(task);
});
process.on('disconnect', () => process.exit());
