/** The parts of the gateway on which all of its routes depend: its records, the people, the way to deployments, and their samples. */
import type { FastifyBaseLogger } from 'fastify'
import { wallClock } from '#node/clock/wallClock.ts'
import { watchDamagedRows } from '#node/database/damagedRows.ts'
import { waitForServer } from '#node/database/waitForServer.ts'
import { logFault } from '#node/process/logFault.ts'
import { approvalRules } from './approvals/connectionRules.ts'
import { openApprovals } from './approvals/openApprovals.ts'
import { openAudit } from './audit/openAudit.ts'
import { RequestStore } from './changes/changeRequests/requestStore.ts'
import { RunStore } from './changes/runs/runStore.ts'
import { openWritePath } from './changes/writePath.ts'
import { openConsoles, startAsMember, type Consoles } from './cluster/openConsoles.ts'
import { openConnections } from './connections/openConnections.ts'
import { seedConnections, seedsKeptMessage } from './connections/seedConnections.ts'
import { rememberClock } from './database/clockMemory.ts'
import { openDatabase, type Database } from './database/database.ts'
import { correctFutureTimes, setBackFutureTimes } from './database/futureTimes.ts'
import { SealedJson } from './database/sealedJson.ts'
import { forgetDeletedRows } from './database/storedRows.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import { openJournal } from './history/openHistory.ts'
import type { ConsoleAddress } from './http/consoleAddress.ts'
import { Samplers } from './sampling/samplers.ts'
import { ServiceLoads } from './sampling/serviceLoads.ts'
import { SharedSamples } from './sampling/sharedSamples.ts'
import { SizeLoadStore } from './sampling/sizeLoads.ts'
import { SizePredictions } from './sampling/sizePredictions.ts'
import { openSignIn } from './signIn.ts'
import { openUpstreams } from './upstreams.ts'

export type GatewayCore = Awaited<ReturnType<typeof openCore>>

/** Opens the records, joins the consoles that share them, and prepares what reads and writes deployments. */
export async function openCore(options: GatewayOptions, logger: FastifyBaseLogger, address: ConsoleAddress) {
  const upstreams = openUpstreams(options)
  const records = await openRecords(options, logger)
  records.consoles.shareBudgets(upstreams.budgets, records.sealed.derivedKey('budgets'))
  const stopRemembering = await rememberClock(
    records.database,
    logFault(logger, 'What is known of the clock could not be stored yet.'),
  )
  await setBackFutureTimes(records.database, wallClock.now())
  const writing = await openWriting(options, logger, { ...records, ...upstreams, address })
  const sampling = openSampling(options, logger, { ...records, ...writing })
  const { presence, locks, others } = records.consoles
  return {
    ...records,
    ...writing,
    ...sampling,
    address,
    presence,
    locks,
    others,
    stopWatching: () => {
      records.stopWatching()
      sampling.stopCorrecting()
    },
    close: async () => {
      await stopRemembering()
      await presence.close()
      await records.database.close()
      await upstreams.egress.close()
    },
  }
}

type Records = Awaited<ReturnType<typeof openRecords>>

/** The database, this console among those that use it, and the connections with the keys of what is sealed. */
async function openRecords(options: GatewayOptions, logger: FastifyBaseLogger) {
  const { dataDir, tuning = {} } = options
  const database = await waitForServer(() => openDatabase(dataDir, options.databaseUrl, options), options.databaseWait)
  const stopClock = wallClock.watch(logger)
  const stopReporting = watchDamagedRows(logger, options.meter, {
    known: database.damaged,
    refresh: () => forgetDeletedRows(database),
  })
  const consoles = openConsoles({ database, dataDir, logged: (what) => logFault(logger, what), beat: tuning.beat })
  const { connections, key, dataKey, seeding } = await openOwnConnections(options, database, consoles)
  if (seeding === 'kept') logger.warn(seedsKeptMessage)
  return {
    database,
    consoles,
    connections,
    key,
    seeding,
    sealed: new SealedJson(dataKey),
    stopWatching: () => {
      stopClock()
      stopReporting()
    },
  }
}

/** Joins the other consoles, and adds the connections that the options name. */
function openOwnConnections(options: GatewayOptions, database: Database, { presence }: Consoles) {
  const { dataDir, secret, seeds = [] } = options
  return startAsMember(presence, database, async () => {
    const ids = seeds.map(({ id }) => id)
    const found = await openConnections({ database, dataDir, secret }, ids, presence.ownWrites)
    const parts = { connections: found.connections, database: presence.ownWrites }
    const seeding = await seedConnections(parts, seeds, () => presence.hasOthers())
    return { ...found, seeding }
  })
}

/** People and roles, and all that a write to a deployment passes. */
async function openWriting(
  options: GatewayOptions,
  logger: FastifyBaseLogger,
  parts: Records & ReturnType<typeof openUpstreams> & { address: ConsoleAddress },
) {
  const { database, consoles, connections, sealed, egress, upstream, budgets, address } = parts
  const { presence, locks, others } = consoles
  const { tuning = {} } = options
  const signIn = await openSignIn(options, {
    database,
    sealed,
    egress,
    address,
    consoleId: presence.id,
    onLinkError: logFault(logger, 'Failed to store the sign-in link.'),
  })
  const approvals = openApprovals({
    connections,
    people: signIn.people,
    presence,
    sealed,
    egress,
    logger,
    now: tuning.now,
    retries: tuning.noticeRetries,
  })
  const audit = openAudit(database, logger)
  const journal = openJournal({ database, sealed, presence, locks, others, audit: audit.log, logger })
  return {
    signIn,
    approvals,
    /** The rules of approval, as the page shows them with connections. */
    rules: approvalRules({ ...approvals, connections }),
    audit,
    journal,
    deployments: openWritePath({ upstream, budgets, retries: tuning.retries, approvals, journal, consoles }),
    requests: new RequestStore(presence.ownWrites, sealed, tuning.now),
    runs: new RunStore(presence.ownWrites, sealed),
  }
}

/** The samples of deployments, and what is predicted from them. */
function openSampling(
  { tuning = {} }: GatewayOptions,
  logger: FastifyBaseLogger,
  parts: Records & Awaited<ReturnType<typeof openWriting>>,
) {
  const { database, consoles, connections, deployments, requests, signIn } = parts
  const predictions = new SizePredictions(database, (id) => requests.get(id))
  const samplers = new Samplers(connections, deployments, {
    intervals: tuning.intervals,
    loads: new ServiceLoads(database, logFault(logger, 'The load of services was not stored.')),
    sizeLoads: new SizeLoadStore(database, logFault(logger, 'The load of pipes and services was not stored.')),
    predictions,
    shared: database.isShared ? new SharedSamples(database) : undefined,
  })
  consoles.others.follow(async (seen) => {
    for (const id of await connections.refresh(seen)) samplers.forget(id)
  })
  const stopCorrecting = correctFutureTimes(database, {
    onDone: () => {
      signIn.sessions.forgetHeld()
      samplers.forgetAll()
    },
    onError: logFault(logger, 'Times that lie ahead of the clock could not be corrected.'),
  })
  return { samplers, predictions, stopCorrecting }
}
