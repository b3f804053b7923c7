/** Direct access to the control plane: creates pipes for the tests and reads the results. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import { z } from 'zod'
import { consoleHeader } from '../../src/contract/console/connections.ts'
import { parseExposition } from '../../src/domain/exposition.ts'
import { fillPath } from '../../src/contract/wire/kernel.ts'
import { pagePaths } from '../../src/contract/console/pagePaths.ts'
import { fromWire, toWire } from '../../src/contract/wire/naming.ts'
import { pipe, type Pipe } from '../../src/contract/cloud/pipes/pipes.ts'
import { metricNames } from '../../src/contract/cloud/prometheus.ts'
import { service } from '../../src/contract/cloud/services/services.ts'
import { apiURL, brokerFile, brokerUser, credentials, dataDir, names, naming, plainBrokerFile } from './environment.ts'
import { organization, type CreatedKey } from './organization.ts'
import { responseTo } from './requests.ts'
import { started } from './started.ts'
import { clearFaults, managed, test as base, expect, unique } from './test.ts'

export const test = base.extend<{ cloud: Cloud }>({
  cloud: async ({ playwright }, run) => {
    const request = await playwright.request.newContext()
    const cloud = cloudApi(request)
    await run(cloud)
    // Faults would affect the cleanup too.
    clearFaults()
    await cloud.cleanUp()
    await request.dispose()
  },
})

type Cloud = ReturnType<typeof cloudApi>

interface MappedColumn {
  name: string
  type: string
  /** The field that it has the values of. Default: the one of its name. */
  field?: string
}

const columnsOfEvents: readonly MappedColumn[] = [
  { name: 'at', type: 'DateTime64(3)' },
  { name: 'event', type: 'String' },
]

const into = (table: string, columns: readonly MappedColumn[]) => ({
  destination: {
    database: 'default',
    table,
    managedTable: true,
    tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['at'] },
    columns: columns.map(({ name, type }) => ({ name, type })),
  },
  fieldMappings: columns.map(({ name, field = name }) => ({ sourceField: field, destinationField: name })),
})

const kafka = async (consumerGroup: string, topic: string) => ({
  kafka: {
    type: 'kafka',
    format: 'JSONEachRow',
    brokers: await startedBroker(brokerFile),
    topics: topic,
    consumerGroup,
    authentication: 'SCRAM-SHA-512',
    credentials: brokerUser,
  },
})

/** The address of the broker in a file, once it runs. */
async function startedBroker(file: string): Promise<string> {
  await started('kafka')
  return readFileSync(file, 'utf8')
}

/** Its address without sign-in, for producers. */
export const plainBroker = () => startedBroker(plainBrokerFile)

function files() {
  const folder = join(dataDir, 'pipe-files')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'one.jsonl'), '{"at":"2026-01-01 00:00:00.000","event":"start"}\n')
  return {
    objectStorage: {
      type: 'file',
      format: 'JSONEachRow',
      url: join(folder, '*.jsonl'),
      compression: 'auto',
      isContinuous: true,
    },
  }
}

function cloudApi(request: APIRequestContext) {
  const { keyId, keySecret, organizationId, serviceId } = credentials()
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const organizationAt = `/v1/organizations/${organizationId}`
  const servicesAt = `${organizationAt}/services`
  const root = `${servicesAt}/${serviceId}`
  const pipesAt = `${root}/${names.pipes}`
  const made: string[] = []
  async function call<S extends z.ZodType>(schema: S, method: string, path: string, body?: unknown) {
    const data = toWire(body, names)
    const answer = await request.fetch(`${apiURL}${path}`, { method, headers: { authorization }, data })
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
    const { result } = z.object({ result: z.unknown().optional() }).parse(await answer.json())
    return schema.parse(fromWire(result, names))
  }
  const cloud = {
    serviceId,
    /** The paths that faults match. */
    root,
    servicesAt,
    pipesAt,
    metricsAt: `${organizationAt}/prometheus`,
    costAt: `${organizationAt}/usageCost`,
    service: () => call(service, 'GET', root),
    updateService: (body: unknown) => call(service, 'PATCH', root, body),
    scaleService: (body: unknown) => call(service, 'PATCH', `${root}/replicaScaling`, body),
    pipe: (id: string) => call(pipe, 'GET', `${pipesAt}/${id}`),
    pipes: () => call(z.array(pipe), 'GET', pipesAt),
    updatePipe: (id: string, body: unknown) => call(pipe, 'PATCH', `${pipesAt}/${id}`, body),
    scalePipe: (id: string, body: unknown) => call(pipe, 'PATCH', `${pipesAt}/${id}/scaling`, body),
    /** Deletes a pipe that was created through the page. */
    deleteLater: (id: string | undefined) => {
      if (id) made.push(id)
    },
    /** The number of rows that a pipe has written, from its metrics. */
    written: async (id: string) => {
      const answer = await request.fetch(`${apiURL}${root}/prometheus`, { headers: { authorization } })
      const samples = parseExposition(await answer.text())
      return samples.find(({ name, labels }) => name === metricNames.sentEvents && Object.values(labels).includes(id))
        ?.value
    },
    settings: (id: string) => call(z.record(z.string(), z.unknown()), 'GET', `${pipesAt}/${id}/settings`),
    /** Creates a running pipe. It is deleted after the test. @param topic of a Kafka pipe. @param columns besides those of events */
    createPipe: async (
      kind: 'kafka' | 'objectStorage' = 'kafka',
      topic = 'events',
      columns: readonly MappedColumn[] = [],
    ): Promise<Pipe & { name: string }> => {
      const name = unique(kind)
      const source = kind === 'kafka' ? await kafka(name.replaceAll(/\W/g, '_'), topic) : files()
      const body = { name, source, ...into(name.replaceAll(/\W/g, '_'), [...columnsOfEvents, ...columns]) }
      const { id } = await call(pipe, 'POST', pipesAt, body)
      made.push(id)
      await expect.poll(async () => (await cloud.pipe(id)).state).toBe('Running')
      return { ...(await cloud.pipe(id)), name }
    },
    /** Creates a Postgres pipe of tables of the schema `public`, which is deleted after the test. @param state that is waited for */
    createPostgresPipe: async ({ port, tables, state }: { port: number; tables: readonly string[]; state: string }) => {
      const name = unique('postgres')
      const postgres = {
        host: '127.0.0.1',
        port,
        database: 'postgres',
        settings: { syncIntervalSeconds: 1 },
        tableMappings: tables.map((table) => ({
          sourceSchemaName: 'public',
          sourceTable: table,
          targetTable: `${name}_${table}`.replaceAll(/\W/g, '_'),
        })),
        credentials: { username: 'stack', password: '' },
      }
      const body = { name, source: { postgres }, destination: { database: 'default' } }
      const { id } = await call(pipe, 'POST', pipesAt, body)
      made.push(id)
      await expect.poll(async () => (await cloud.pipe(id)).state, { timeout: 60_000 }).toBe(state)
      return { ...(await cloud.pipe(id)), name }
    },
    cleanUp: async () => {
      const left = new Set((await cloud.pipes()).map(({ id }) => id))
      for (const id of made.filter((pipeId) => left.has(pipeId))) await call(z.unknown(), 'DELETE', `${pipesAt}/${id}`)
    },
  }
  return cloud
}

export const pipeAt = ({ serviceId, id }: Pipe, page = '') => `/c/${managed}/pipes/${serviceId}/${id}${page}`
export const serviceAt = (serviceId: string, page = '') => `/c/${managed}/services/${serviceId}${page}`

/** Makes the console read the metrics of a connection now. Pages show the sample when they ask for new ones. */
export async function sampleNow(page: Page, connectionId: string): Promise<void> {
  const url = `${fillPath(pagePaths.pipeSamples, { connectionId })}?retry=true`
  // The rate limit of the key may refuse it first.
  await expect(async () => {
    const sent = { url, header: consoleHeader }
    const answer = await page.evaluate(
      async ({ url: to, header }) => (await fetch(to, { headers: { [header]: '1' } })).text(),
      sent,
    )
    expect(JSON.parse(answer)).toMatchObject({ error: null })
  }).toPass({ timeout: 60_000 })
}

/** An API key that only one test has: it has a rate limit of its own, and faults can be for it alone. */
export async function createKey(): Promise<Pick<CreatedKey, 'keyId' | 'keySecret'>> {
  const { keyId, keySecret } = await organization<CreatedKey>('POST', '/keys', {
    name: unique('Key'),
    roles: ['admin'],
  })
  return { keyId, keySecret }
}

/**
 * Adds a managed connection, with a key of its own unless `fields` have one, and with the rate limits of deployments.
 * Returns its ID.
 */
export async function addConnection(page: Page, fields: Record<string, unknown>): Promise<string> {
  const { organizationId, serviceId } = credentials()
  const input = {
    variant: 'managed',
    naming,
    // The console knows the higher limits of the stack under test by its address.
    baseUrl: apiURL.replace('127.0.0.1', 'localhost'),
    allowPrivate: true,
    organizationId,
    serviceId,
    ...('keyId' in fields ? {} : await createKey()),
    name: unique('Cloud'),
    ...fields,
  }
  const answer = await responseTo(page, 'POST', '/api/connections', input)
  expect(answer.status, answer.text).toBeLessThan(300)
  const made = z.union([z.object({ id: z.string() }), z.object({ result: z.object({ id: z.string() }) })])
  const parsed = made.parse(JSON.parse(answer.text))
  return 'id' in parsed ? parsed.id : parsed.result.id
}
