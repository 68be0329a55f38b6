// @ts-check
/** What a new resource is suggested to be. */

/** By its kind. @type {Record<string, (cse: any) => object>} */
const templates = {
  instance: () => ({ 'm2m:cin': { con: '21.5', cnf: 'text/plain:0' } }),
  container: () => ({ 'm2m:cnt': { rn: 'measured', mni: 100 } }),
  application: ({ dialect }) => ({
    'm2m:ae': {
      rn: 'myapp',
      api: 'N.example',
      rr: dialect === 'onem2m' ? true : 'TRUE',
      ...(dialect === 'onem2m' && { srv: ['3'] }),
    },
  }),
  subscription: () => ({ 'm2m:sub': { rn: 'watch', nu: ['http://127.0.0.1:9000/inbox'], enc: { net: [3] } } }),
};

/**
 * @param {string} kind
 * @param {any} station
 */
export const template = (kind, station) => templates[kind]?.(station ?? {}) ?? {};
