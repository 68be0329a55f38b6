/** Writes `behaviour.json` anew: `node --import tsx scenarios/reference/write-behaviour.ts`, then `npx biome check --write`. */
import { writeFileSync } from 'node:fs';
import { behaviourPath } from './behaviour.ts';
import { behaviourText } from './see-behaviour.ts';

writeFileSync(behaviourPath, await behaviourText());
