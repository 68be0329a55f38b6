import type { Death, LostRequest } from '../engine/result.ts';
import { Deaths } from '../engine/running/deaths.ts';
import { isCutShort, isUnavailable, type Liveness } from '../engine/targets/liveness.ts';
import { aroundTarget, now, type Target } from '../engine/targets/target.ts';
import { type SweepOptions, type Swept, sweep } from './sweep.ts';

export interface SurvivedSweep extends Swept {
  readonly deaths: readonly Death[];
}

interface Surviving {
  readonly liveness: Liveness;
  readonly restart?: (() => Promise<void>) | undefined;
}

/** So often a target is waited for. */
const mostDeaths = 3;

/** Removes what a run has left. A target that dies meanwhile is waited for; a removal that was under way then is not sent again. */
export async function survivedSweep(options: SweepOptions, { liveness, restart }: Surviving): Promise<SurvivedSweep> {
  const { signal } = new AbortController();
  const deaths = new Deaths({ liveness, restart, startedAt: now(), tell: () => {}, signal });
  const underWay: LostRequest[] = [];
  const killers = new Set<string>();
  const { gateway, backend } = options.targets;
  const sparing = (target: Target) => spared(liveness.watched(target), { liveness, killers, underWay });
  const targets = { ...(gateway && { gateway: sparing(gateway) }), ...(backend && { backend: sparing(backend) }) };
  const removed: string[] = [];
  for (;;) {
    const swept = await sweep({ ...options, targets });
    removed.push(...swept.removed);
    if (!deaths.isDown) return { ...swept, removed, deaths: deaths.all };
    const lost = underWay.splice(0);
    deaths.record(lost);
    const isBack = await deaths.comeBack();
    // Whatever is removed is removed alone.
    if (!isBack) deaths.diedAlone(lost[0]);
    if (!isBack || deaths.all.length >= mostDeaths)
      return { ...swept, removed, unreachable: deaths.why(), deaths: deaths.all };
  }
}

interface Sparing {
  readonly liveness: Liveness;
  /** Takes the paths of which the removal was under way when the target died. */
  readonly killers: Set<string>;
  readonly underWay: LostRequest[];
}

function spared(target: Target, { liveness, killers, underWay }: Sparing): Target {
  return aroundTarget(target, {
    async send(request, way) {
      const came = await target.send(request, way);
      if (liveness.down === undefined || !(isCutShort(came) || isUnavailable(came))) return came;
      const { method, path } = request;
      underWay.push({ method, path, scenario: 'cleanup', step: 0, curl: came.curl });
      if (method === 'DELETE') killers.add(path);
      return came;
    },
    objection(request, way) {
      const isKiller = 'method' in request && request.method === 'DELETE' && killers.has(request.path);
      return isKiller ? 'the target died while this was removed; it is not sent again' : target.objection(request, way);
    },
  });
}
