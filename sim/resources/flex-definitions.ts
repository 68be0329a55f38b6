/** Definitions of flexible containers: what one is made for, and the attributes that it brings (TS-0023, TS-0001 clause 9.6.35). */
import { deviceClasses, moduleClasses } from './device-models.ts';

export interface FlexAttribute {
  readonly long: string;
  /** `number` with a fraction, `integer` with a sign, `count` without one. */
  readonly type: 'text' | 'number' | 'integer' | 'count' | 'boolean' | 'timestamp' | 'list';
  readonly mandatory?: boolean;
  /** Short name of the attribute that stands in its place in another release: there must be one of both. */
  readonly or?: string;
}

export interface FlexDefinition {
  /** Root key of a representation: `cod:tempe`. */
  readonly root: string;
  /** What `cnd` must be; absent: anything. */
  readonly cnd?: string;
  /** By short name. */
  readonly attributes: Readonly<Record<string, FlexAttribute>>;
}

const generated: Readonly<Record<string, FlexAttribute>> = { dgt: { long: 'dataGenerationTime', type: 'timestamp' } };

/** Out of `short: data points`, each `short long type!/other` (`device-models.ts`). */
function attributesOf(row: string): [short: string, attributes: FlexDefinition['attributes']] {
  const [short = '', points = ''] = row.split(': ');
  const attributes = points.split(', ').map((point): [string, FlexAttribute] => {
    const [name = '', long = '', typeText = ''] = point.split(' ');
    const [type, or] = typeText.split(/!\/?/);
    const mandatory = typeText.includes('!');
    return [name, { long, type: type as FlexAttribute['type'], ...(mandatory && { mandatory }), ...(or && { or }) }];
  });
  return [short, Object.fromEntries(attributes)];
}

function moduleClass(long: string, row: string): FlexDefinition {
  const [short, own] = attributesOf(row);
  const cnd = `org.onem2m.common.moduleclass.${long}`;
  return { root: `cod:${short}`, cnd, attributes: { ...generated, ...own } };
}

const modules = new Map(Object.entries(moduleClasses).map(([long, row]) => [long, moduleClass(long, row)]));

/** A device with the modules that it may have, and those that it is made with unless others are named, by long name. */
export interface DeviceModel extends FlexDefinition {
  readonly modules: ReadonlyMap<string, FlexDefinition>;
  readonly defaults: readonly string[];
}

/** By long name. */
export const deviceModels: ReadonlyMap<string, DeviceModel> = new Map(
  Object.entries(deviceClasses).map(([long, text]) => {
    const [header = '', defaults = '', others = ''] = text.split(/: | \+ /);
    const [root = '', domain] = header.split(' ');
    const own = [...modules].filter(([name]) => `${defaults} ${others}`.split(' ').includes(name));
    const cnd = `org.onem2m.${domain}.device.${long}`;
    return [long, { root, cnd, attributes: generated, modules: new Map(own), defaults: defaults.split(' ') }];
  }),
);

const models: readonly FlexDefinition[] = [...modules.values(), ...deviceModels.values()];

/** Of the kinds that scenarios create: documents tell them, and deviations are drawn about them. */
const coreRoots = /^cod:(binSh|tempe|color|brigs|acoSr|motSr|airFw|devLt|devTr)$/;

/** Those of TS-0023 beside the usual ones. */
export const modelDefinitions = models.filter(({ root }) => !coreRoots.test(root));

/** Of generic interworking, for any `cnd`. */
const interworking = [
  'gis: gisn serviceName text!, giip inputDataPointLinks list, giop outputDataPointLinks list',
  `gio: gion operationName text!, gios operationStatus text!, giip inputDataPointLinks list, giop outputDataPointLinks list, giil inputLinks list, giol outputLinks list`,
];

/** The ones that applications use most. More can be given as `flexContainers` when a CSE is made. */
export const flexDefinitions: readonly FlexDefinition[] = [
  ...models.filter(({ root }) => coreRoots.test(root)),
  ...interworking.map(attributesOf).map(([short, attributes]) => ({ root: `m2m:${short}`, attributes })),
];
