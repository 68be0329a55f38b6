/** The `config` of the HTTPTransportPlugin. */
import { isIP } from 'node:net';
import { type Placed, quoted, type Section } from './config-section.ts';

export interface HttpConfiguration {
  /** An address, or a name of this machine. */
  readonly interface: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly enableHttps: boolean;
  /** A client must present a certificate. Without HTTPS it has no effect. */
  readonly requireCert: boolean;
  /** A client without the required certificate does not get through the handshake (`gaps`, row 35). */
  readonly rejectAtHandshake: boolean;
}

export interface HttpReading {
  readonly enableHttps: boolean | undefined;
  /** Undefined when a value is missing or wrong, which is reported. */
  readonly complete: HttpConfiguration | undefined;
}

export function readHttp(section: Section): HttpReading {
  const address = readInterface(section);
  const port = section.wholeNumber('port', 0, 65_535)?.value;
  const enableHttps = readEnableHttps(section);
  const requireCert = section.flag('require_cert');
  const rejectAtHandshake = section.flag('reject_at_handshake');
  // What a missing require_cert lets in over HTTPS would be a guess.
  section.require('port', ...(enableHttps ? ['require_cert'] : []));
  section.done();
  reportIneffective(section, enableHttps, requireCert, rejectAtHandshake);
  if (address === undefined || port === undefined || enableHttps === undefined)
    return { enableHttps, complete: undefined };
  const certificates = {
    requireCert: requireCert?.value ?? false,
    rejectAtHandshake: rejectAtHandshake?.value ?? false,
  };
  return { enableHttps, complete: { interface: address, port, enableHttps, ...certificates } };
}

/** Documented: "true turns HTTPS on", so that a missing one leaves it off. */
function readEnableHttps(section: Section): boolean | undefined {
  return section.node('enable_https') === undefined ? false : section.flag('enable_https')?.value;
}

/** Only who says so listens beyond this machine. */
const loopback = '127.0.0.1';

function readInterface(section: Section): string | undefined {
  if (section.node('interface') === undefined) {
    section.findings.note(section, `"interface" is missing, so the CSE listens on ${loopback} only`);
    return loopback;
  }
  const text = section.text('interface');
  return text && isAddress(text, section) ? text.value : undefined;
}

function isAddress(text: Placed<string>, { findings }: Section): boolean {
  const { value } = text;
  const isOne = isIP(value) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(value);
  const hint = value.startsWith('[') ? '; an IPv6 address stands without brackets here' : '';
  if (!isOne) findings.error(text, `${quoted(value)} is no address to listen on${hint}`);
  return isOne;
}

function reportIneffective(
  { findings }: Section,
  https: boolean | undefined,
  requireCert: Placed<boolean> | undefined,
  rejectAtHandshake: Placed<boolean> | undefined,
): void {
  if (https === false && requireCert?.value)
    findings.detail(requireCert, 'require_cert has no effect while enable_https is false');
  if (!rejectAtHandshake?.value || (https && requireCert?.value)) return;
  findings.detail(rejectAtHandshake, 'reject_at_handshake has no effect unless enable_https and require_cert are true');
}
