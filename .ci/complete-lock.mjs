/**
 * `node .ci/complete-lock.mjs`: after a change of dependencies, adds to package-lock.json the optional packages of other
 * platforms where npm left them out because the registry at hand does not have them. Without their entries `npm ci` refuses
 * the lock file (npm/cli issue 9846), and other platforms would lack their binaries (npm/cli issue 4828).
 */
import { readFileSync, writeFileSync } from 'node:fs';

const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'aix', 'openharmony'];
const processors = ['arm64', 'x64', 'ia32', 'arm', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const added = [];
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (key in lock.packages || !/^\d/.test(version)) continue;
    lock.packages[key] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    added.push(`${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'nothing was missing' : `added:\n${added.join('\n')}`);

/** By the words of the package's name, such as `@esbuild/linux-arm64`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined;
  return { ...(cpu.length > 0 && { cpu }), ...(libc && { libc }), ...(os.length > 0 && { os }) };
}
