import { addressing } from './openmtc/addressing.ts';
import { attributes } from './openmtc/attributes.ts';
import { containers } from './openmtc/containers.ts';
import { creations } from './openmtc/creations.ts';
import { discovery } from './openmtc/discovery.ts';
import { notifications } from './openmtc/notifications.ts';
import { times } from './openmtc/times.ts';
import { updates } from './openmtc/updates.ts';
import { wire } from './openmtc/wire.ts';
import type { Product } from './product.ts';
import { standIn } from './stand-in.ts';

/** The gateway of OpenMTC, at the commit of 2019 that the field notes are about. */
export const openmtc: Product = {
  name: 'openmtc',
  release: '2a',
  settings: {
    dialect: 'documented',
    base: 'onem2m',
    cseId: 'mn-cse-1',
    spId: 'openmtc.org',
    cseType: 'MN-CSE',
    requireAuth: false,
    ownOriginator: '//openmtc.org/mn-cse-1',
    pointOfAccess: ['http://127.0.0.1:8000'],
  },
  // The times come last but for the wire: they are compared and written as the CSE itself does further inside.
  quirks: [
    ...notifications,
    ...containers,
    ...updates,
    ...creations,
    ...discovery,
    ...attributes,
    ...times,
    ...addressing,
    ...wire,
    standIn('openmtc'),
  ],
};
