/** When the staging environment of the sample is there, also after a kill. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dashboardRows } from '../documents/dashboardRows.ts'
import type { SampleProgress } from '../sample/sampleProgress.ts'
import { openStore, type Store } from '../store/store.ts'
import { writeSetting } from '../store/storeSettings.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { openSampleStaging, type StagingPlace } from './sampleStaging.ts'

let dataDir: string
let store: Store
let place: StagingPlace | undefined
let warnings: string[]
const folder = () => join(dataDir, 'sample-staging')

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'staging-'))
  store = await openStore({ file: join(dataDir, 'stack.db') })
  warnings = []
})
afterEach(async () => {
  await place?.staging?.close()
  await store.close()
  rmSync(dataDir, { recursive: true })
})

async function start(begins = true): Promise<StagingPlace> {
  await place?.staging?.close()
  const logger = { warn: (_: unknown, text?: unknown) => void warnings.push(String(text)) }
  place = await openSampleStaging({ store, dataDir, begins, sources: defaultSources(), logger }, () => {})
  return place
}

const dashboardsOf = async ({ staging }: StagingPlace) =>
  staging && (await dashboardRows.all(staging.store)).map(({ name }) => name)

const progress = (phase: SampleProgress['phase']) =>
  store.write((transaction) =>
    writeSetting(transaction, 'sample', { phase, anchor: 0, slices: 0, sending: false, records: 0 }),
  )

const all = ['Stack health', 'Sample: small shop', 'Sample: checkout quality']

test('a start completes what a killed one began, and the next one finds it', async () => {
  await (await openStore({ file: join(folder(), 'stack.db') })).close()
  expect(await dashboardsOf(await start())).toEqual(all)
  const key = place?.staging?.identity.personalAccessKey
  await progress('ready')
  expect(await dashboardsOf(await start(false))).toEqual(all)
  expect(place?.staging?.identity.personalAccessKey).toBe(key)
  expect(warnings).toEqual([])
})

test('one that cannot be read begins again', async () => {
  await start()
  await place?.staging?.close()
  writeFileSync(join(folder(), 'stack.db'), 'nothing of a database')
  expect(await dashboardsOf(await start())).toEqual(all)
  expect(warnings).toEqual(['The staging environment of the sample could not be opened, and begins again'])
})

test('what a kill left of one that was removed is removed', async () => {
  await start()
  await place?.staging?.close()
  mkdirSync(`${folder()}.removed`)
  await progress('removing')
  expect((await start()).staging).toBeNull()
  expect(existsSync(folder())).toBe(false)
  expect(existsSync(`${folder()}.removed`)).toBe(false)
})

test('a sample without one, such as that of an earlier version, gets none', async () => {
  await progress('ready')
  expect((await start()).staging).toBeNull()
  expect((await start(false)).staging).toBeNull()
})
