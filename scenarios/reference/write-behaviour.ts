/** Rewrites `behaviour.json` and `inventory.json`: `node --import tsx scenarios/reference/write-behaviour.ts`, then `npx biome check --write`. */
import { writeFileSync } from 'node:fs';
import { behaviourPath, inventoryPath } from '../checking/behaviour.ts';
import { referenceTexts } from './observe-behaviour.ts';

const { behaviour, inventory } = await referenceTexts();
writeFileSync(behaviourPath, behaviour);
writeFileSync(inventoryPath, inventory);
