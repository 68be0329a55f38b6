/** `node --import .ci/compiled-loader.mjs FILE`: runs sources as `compiled.ts` has compiled them, under their own names. */
import { register } from 'node:module';

register('./compiled-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
