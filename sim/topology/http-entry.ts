/** The HTTP entry of an installed CSE: its listener with its certificate, and their disturbances. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DefectName } from '../../certs/pki.ts';
import { CertificateDirectory, shipped } from '../../certs/shipped.ts';
import type { DetourFor } from '../bindings/detour.ts';
import { type HttpServer, serveHttp } from '../bindings/http.ts';
import type { TlsMaterial, TlsOptions } from '../bindings/tls.ts';
import { chosenIn } from '../deviations/applying.ts';
import { withVariedWire } from '../deviations/drawn/varied-wire.ts';
import type { WrittenDeviation } from '../deviations/vocabulary/deviation.ts';
import { forwardingTo, type HttpService } from '../dialects/http-message.ts';
import type { WireDisturbances } from '../disturbance/disturbances.ts';
import type { NodeContext, NodeSettings } from './node-settings.ts';
import { readTlsFiles } from './tls-files.ts';

interface HttpEntryOptions extends Required<Pick<NodeContext, 'onError' | 'log'>> {
  /** Read from the files of the settings; undefined where there are none. */
  readonly material: TlsMaterial | undefined;
  readonly disturbances: WireDisturbances;
}

/**
 * Listens first, so that the CSE can get the URL; it exists before the first request can arrive. Undefined without `http` in
 * the settings. Rejects with node's error, or a TlsMaterialError.
 */
export async function openHttp(
  later: { readonly service?: HttpService },
  settings: NodeSettings,
  options: HttpEntryOptions,
) {
  if (settings.http === undefined) return undefined;
  const { material, disturbances } = options;
  if (settings.http.enableHttps && material === undefined)
    throw new TypeError('HTTPS needs the files of key, certificate and chain');
  const certificate = presentedCertificate(settings, material);
  const server = await listen(later, settings, options, await certificate?.material());
  const present = async (defect: DefectName | undefined): Promise<void> => {
    await certificate?.renewAt(server, { broken: defect });
    server.closeIdle();
  };
  disturbances.installAt({ ...server, wire: 'http', ...(certificate && { present }) });
  const close = (): Promise<void> => {
    // Answers that are held back end first.
    disturbances.end();
    return server.close();
  };
  /** After the files of the certificate were changed. */
  const renewTls = async (sound: TlsMaterial) => certificate?.renewAt(server, { sound });
  return { url: server.url, renewTls, close };
}

async function listen(
  later: { readonly service?: HttpService },
  settings: NodeSettings,
  { disturbances, onError, log }: HttpEntryOptions,
  material: TlsMaterial | undefined,
): Promise<HttpServer> {
  const { http = {}, cse } = settings;
  const { port = 0, interface: host = '127.0.0.1', limits = {} } = http;
  const clientCertificate = clientCertificateOf(http);
  const deviations = chosenIn(cse);
  const deviating = deviatingAnswers(deviations);
  const unvaried: DetourFor = (request) => disturbances.detour(request) ?? deviating?.(request);
  let server: HttpServer | undefined;
  const detour = withVariedWire(unvaried, cse.variations ?? [], () => server);
  const overlooks = (objection: string) => deviations.some((one) => one.overlooks?.(objection));
  server = await serveHttp(lateService(later), {
    ...{ port, interface: host, onError, onIncident: log, detour, limits },
    ...{ hosts: namesOf(settings), cors: cse.cors ?? [] },
    ...(material && { tls: { material, clientCertificate, overlooks } }),
  });
  return server;
}

/** The service of a CSE that is created after the listener. */
export function lateService(later: { readonly service?: HttpService }): HttpService {
  return forwardingTo(() => {
    if (later.service === undefined) throw new TypeError('a request came before the CSE was there');
    return later.service;
  });
}

/** Whether clients have to show a certificate. */
export function clientCertificateOf(http: NonNullable<NodeSettings['http']>): TlsOptions['clientCertificate'] {
  return !http.requireCert ? 'optional' : http.rejectAtHandshake ? 'required at handshake' : 'required';
}

/** Host names by which others reach it. */
export function namesOf({ cse, registration }: NodeSettings): string[] {
  const urls = [...(cse.pointOfAccess ?? []), ...(registration?.remoteCses.flatMap(({ ownPoa }) => ownPoa) ?? [])];
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname);
}

type PresentedCertificate = { sound: TlsMaterial; broken: DefectName | undefined };

/** The one of the settings, unless a deviation or a disturbance replaces it; undefined without TLS. As a client the CSE is not affected. */
export function presentedCertificate({ cse, http, tls }: NodeSettings, sound: TlsMaterial | undefined) {
  if (!http?.enableHttps || sound === undefined) return undefined;
  const deviating = chosenIn(cse).find(({ presents }) => presents !== undefined);
  const near = new CertificateDirectory(dirname(tls?.crt ?? ''));
  return {
    sound,
    broken: undefined as DefectName | undefined,
    async material(): Promise<TlsMaterial> {
      const defect = this.broken ?? deviating?.presents;
      if (defect === undefined) return this.sound;
      // Of the same authority, where its directory has one.
      const own = near.refused(defect);
      const { cert, key } = existsSync(own.cert) && existsSync(own.key) ? own : shipped.refused(defect);
      return { ...(await readTlsFiles({ crt: cert, key, ca: shipped.chain })), ca: this.sound.ca };
    },
    async renewAt(server: Pick<HttpServer, 'renewTls'>, change: Partial<PresentedCertificate>) {
      server.renewTls(await Object.assign(this, change).material());
    },
  };
}

// Deviations of the bytes of answers, as a detour of the binding.

/** The first one that writes an answer has the last word. Undefined where none writes any. */
function deviatingAnswers(deviations: readonly WrittenDeviation[]): DetourFor | undefined {
  const deviating = deviations.flatMap(({ writes }) => writes ?? []);
  if (deviating.length === 0) return undefined;
  return () => ({
    isServed: true,
    take(answer, exchange) {
      if (answer === undefined || deviating.some((writes) => writes(answer, exchange))) return;
      exchange.write(answer);
    },
  });
}
