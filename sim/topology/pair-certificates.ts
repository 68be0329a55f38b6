import type { TlsFiles } from './tls-files.ts';
export interface PairCertificates {
  readonly gateways: readonly TlsFiles[];
  readonly backend: TlsFiles;
  remove(): Promise<void>;
}
export async function pairCertificates(
  _g: readonly { cseId: string }[],
  _b: { cseId: string },
): Promise<PairCertificates> {
  throw new Error('later');
}
