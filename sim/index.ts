/** The entry point of the reference CSE, for the harness, the command line and application developers. */

import type { DrawnDeviation } from './deviations/drawn/drawn-deviation.ts';
import type { DeviationFacts as Deviation } from './deviations/index.ts';
import { UnknownDeviationError } from './deviations/vocabulary/deviation.ts';
import type { Witness, WitnessOptions } from './witness/witness.ts';

export { ApplicationEntity, XAE } from './application-entity/ae.ts';
export { ApplicationEntityError } from './application-entity/credentials.ts';
export type { ApplicationEntityOptions, ContainerOptions, DiscoveryCriteria } from './application-entity/options.ts';
export { RequestError } from './application-entity/requests.ts';
export { createFetch } from './bindings/fetch.ts';
export { type HttpServer, serveHttp } from './bindings/http.ts';
export { type Snapshot, SnapshotError } from './core/operations/snapshot.ts';
export { type CseOptions, createCse, type InMemoryCse, type ReferenceCse } from './cse/create-cse.ts';
export type { DeviationChoice, DeviationId } from './deviations/applying.ts';
export { drawDeviations, drawVariations } from './deviations/drawn/draw.ts';
export { describeDeviation } from './deviations/drawn/drawn-deviation.ts';
export type { World } from './deviations/drawn/operators.ts';
export { attributesIn, operatorOf, rowOf } from './deviations/drawn/operators.ts';
export type { Variation } from './deviations/drawn/variation.ts';
export { describeVariations, isForListener, variationClauses } from './deviations/drawn/variation-rows.ts';
export { disturbanceRules } from './deviations/drawn/varied-wire.ts';
export { writtenDeviations } from './deviations/index.ts';
export type { DeviationRow } from './deviations/language/schema.ts';
export type { HttpService } from './dialects/http-message.ts';
export { type Sender, UnreachableError } from './dialects/outgoing-message.ts';
export type { ActiveRuleState, Disturbances, RuleInput } from './disturbance/contract.ts';
export { type DisturbanceRule, DisturbanceRuleError } from './disturbance/rule.ts';
export { type ManualClock, manualClock, type Scheduler, systemClock } from './environment/clock.ts';
export { type Inbox, InboxError, type NextOptions } from './inbox/inbox.ts';
export { type StartInboxOptions, startInbox } from './inbox/start-inbox.ts';
export type { CseControls } from './instruments/controls.ts';
export type { OpenTelemetryApi } from './instruments/spans.ts';
export type { Expected, NotificationCriteria, RequestCriteria } from './journal/criteria.ts';
export type { JournalAnswer, JournalEntry } from './journal/entry.ts';
export type { JournalEvent, RequestJournal, WaitOptions } from './journal/journal.ts';
export { RequestExpectationError } from './journal/near-miss.ts';
export type { ReceivedNotification } from './journal/notification.ts';
export { type Faithfulness, faithfulnessOf, imitating, type Product } from './products/product.ts';
export {
  ProductFileError,
  type ProductName,
  productNames,
  productOf,
  productPath,
  readProduct,
} from './products/product-file.ts';
export { type ProductServer, serveProduct } from './products/serve-product.ts';
export { type DeviceModules, type DeviceName, type DeviceValues, device, type ModuleValues } from './seeding/device.ts';
export type { SeedResource, SeedTree, TreeName } from './seeding/seed-tree.ts';
export { createSendingCse, joinedUrls, joinPair } from './topology/joined-pair.ts';
export {
  type Gateway,
  type GatewayOptions,
  type Pair,
  type PairMember,
  type PairOptions,
  startGateway,
  startPair,
  type TlsMode,
} from './topology/pair.ts';
export type { PairCertificates } from './topology/pair-certificates.ts';
export type { Delay } from './topology/pair-member.ts';
export type { ResourceView } from './tree-view/resource-view.ts';
export { NoSuchResourceError, type TreeView } from './tree-view/tree-view.ts';
export type { Workload, WorkloadOptions } from './workload/workload.ts';
export type { ValueGenerator, WorkloadDevice, WorkloadPlan } from './workload/workload-form.ts';
export type { Deviation, DrawnDeviation, Witness };
export { UnknownDeviationError };

/** Requests that show an effect of deviations; undefined where none were found. Loads fast-check, which generates them. */
export async function witnessOf(
  deviations: readonly DrawnDeviation[],
  options: WitnessOptions,
): Promise<Witness | undefined> {
  const witness = await import('./witness/witness.ts');
  return witness.witnessOf(deviations, options);
}
