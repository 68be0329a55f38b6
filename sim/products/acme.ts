import { answers } from './acme/answers.ts';
import { notifications } from './acme/notifications.ts';
import { resources } from './acme/resources.ts';
import { results } from './acme/results.ts';
import type { Product } from './product.ts';
import { standIn } from './stand-in.ts';
import { standardBinding } from './standard-binding.ts';

/** ACME oneM2M CSE 2026.05.1. */
export const acme: Product = {
  name: 'acme',
  release: '4',
  settings: {
    dialect: 'onem2m',
    base: 'cse-in',
    cseId: 'id-in',
    spId: 'acme.example.com',
    admin: 'CAdmin',
    creatableAtBase: [1, 26],
    pointOfAccess: ['http://127.0.0.1:9082'],
  },
  quirks: [
    standardBinding('acme.md, 1, "Headers": needed on each request'),
    ...resources,
    ...results,
    ...notifications,
    ...answers,
    standIn('acme'),
  ],
};
