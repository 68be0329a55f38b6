import { certificateNames } from '../engine/grammar/grammar-step.ts';
import type { Certificates } from '../engine/running/installation.ts';
import type { Way } from '../engine/targets/target.ts';

/** How a request travels that presents a certificate of this name, or none. */
export async function wayFor(name: string | undefined, certificates: Certificates): Promise<Way> {
  const known = certificateNames.find((one) => one === name);
  const certificate = known === undefined ? undefined : await certificates.find(known);
  return certificate === undefined || 'missing' in certificate ? {} : { certificate };
}
