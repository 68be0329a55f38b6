/** Numbers of the binding (TS-0008): options, content formats, and response codes by response status codes. */

/** Options by the headers of HTTP that carry the same (table 6.2.2.4.0-1; TS-0009, clause 6.4); `true` for those that are numbers. */
export const optionRows: ReadonlyArray<readonly [header: string, option: string, isNumber: boolean]> = [
  ['x-m2m-origin', '279', false],
  ['x-m2m-ri', '283', false],
  ['x-m2m-rvi', '271', false],
  ['x-m2m-ot', '259', false],
  ['x-m2m-ret', '291', false],
  ['x-m2m-rst', '295', false],
  ['x-m2m-oet', '299', false],
  ['x-m2m-rtu', '263', false],
  ['x-m2m-ec', '303', true],
  ['x-m2m-rsc', '307', true],
  ['x-m2m-gid', '311', false],
  ['x-m2m-cto', '319', true],
  ['x-m2m-cts', '323', true],
  ['x-m2m-ati', '327', false],
  ['x-m2m-vsi', '331', false],
  ['x-m2m-gtm', '335', false],
  ['x-m2m-aus', '339', false],
  ['x-m2m-asri', '275', false],
];

/** oneM2M-TY, which HTTP has in the content type. */
export const resourceTypeOption = '267';

/** Clause 6.2.2.2, table 6.2.2.2-1. */
const formats: ReadonlyMap<string, number> = new Map([
  ['application/xml', 41],
  ['application/json', 50],
  ['application/cbor', 60],
  ['application/vnd.onem2m-res+xml', 10_014],
  ['application/vnd.onem2m-res+json', 10_001],
  ['application/vnd.onem2m-ntfy+xml', 10_002],
  ['application/vnd.onem2m-ntfy+json', 10_003],
  ['application/vnd.onem2m-preq+xml', 10_006],
  ['application/vnd.onem2m-preq+json', 10_007],
  ['application/vnd.onem2m-prsp+xml', 10_008],
  ['application/vnd.onem2m-prsp+json', 10_009],
  ['application/vnd.onem2m-res+cbor', 10_010],
  ['application/vnd.onem2m-ntfy+cbor', 10_011],
  ['application/vnd.onem2m-preq+cbor', 10_012],
  ['application/vnd.onem2m-prsp+cbor', 10_013],
]);
const types: ReadonlyMap<number, string> = new Map([...formats].map(([type, format]) => [format, type]));

export const formatOf = (mediaType: string): number | undefined =>
  formats.get(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');

/** An unknown format is named by its number, so that it is refused as any other unsupported one. */
export const mediaTypeOf = (format: number): string => types.get(format) ?? `application/x-coap-${format}`;

/** Table 6.2.4-1; 2000 depends on the method. */
const codes: Readonly<Record<string, readonly number[]>> = {
  '2.01': [1000, 1001, 1002, 2001],
  '2.02': [2002],
  '2.04': [2004],
  '4.00': [4000, 4102, 4104, 4110, 4123, 4124, 4143, 5106, 5219, 5220, 6010, 6022, 6023, 6024, 6028, 6029],
  '4.02': [4120, 4122],
  '4.03': [
    ...[4101, 4103, 4105, 4106, 4107, 4108, 4109, 4111, 4112, 4113, 4114, 4115, 4116, 4117, 4126, 4127],
    ...[5105, 5203, 5205, 5208, 5214, 5215, 5218, 5222],
  ],
  '4.04': [4004, 4118, 4119, 4121, 5103, 5107, 6003, 6005],
  '4.05': [4005],
  '4.06': [5207],
  '4.15': [4015],
  '5.00': [5000, 5204, 5209, 5210, 5211, 5212, 5216, 5217, 5221, 6020, 6021, 6025, 6026],
  '5.01': [4001, 4125, 5001, 5206],
  '5.04': [4008, 6030, 6031],
};
const byStatus: ReadonlyMap<number, string> = new Map(
  Object.entries(codes).flatMap(([code, all]) => all.map((status) => [status, code] as const)),
);

/** The code of a response; a status outside the table has that of its class. */
export function responseCode(status: number, method: string): string {
  if (status === 2000) return method === 'GET' ? '2.05' : '2.04';
  return byStatus.get(status) ?? (status < 4000 ? '2.04' : status < 5000 ? '4.00' : '5.00');
}

export const methodCodes: ReadonlyMap<string, string> = new Map([
  ['GET', '0.01'],
  ['POST', '0.02'],
  ['PUT', '0.03'],
  ['DELETE', '0.04'],
]);
