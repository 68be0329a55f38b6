import { answers } from './mobius/answers.ts';
import { content } from './mobius/content.ts';
import { discovery } from './mobius/discovery.ts';
import { instances } from './mobius/instances.ts';
import { notifications } from './mobius/notifications.ts';
import { requests } from './mobius/requests.ts';
import type { Product } from './product.ts';
import { standIn } from './stand-in.ts';

const twoYears = 63_072_000;

/** Mobius 2.5.13 as it is installed: release 2a, access control off. */
export const mobius: Product = {
  name: 'mobius',
  release: '2a',
  settings: {
    dialect: 'onem2m',
    base: 'Mobius',
    cseId: 'Mobius2',
    spId: 'keti.re.kr',
    cseType: 'IN-CSE',
    requireAuth: false,
    admin: 'Sponde',
    releases: ['2a'],
    pointOfAccess: ['http://127.0.0.1:7579'],
    limits: { lifetime: twoYears },
  },
  quirks: [...notifications, ...content, ...instances, ...discovery, ...answers, ...requests, standIn('mobius')],
};
