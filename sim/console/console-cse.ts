/** One CSE as the console shows and controls it. */

import { localResource } from '../core/address.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { Resource } from '../core/resource.ts';
import { watchTree } from '../core/tree.ts';
import type { HttpResponse } from '../dialects/http-message.ts';
import { clientRequest } from '../dialects/messenger.ts';
import type { DeviationSwitch } from '../instruments/deviation-switch.ts';
import type { CseNode } from '../topology/node.ts';
import { PortRefusal } from '../topology/port-refusal.ts';
import type { Events } from './events.ts';
import { itemOf } from './views.ts';

export type Role = 'gateway' | 'backend';

export interface ConsoleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly target: string;
  readonly originator: string;
  readonly content?: object | undefined;
}

export class ConsoleCse {
  readonly cseId: string;
  readonly role: Role;
  readonly deviations: DeviationSwitch;
  readonly #events: Events;
  #node: CseNode | undefined;
  #watched: Cse | undefined;
  #requests = 0;

  constructor({ cseId, role }: Pick<ConsoleCse, 'cseId' | 'role'>, deviations: DeviationSwitch, events: Events) {
    this.cseId = cseId;
    this.role = role;
    this.deviations = deviations;
    this.#events = events;
  }

  get node(): CseNode {
    if (this.#node === undefined) throw new PortRefusal(409, `${this.cseId} is not there yet.`);
    return this.#node;
  }

  get core(): Cse {
    return this.node.cse.core;
  }

  attach(node: CseNode): void {
    this.#node = node;
    this.watchCurrent();
  }

  /** A reset of the CSE replaces it by a new one. */
  watchCurrent(): void {
    if (this.#node === undefined || this.#watched === this.core) return;
    const { core } = this;
    this.#watched = core;
    const isCurrent = () => this.#watched === core;
    watchTree(core.tree, {
      added: (resource) => void (isCurrent() && this.#added(resource)),
      removed: (resource) => void (isCurrent() && this.#removed(resource)),
    });
    this.#events.requestReload(this.cseId);
  }

  /** By identifier or path. */
  resource(id: string): Resource | undefined {
    const { tree, configuration } = this.core;
    return tree.byId(id) ?? localResource(id, tree, configuration);
  }

  overview() {
    const { configuration, tree } = this.core;
    const { node } = this;
    return {
      ...{
        cseId: this.cseId,
        role: this.role,
        url: node.url,
        points: node.points,
        dialect: configuration.dialect.name,
      },
      ...{ base: configuration.base, root: itemOf(tree.base), originator: configuration.accessControl.admin ?? '' },
      ...(node.imitates !== undefined && { imitates: node.imitates }),
      deviations: this.deviations.ids,
      rules: node.disturbances.rules,
      registrations: node.registrations.map(({ remote, registered, problem }) => ({ remote, registered, problem })),
    };
  }

  /** Requests through the console go the way of every other request, but for the wire. */
  async request(request: ConsoleRequest): Promise<HttpResponse> {
    this.#requests += 1;
    const identifier = `console-${this.#requests}`;
    return this.node.service.handle(clientRequest({ ...request, identifier }, this.core.configuration));
  }

  #added(resource: Resource): void {
    if (this.#events.watchers > 0) this.#events.treeChanged({ ...this.#parentOf(resource), added: itemOf(resource) });
  }

  #removed(resource: Resource): void {
    if (this.#events.watchers > 0) this.#events.treeChanged({ ...this.#parentOf(resource), removed: resource.id });
  }

  #parentOf({ parent }: Resource) {
    return { cse: this.cseId, parent: parent?.id ?? '', children: parent?.children?.size ?? 0 };
  }
}
