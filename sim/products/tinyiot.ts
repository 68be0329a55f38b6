import type { Product } from './product.ts';
import { standIn } from './stand-in.ts';
import { standardBinding } from './standard-binding.ts';
import { connections } from './tinyiot/connections.ts';
import { notifications } from './tinyiot/notifications.ts';
import { requests } from './tinyiot/requests.ts';
import { resources } from './tinyiot/resources.ts';
import { results } from './tinyiot/results.ts';

/** tinyIoT 832205f of April 2026. */
export const tinyiot: Product = {
  name: 'tinyiot',
  release: '3',
  settings: {
    dialect: 'onem2m',
    base: 'TinyIoT',
    cseId: 'tinyiot',
    spId: 'tinyiot.example.com',
    admin: 'CAdmin',
    releases: ['2a', '3'],
    pointOfAccess: ['http://127.0.0.1:3000'],
    // The notes say nothing of polling; a short time keeps a client from giving up that cannot shorten it.
    limits: { pollSeconds: 1 },
  },
  quirks: [
    standardBinding('tinyiot-mobius.md, 2, rows "missing X-M2M-RVI" and "missing X-M2M-Origin"'),
    ...results,
    ...notifications,
    ...requests,
    ...resources,
    ...connections,
    standIn('tinyiot'),
  ],
};
