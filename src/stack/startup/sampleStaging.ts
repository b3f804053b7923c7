/**
 * The staging environment of the sample: records only, in a folder of its own, beside those of the stack and served by it. It
 * exists as long as the sample does, and only where the records of the stack are a file.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { SampleStatus } from '#contract/stack/sample.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { alertRows } from '../documents/alertRows.ts'
import { newAlert } from '../documents/alertDocument.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { newSavedSearch, savedSearchRows } from '../documents/savedSearchRows.ts'
import { changedWebhook, webhookRows } from '../documents/webhookRows.ts'
import type { StackDependencies } from '../resources/context.ts'
import { sourceRows } from '../resources/sources.ts'
import { sampleProgress } from '../sample/sampleProgress.ts'
import { stackDashboard } from '../sample/stackDashboard.ts'
import {
  laterChange,
  stagingAlerts,
  stagingDashboards,
  stagingSearches,
  stagingWebhook,
} from '../sample/stagingRecords.ts'
import type { Identity } from '../store/identity.ts'
import { openStore, type Queries, type Store } from '../store/store.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import { firstStart, type NewSource } from './firstStart.ts'

export interface SampleStaging {
  store: Store
  identity: Identity
  /** Whether it is there. Its requests find nothing afterwards. */
  isPresent(): boolean
  /** Changes made there once the sample is loaded. */
  change(): Promise<void>
  close(): Promise<void>
}

interface StagingOptions {
  /** The records of the stack. */
  store: Store
  dataDir: string
  /** Whether it is created where the sample has not begun yet. */
  begins: boolean
  sources: readonly NewSource[]
  logger: Pick<Logger, 'warn'>
}

export interface StagingPlace {
  staging: SampleStaging | null
  /** Removes it with its folder. */
  remove(): Promise<void>
}

/** @param onRemoved called once it no longer answers */
export async function openSampleStaging(options: StagingOptions, onRemoved: () => void): Promise<StagingPlace> {
  const folder = join(options.dataDir, 'sample-staging')
  const phase = (await readSetting(options.store, 'sample', sampleProgress))?.phase
  const isOver = phase === 'removing' || phase === 'removed'
  // A kill may have left a part of it.
  await rm(goneFolder(folder), { recursive: true, force: true })
  if (isOver) await removeFolder(folder)
  const isWanted = existsSync(folder) || (options.begins && phase === undefined)
  const staging = isOver || options.store.isShared || !isWanted ? null : await openOrBegin(folder, options)
  return {
    staging,
    async remove() {
      if (!staging?.isPresent()) return
      await staging.close()
      await removeFolder(folder)
      onRemoved()
    },
  }
}

/** The parts that handle its requests. It has no telemetry, and nothing there is evaluated or sent. */
export function stagingParts(
  { telemetryLosses: _losses, damaged: _damaged, ...parts }: StackDependencies,
  staging: SampleStaging,
): StackDependencies {
  const { sample } = parts
  const shown = ({ state }: SampleStatus): SampleStatus => ({
    state: state === 'loading' ? 'ready' : state,
    progress: 1,
    records: 0,
    recordsOnly: true,
  })
  return {
    ...parts,
    store: staging.store,
    identity: staging.identity,
    engine: null,
    sample: sample && {
      ...sample,
      status: async () => shown(await sample.status()),
      remove: async () => shown(await sample.remove()),
    },
    unevaluated: 'This environment of the sample has records only, and no telemetry.',
  }
}

/** It is an example: what cannot be read begins again, and what cannot be written is left out. */
async function openOrBegin(folder: string, options: StagingOptions): Promise<SampleStaging | null> {
  try {
    return await open(folder, options).catch(async (error: unknown) => {
      options.logger.warn({ err: error }, 'The staging environment of the sample could not be opened, and begins again')
      await removeFolder(folder)
      return open(folder, options)
    })
  } catch (error) {
    options.logger.warn({ err: error }, 'The sample has no staging environment')
    return null
  }
}

async function open(folder: string, { sources }: StagingOptions): Promise<SampleStaging> {
  const store = await openStore({ file: join(folder, 'stack.db') })
  try {
    const identity = await firstStart(store, { sources, dashboards: [stackDashboard] })
    await store.write((transaction) => addRecords(transaction, identity))
    let isPresent = true
    return {
      store,
      identity,
      isPresent: () => isPresent,
      change: () => store.write(makeLaterChange),
      async close() {
        if (isPresent) {
          isPresent = false
          await store.close()
        }
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const done = z.literal(true)

/** Once: what people delete stays deleted. */
async function once(transaction: Queries, name: string, work: () => Promise<void>): Promise<void> {
  if (await readSetting(transaction, name, done)) return
  await work()
  await writeSetting(transaction, name, true)
}

const addRecords = (transaction: Queries, identity: Identity) =>
  once(transaction, 'stagingRecords', async () => {
    const sources = await sourceRows.all(transaction)
    const [webhook] = await webhookRows.all(transaction)
    if (!webhook) throw new TypeError('the first start creates a webhook')
    await webhookRows.update(transaction, changedWebhook(webhook, stagingWebhook))
    const { shop, delivery } = stagingDashboards(sources)
    const dashboard = newDashboard(shop)
    for (const document of [dashboard, newDashboard(delivery)]) await dashboardRows.insert(transaction, document)
    const inputs = stagingSearches(sources)
    const searches = {
      payments: newSavedSearch(inputs.payments, identity.teamId),
      checkouts: newSavedSearch(inputs.checkouts, identity.teamId),
    }
    for (const search of Object.values(searches)) await savedSearchRows.insert(transaction, search)
    for (const input of stagingAlerts({ dashboard, searches, webhookId: webhook.id })) {
      await alertRows.insert(transaction, newAlert(input, identity.teamId))
    }
  })

const makeLaterChange = (transaction: Queries) =>
  once(transaction, 'stagingChange', async () => {
    const { name, threshold } = laterChange
    const alert = (await alertRows.all(transaction)).find((row) => row.name === name)
    if (!alert) return
    await alertRows.update(transaction, { ...alert, threshold, updatedAt: currentIsoTime() })
  })

const goneFolder = (folder: string) => `${folder}.removed`

/** At once, so that a kill leaves no part of it in its place. */
async function removeFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  await rm(goneFolder(folder), { recursive: true, force: true })
  await rename(folder, goneFolder(folder))
  await rm(goneFolder(folder), { recursive: true, force: true })
}
