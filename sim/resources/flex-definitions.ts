/** Definitions of flexible containers: what one is made for, and the attributes that it brings (TS-0023, TS-0001 clause 9.6.35). */

export interface FlexAttribute {
  readonly long: string;
  /** `number` with a fraction, `integer` with a sign, `count` without one. */
  readonly type: 'text' | 'number' | 'integer' | 'count' | 'boolean' | 'timestamp' | 'list';
  readonly mandatory?: boolean;
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

function moduleClass(short: string, long: string, attributes: FlexDefinition['attributes']): FlexDefinition {
  return {
    root: `cod:${short}`,
    cnd: `org.onem2m.common.moduleclass.${long}`,
    attributes: { ...generated, ...attributes },
  };
}

function device(short: string, long: string): FlexDefinition {
  return { root: `cod:${short}`, cnd: `org.onem2m.common.device.${long}`, attributes: generated };
}

/** The ones that applications use most. More can be given as `flexContainers` when a CSE is made. */
export const flexDefinitions: readonly FlexDefinition[] = [
  moduleClass('binSh', 'binarySwitch', { powSe: { long: 'powerState', type: 'boolean', mandatory: true } }),
  moduleClass('tempe', 'temperature', {
    curT0: { long: 'currentTemperature', type: 'number' },
    tarTe: { long: 'targetTemperature', type: 'number' },
    unit: { long: 'unit', type: 'count' },
    minVe: { long: 'minValue', type: 'number' },
    maxVe: { long: 'maxValue', type: 'number' },
    steVe: { long: 'stepValue', type: 'number' },
  }),
  moduleClass('color', 'colour', {
    red: { long: 'red', type: 'integer', mandatory: true },
    green: { long: 'green', type: 'integer', mandatory: true },
    blue: { long: 'blue', type: 'integer', mandatory: true },
  }),
  moduleClass('brigs', 'brightness', { brigs: { long: 'brightness', type: 'integer', mandatory: true } }),
  moduleClass('acoSr', 'acousticSensor', {
    louds: { long: 'loudness', type: 'number', mandatory: true },
    acoSs: { long: 'acousticStatus', type: 'integer' },
  }),
  moduleClass('motSr', 'motionSensor', { alarm: { long: 'alarm', type: 'boolean', mandatory: true } }),
  moduleClass('airFw', 'airFlow', {
    speed: { long: 'speed', type: 'integer', mandatory: true },
    minSd: { long: 'minSpeed', type: 'integer' },
    maxSd: { long: 'maxSpeed', type: 'integer' },
    autoe: { long: 'automode', type: 'boolean' },
  }),
  device('devLt', 'deviceLight'),
  device('devTr', 'deviceThermometer'),
  {
    root: 'm2m:gis',
    attributes: {
      gisn: { long: 'serviceName', type: 'text', mandatory: true },
      giip: { long: 'inputDataPointLinks', type: 'list' },
      giop: { long: 'outputDataPointLinks', type: 'list' },
    },
  },
  {
    root: 'm2m:gio',
    attributes: {
      gion: { long: 'operationName', type: 'text', mandatory: true },
      gios: { long: 'operationStatus', type: 'text', mandatory: true },
      giip: { long: 'inputDataPointLinks', type: 'list' },
      giop: { long: 'outputDataPointLinks', type: 'list' },
      giil: { long: 'inputLinks', type: 'list' },
      giol: { long: 'outputLinks', type: 'list' },
    },
  },
];
