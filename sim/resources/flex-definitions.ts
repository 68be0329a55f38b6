/** Definitions of flexible containers, with their attributes (TS-0023, TS-0001 clause 9.6.35). */
import { deviceClasses, moduleClasses } from './device-models.ts';

export interface FlexAttribute {
  readonly long: string;
  /** `number`: with a fraction; `integer`: signed; `count`: unsigned. */
  readonly type: 'text' | 'number' | 'integer' | 'count' | 'boolean' | 'timestamp' | 'list';
  readonly mandatory?: boolean;
  /** Short name of its counterpart in another release: one of both is mandatory. */
  readonly or?: string;
}

export interface FlexDefinition {
  /** Root key of a representation: `cod:tempe`. */
  readonly root: string;
  /** The required `cnd`; absent: any. */
  readonly cnd?: string;
  /** By short name. */
  readonly attributes: Readonly<Record<string, FlexAttribute>>;
}

const generated: Readonly<Record<string, FlexAttribute>> = { dgt: { long: 'dataGenerationTime', type: 'timestamp' } };

/** From `short: data points`, each `short long type!/other` (`device-models.ts`). */
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

/** A device with its possible modules, and the default ones, by long name. */
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

/** Types that scenarios create, documents list and deviations are drawn for. */
const coreRoots = /^cod:(binSh|tempe|color|brigs|acoSr|motSr|airFw|devLt|devTr)$/;

/** The other definitions of TS-0023. */
export const modelDefinitions = models.filter(({ root }) => !coreRoots.test(root));

/** Generic interworking, for any `cnd`. */
const interworking = [
  'gis: gisn serviceName text!, giip inputDataPointLinks list, giop outputDataPointLinks list',
  `gio: gion operationName text!, gios operationStatus text!, giip inputDataPointLinks list, giop outputDataPointLinks list, giil inputLinks list, giol outputLinks list`,
];

/** Those that applications use most. The option `flexContainers` of a CSE adds more. */
export const flexDefinitions: readonly FlexDefinition[] = [
  ...models.filter(({ root }) => coreRoots.test(root)),
  ...interworking.map(attributesOf).map(([short, attributes]) => ({ root: `m2m:${short}`, attributes })),
];
