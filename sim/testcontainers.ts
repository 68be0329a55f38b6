/**
 * `cselab/testcontainers`: the reference CSE in containers, for tests in which the application or its environment runs in containers,
 * too. Needs a Docker engine, the package testcontainers (11), and an image built from `fixtures/containers/Dockerfile`.
 */
export { CseContainer, usualImage } from './containers/cse-container.ts';
export { GatewayPair, StartedGatewayPair } from './containers/gateway-pair.ts';
export { StartedCseContainer, type StartedCseOptions } from './containers/started-cse-container.ts';
export { ContainerStartError } from './containers/starting.ts';
export type { TlsMode } from './topology/pair.ts';
export type { PairCertificates } from './topology/pair-certificates.ts';
