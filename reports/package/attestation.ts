/** The manifest of a package as an in-toto statement of a test result, in a DSSE envelope. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type RunResult, UsageError } from '../../scenarios/words.ts';
import { io } from '../writing/io.ts';

/** https://github.com/secure-systems-lab/dsse, protocol 1.0; unsigned where it has no signature. */
export const Envelope = z
  .strictObject({
    payloadType: z.literal('application/vnd.in-toto+json'),
    payload: z.base64().describe('The statement.'),
    signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() }).readonly()).readonly(),
  })
  .readonly();
export type Envelope = z.infer<typeof Envelope>;

/** Texts by their names. */
export type PackageParts = Readonly<Record<string, string>>;

export const sha256Of = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The parts that say what was checked, and how. */
const configParts = new Set(['target.json', 'inventory.json', 'plan.yaml']);

/**
 * https://in-toto.io/attestation/test-result/v0.1: subjects are the parts of the package, since a running CSE has no hash; tests are
 * requirements.
 */
export function statementOf(
  parts: PackageParts,
  { requirements, exit }: Pick<RunResult, 'requirements' | 'exit'>,
): object {
  const subject = Object.entries(parts).map(([name, text]) => ({ name, digest: { sha256: sha256Of(text) } }));
  const idsOf = (isOf: (one: RunResult['requirements'][number]) => boolean) =>
    requirements.filter(isOf).map(({ id }) => id);
  const isWarned = ({ verdict, known }: RunResult['requirements'][number]) =>
    verdict === 'advisory' || verdict === 'intermittent' || known === true;
  const warnedTests = idsOf(isWarned);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: exit.code !== 0 ? 'FAILED' : warnedTests.length > 0 ? 'WARNED' : 'PASSED',
      configuration: subject.filter(({ name }) => configParts.has(name)),
      passedTests: idsOf(({ verdict }) => verdict === 'satisfied'),
      warnedTests,
      failedTests: idsOf((one) => one.verdict === 'violated' && !isWarned(one)),
    },
  };
}

const payloadType = 'application/vnd.in-toto+json';

/** What is signed: type and payload, each with its length. */
function preAuthenticated(payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function envelopeOf(statement: object, key: KeyObject | undefined): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = key && { keyid: keyIdOf(key), sig: sign(null, preAuthenticated(payload), key).toString('base64') };
  return { payloadType, payload: payload.toString('base64'), signatures: signature ? [signature] : [] };
}

/** Whether one of the signatures is by this key. */
export function isSignedBy({ payload, signatures }: Envelope, key: KeyObject): boolean {
  const signed = preAuthenticated(Buffer.from(payload, 'base64'));
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')));
}

/** SHA-256 of the public key in DER, as `openssl pkey -pubin -outform DER | sha256sum` has it. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return `sha256:${sha256Of(publicKey.export({ type: 'spki', format: 'der' }))}`;
}

/** Reads PEM. Throws a UsageError if it is no Ed25519 key. */
export function signingKey(path: string): KeyObject {
  const passphrase = io().env.CSELAB_PASSPHRASE;
  return ed25519Key(path, '--sign-key', (key) => createPrivateKey({ key, ...(passphrase && { passphrase }) }));
}

/** The public key of a private one. */
export const verifyingKey = (path: string): KeyObject => ed25519Key(path, '--key', createPublicKey);

function ed25519Key(path: string, flag: string, read: (pem: Buffer) => KeyObject): KeyObject {
  const key = resultOrError(() => read(readFileSync(path)));
  if (key instanceof Error) throw new UsageError(`${flag} ${path} cannot be read as a key in PEM: ${key.message}`);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new UsageError(
    `${flag} ${path} holds a key of ${key.asymmetricKeyType}; Ed25519 is needed: openssl genpkey -algorithm ed25519`,
  );
}

export function resultOrError<Result>(read: () => Result): Result | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}
