/** The reference CSE by itself, asked in this process. */
import { createCse, createFetch } from '../../../../sim/index.ts';
import type { Need } from '../../grammar/grammar.ts';
import { type Installation, noCertificates, type Offer } from '../../running/installation.ts';
import { directTarget } from '../direct.ts';
import { inProcessTarget } from '../in-process.ts';
import type { Target } from '../target.ts';
import type { EmbeddedOptions } from './choice.ts';
import { idleTime } from './idle-time.ts';
import { dialectSettings, nameInProcess, onThisMachine, otherwiseIn, settledIn, speechOf } from './reference-cse.ts';

/** Through a `fetch`. */
export function throughFetch(options: EmbeddedOptions): Offer {
  return aloneBy('in-process', options, ({ http, description }) =>
    inProcessTarget({ ...options, description, fetch: createFetch(http) }),
  );
}

/** As if it came from another machine, where no scenario looks at the wire. */
export function directly(options: EmbeddedOptions): Offer {
  const offer = aloneBy('direct', options, ({ http, description }) =>
    directTarget({ ...options, description, service: http }),
  );
  return { ...offer, wireless: true };
}

type Made = Pick<ReturnType<typeof nameInProcess>, 'description'> & Pick<ReturnType<typeof createCse>, 'http'>;

function aloneBy(name: string, options: EmbeddedOptions, reach: (made: Made) => Target): Offer {
  const { dialect } = options;
  const has = new Set<Need>(['plain HTTP', 'any originator', ...dialectSettings[dialect].has]);
  const open = async (): Promise<Installation> => {
    const { names, description } = nameInProcess(dialect);
    const time = idleTime();
    const settings = { ...names, pointOfAccess: [description.url], journal: 0, clock: time.clock };
    const cse = createCse({ ...settings, ...otherwiseIn(options) });
    const http = time.passing(onThisMachine(cse.http), settledIn([cse]));
    const gateway = reach({ http, description });
    return { name, has, gateway, ...speechOf(dialect), certificates: noCertificates };
  };
  return { name, has, open };
}
