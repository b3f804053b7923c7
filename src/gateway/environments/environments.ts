/** All connections side by side: what each has, what differs, and where a record is. */
import type { FastifyInstance } from 'fastify'
import type { Deployments } from '#node/upstream/deployments.ts'
import { logFault } from '#node/process/logFault.ts'
import type { Connections } from '../connections/connections.ts'
import type { Presence } from '../cluster/presence.ts'
import type { SharedRevisions } from '../cluster/sharedRevisions.ts'
import type { LinkStore } from '../changes/runs/linkStore.ts'
import { Comparisons } from './comparisons.ts'
import { ConnectionComparisons } from './connectionComparisons.ts'
import { ConnectionStates } from './connectionStates.ts'
import { registerEnvironments } from './environmentRoutes.ts'
import type { LastReadings } from './lastReadings.ts'
import { LongPoll, VersionFeed } from './longPoll.ts'
import type { Inventories } from '../inventories/inventories.ts'
import { Matches } from './matches.ts'
import { RecordNames } from './recordNames.ts'
import { StateReader } from './stateReader.ts'

interface EnvironmentDependencies {
  inventories: Inventories
  connections: Connections
  deployments: Deployments
  links: LinkStore
  presence: Presence
  dataDir: string
  lastReadings: LastReadings
  /** Tells what other consoles have changed. */
  others: SharedRevisions
}

/** Registers the routes. @throws UnusableState if `environments.json` is damaged */
export async function openEnvironments(
  app: FastifyInstance,
  { presence, dataDir, others, links, connections, deployments, inventories, lastReadings }: EnvironmentDependencies,
): Promise<void> {
  const matches = await Matches.open(presence.ownWrites, dataDir)
  others.follow((seen) => matches.refresh(seen))
  const comparisons = new Comparisons({ inventories, matches, links })
  const onError = logFault(app.log, 'A connection could not be read.')
  const versionFeed = new VersionFeed()
  const longPoll = new LongPoll(versionFeed)
  // Requests that wait would delay the end of the server.
  app.addHook('preClose', async () => longPoll.close())
  const reader = new StateReader({ connections, deployments, inventories, versionFeed, lastReadings, onError })
  const parts = { reader, connections, comparisons, lastReadings, versionFeed, longPoll, onError }
  const states = new ConnectionStates(parts)
  const allCompared = new ConnectionComparisons(parts)
  const names = new RecordNames(connections, reader, lastReadings)
  // The server starts meanwhile, and a request waits for the part that it needs: first the states, which are few, for Home.
  const statesRestored = reader
    .restore()
    .then(() => states.restore())
    .catch(onError)
  const restored = {
    states: statesRestored,
    comparisons: statesRestored.then(() => allCompared.restore()).catch(onError),
    names: statesRestored.then(() => names.restore()).catch(onError),
  }
  registerEnvironments(app, { connections, states, comparisons, allCompared, matches, names, restored })
}
