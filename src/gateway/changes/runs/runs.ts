/** Promotions, restores, imports and undo: their store, their runner and their routes. */
import type { FastifyInstance } from 'fastify'
import { logFault } from '#node/process/logFault.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { TwoPersonApproval } from '../../approvals/twoPersonApproval.ts'
import type { ApprovalQueue } from '../../approvals/approvalQueue.ts'
import type { Connections } from '../../connections/connections.ts'
import type { Presence } from '../../cluster/presence.ts'
import type { Database } from '../../database/database.ts'
import type { SealedJson } from '../../database/sealedJson.ts'
import type { CurrentAccess } from '../../identity/people/currentAccess.ts'
import type { Inventories } from '../../inventories/inventories.ts'
import type { GuardedWrites } from '../../resources/guardedWrites.ts'
import { RecordZips, type ReadingLimits } from '../../recordFiles/recordZips.ts'
import { FileImports } from './fileImports.ts'
import { LinkStore } from './linkStore.ts'
import { Promotions } from './promotions.ts'
import type { OpenHistory } from '../../history/openHistory.ts'
import { Restores } from './restores.ts'
import { Runner } from './runner.ts'
import { registerRuns } from './runRoutes.ts'
import type { RunStore } from './runStore.ts'

interface RunDependencies {
  connections: Connections
  deployments: Deployments
  guardedWrites: GuardedWrites
  inventories: Inventories
  runs: RunStore
  database: Database
  sealed: SealedJson
  presence: Presence
  history: OpenHistory
  currentAccess: CurrentAccess
  twoPersonApproval: TwoPersonApproval
  approvalQueue: ApprovalQueue
  /** Limits for reading zips of records. */
  zipLimits: ReadingLimits | undefined
}

export type OpenRuns = Awaited<ReturnType<typeof openRuns>>

/** Registers the routes. Runs that other consoles left are interrupted from now on. */
export async function openRuns(
  app: FastifyInstance,
  { database, sealed, presence, zipLimits, ...parts }: RunDependencies,
) {
  const { runs } = parts
  const links = new LinkStore(database, sealed)
  await runs.settleInterrupted()
  const runner = new Runner({ ...parts, links, logger: app.log })
  presence.everyBeat(() => runner.follow().catch(logFault(app.log, 'Runs of other consoles cannot be seen.')))
  const promotions = new Promotions({ ...parts, links, runner })
  const zips = new RecordZips(zipLimits)
  const restores = new Restores({ ...parts, runner })
  registerRuns(app, {
    ...parts,
    runner,
    promotions,
    restores,
    fileImports: new FileImports({ ...parts, runner, zips }),
  })
  /** A run as it is now. */
  const find = async (id: string) => {
    const run = await runs.get(id)
    return run && runner.actual(run)
  }
  return {
    links,
    find,
    runner,
    shownSteps: (id: string) => runs.shownSteps(id),
    close: () => Promise.all([runner.close(), zips.close()]),
  }
}
