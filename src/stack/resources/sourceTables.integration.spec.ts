/** The tables that sources can name, over HTTP and with the real engine: in writes, and in chart queries. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { newObjectId } from '../ids.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { sourceRows } from './sources.ts'

const secret = 'the-content-of-a-file-of-the-server'
const otherService = databaseOf('11111111-1111-4111-8111-111111111111', 'default')

let engine: Engine
let stack: TestStack
let own: string
let folder: string

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine, sourceDatabases: ['further'] })
  own = databaseOf(stack.identity.serviceId, 'default')
  for (const database of [own, `${own}_shop`, otherService, `${otherService}_shop`, 'further', 'private']) {
    await engine.command(`CREATE DATABASE ${database}`)
    await engine.command(
      `CREATE TABLE ${database}.events (Timestamp DateTime, c1 String) ENGINE = MergeTree ORDER BY Timestamp`,
    )
    await engine.command(`INSERT INTO ${database}.events VALUES (now(), '${secret}')`)
  }
  folder = join(stack.dataDir, 'private')
  await mkdir(folder)
  await writeFile(join(folder, 'console.key'), secret)
  await writeFile(join(folder, 'rows.csv'), `Timestamp,c1\n2026-01-01 00:00:00,${secret}\n`)
  await engine.command(`CREATE TABLE further.file (c1 String) ENGINE = File(CSV)`)
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

const common = (databaseName: string, tableName: string) => ({
  name: 'Mine',
  connection: stack.identity.connectionId,
  from: { databaseName, tableName },
  timestampValueExpression: 'now()',
})
const log = (databaseName: string, tableName: string, more: object = {}) => ({
  ...common(databaseName, tableName),
  kind: 'log',
  defaultTableSelectExpression: '*',
  ...more,
})
const metric = (databaseName: string, gauge: string) => ({
  ...common(databaseName, ''),
  kind: 'metric',
  metricTables: { gauge },
  resourceAttributesExpression: 'ResourceAttributes',
})

const write = (body: object) => stack.openSource('POST', '/sources', body)

const chart = (sourceId: string, series: object = {}) =>
  stack.openSource('POST', '/charts/series', {
    startTime: currentTime() - 3_600_000,
    endTime: currentTime() + 60_000,
    granularity: '1d',
    series: [{ sourceId, aggFn: 'count', where: '', groupBy: ['c1'], ...series }],
  })

describe('sources can read', () => {
  test.each(Object.values(tables))('telemetry: default.%s', async (table) => {
    expect((await write(log('default', table))).status).toBe(200)
  })

  test('the databases of the services of the key, and those of SOURCE_DATABASES', async () => {
    for (const database of [own, `${own}_shop`, 'further']) {
      const { status, json } = await write(log(database, 'events'))
      expect(status).toBe(200)
      const answer = await chart(json.data.id)
      expect(answer.json.data).toEqual([{ ts_bucket: expect.any(Number), group: [secret], 'series_0.data': '1' }])
    }
  })

  test('the default sources of a stack', async () => {
    for (const source of defaultSources()) {
      const answer = await write({ ...source, connection: stack.identity.connectionId })
      expect(answer.json).toMatchObject({ data: source })
    }
  })

  test('a view', async () => {
    await engine.command('CREATE VIEW further.view AS SELECT * FROM further.events')
    expect((await write(log('further', 'view'))).status).toBe(200)
  })
})

describe('a table that does not exist yet', () => {
  const read = async (id: string) => (await stack.openSource('GET', `/sources/${id}`)).json.data
  const listed = async (id: string) =>
    (await stack.openSource('GET', '/sources')).json.data.find((source: { id: string }) => source.id === id)

  test('is stored, named in every response, and read as soon as it exists', async () => {
    const created = await write(log('further', 'later'))
    expect(created).toMatchObject({ status: 200, json: { data: { missingTables: ['later'] } } })
    const { id } = created.json.data
    expect(await read(id)).toMatchObject({ missingTables: ['later'] })
    const unreadable = { ...created.json.data, id: newObjectId(), from: { databaseName: 'private', tableName: 'x' } }
    await sourceRows.insert(stack.store, unreadable)
    expect(await listed(id)).toMatchObject({ missingTables: ['later'] })
    await sourceRows.delete(stack.store, unreadable.id)
    const refused = await chart(id)
    expect(refused.status).toBe(400)
    expect(refused.json.message).toContain('series.0.sourceId: the database has no table "later"')

    await engine.command('CREATE TABLE further.later (c1 String) ENGINE = MergeTree ORDER BY c1')
    await engine.command("INSERT INTO further.later VALUES ('row')")
    expect(await read(id)).not.toHaveProperty('missingTables')
    expect(await listed(id)).not.toHaveProperty('missingTables')
    expect((await chart(id)).json.data).toMatchObject([{ group: ['row'], 'series_0.data': '1' }])
  })

  test('is named beside those of other types of metrics, and as it was read, the source can be written', async () => {
    const { json } = await write({
      ...metric('default', tables.gauge),
      metricTables: { gauge: tables.gauge, sum: 'sums' },
    })
    expect(json.data.missingTables).toEqual(['sums'])
    const again = await stack.openSource('PUT', `/sources/${json.data.id}`, await read(json.data.id))
    expect(again).toMatchObject({ status: 200, json: { data: { missingTables: ['sums'] } } })
    expect(await sourceRows.get(stack.store, json.data.id)).not.toHaveProperty('missingTables')
  })

  test('does not keep the list from being served while the engine is busy', async () => {
    const { json } = await write(log('further', 'much_later'))
    const busy = await startTestStack({ engine: { ...engine, query: () => Promise.reject(new Error('busy')) } })
    try {
      await sourceRows.insert(busy.store, json.data)
      expect((await busy.openSource('GET', '/sources')).json.data).toContainEqual(
        expect.objectContaining({ id: json.data.id, name: 'Mine' }),
      )
    } finally {
      await busy.close()
    }
  })
})

describe('an error names the field and the accepted values', () => {
  const noDatabase = (name: string) =>
    `${JSON.stringify(name)} is not a database that sources may read: use "default", a database of a service (service_…), or one of SOURCE_DATABASES`

  test.each([
    'system',
    'SYSTEM',
    'information_schema',
    'INFORMATION_SCHEMA',
    'private',
    otherService,
    `${otherService}_shop`,
    'Default',
    'default ',
    ' default',
    'default.',
    '`default`',
    '"default"',
    'default`.`x',
    'Further',
    'further.events',
    'nowhere',
    '.',
    '/',
  ])('the database %j', async (database) => {
    for (const source of [log(database, 'events'), log(database, 'query_log'), metric(database, 'events')]) {
      const answer = await write(source)
      const message = `Body validation failed: from.databaseName: ${noDatabase(database)}`
      expect([answer.status, answer.json]).toEqual([400, { message }])
    }
  })

  test('a table with an unsupported engine', async () => {
    const answer = await write(log('further', 'file'))
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/from\.tableName: .*"file"/)])
  })

  test('every other table, in any part of the source', async () => {
    const view = {
      databaseName: 'system',
      tableName: 'query_log',
      dimensionColumns: 'ServiceName',
      minGranularity: '5m',
      timestampColumn: 'Timestamp',
      aggregatedColumns: [{ aggFn: 'count', mvColumn: 'count' }],
    }
    const rollup = { kvRollupTable: '/etc/passwd', keyRollupTable: '..', granularity: '1h' }
    const answer = await write(
      log('default', tables.logs, {
        materializedViews: [{ ...view, databaseName: 'further', tableName: 'file' }, view],
        metadataMaterializedViews: rollup,
      }),
    )
    expect(answer.status).toBe(400)
    for (const field of [
      'materializedViews.0.tableName',
      'materializedViews.1.databaseName',
      'metadataMaterializedViews.keyRollupTable',
      'metadataMaterializedViews.kvRollupTable',
    ]) {
      expect(answer.json.message).toContain(`${field}: `)
    }
    const metrics = await write({
      ...metric('default', tables.gauge),
      metricTables: { gauge: tables.gauge, sum: '/etc/passwd', 'exponential histogram': '*' },
      seriesTable: '../x',
    })
    expect(metrics.json.message).toMatch(/metricTables\.sum: .*metricTables\.exponential histogram: .*seriesTable: /s)
  })

  test('an update', async () => {
    const { id } = (await write(log('default', tables.logs))).json.data
    const answer = await stack.openSource('PUT', `/sources/${id}`, log('system', 'query_log'))
    expect(answer.status).toBe(400)
    expect((await stack.openSource('GET', `/sources/${id}`)).json.data.from.databaseName).toBe('default')
  })
})

/** Ways to say a file, a table of the engine's own, or a table of others. */
function disguises(): [database: string, table: string][] {
  const files = [`${folder}/console.key`, `${folder}/rows.csv`, './package.json']
  const names = files.flatMap((file) => [
    file,
    `file://${file}`,
    `FILE:${file}`,
    `//${file}`,
    `${file}\0`,
    `${file}\0.csv`,
    `\`${file}\``,
    `'${file}'`,
    `"${file}"`,
    `default.${file}`,
    `../../../../../../../..${file}`,
    file.replaceAll('/', '\u2215'),
    file.replaceAll('/', '%2F'),
    file.toUpperCase(),
    ` ${file} `,
    `${file}\n`,
    `file('${file}')`,
    `\`; SELECT * FROM file('${file}'); --`,
    `otel_logs\`, \`${file}`,
    `${file}::CSV`,
  ])
  const others = [
    `${folder}/*`,
    `${folder}/**/*.key`,
    `${folder}/{console,rows}.*`,
    '*',
    '**',
    '?',
    '.',
    '..',
    '~/.ssh/id_rsa',
    'system.query_log',
    'system`.`users',
    '`system`.`users`',
    'private.events',
    `${otherService}.events`,
    '.inner.events',
    'OTEL_LOGS',
    'otel_logs ',
    'otel_logs\0',
    'otel_lоgs',
    'numbers(10)',
    "url('http://127.0.0.1:1/')",
    "remote('127.0.0.1', system.one)",
    'merge(system, .*)',
    "s3('http://127.0.0.1:1/x')",
    'x'.repeat(5000),
    '\u202egol_leto',
  ]
  const tablesOfOthers = ['users', 'query_log', 'processes', 'tables', 'events', 'one']
  return [
    ...[...names, ...others].flatMap((name): [string, string][] => [
      ['default', name],
      ['telemetry', name],
      [own, name],
    ]),
    ...[
      'system',
      'SYSTEM',
      'information_schema',
      'private',
      otherService,
      `${own}x`,
      '',
      '_temporary_and_external_tables',
    ].flatMap((database) => tablesOfOthers.map((name): [string, string] => [database, name])),
  ]
}

describe('disguised names of forbidden databases', () => {
  test('are more than a hundred', () => expect(disguises().length).toBeGreaterThan(300))

  test('are rejected on write', { timeout: 120_000 }, async () => {
    for (const [database, table] of disguises()) {
      const answer = await write(database === own ? metric(database, table) : log(database, table))
      // A plain name may be that of a table that is made later. It is not read: see below.
      const isPlain = ['default', 'telemetry', own].includes(database) && /^(?!\.)[\w.-]{1,200}$/.test(table)
      expect([database, table, answer.status]).toEqual([database, table, isPlain ? 200 : 400])
      if (isPlain) {
        expect(answer.json.data.missingTables).toEqual([table])
        await sourceRows.delete(stack.store, answer.json.data.id)
      }
      expect(answer.text).not.toMatch(/DB::|Exception|\bc1\b|root:|store\//)
      expect(answer.text.length).toBeLessThan(1500)
    }
  })

  test('are rejected on read, whoever wrote them', { timeout: 120_000 }, async () => {
    for (const [at, [databaseName, tableName]] of disguises().entries()) {
      const id = at.toString(16).padStart(24, 'd')
      const from = { databaseName, tableName }
      const isMetric = at % 2 === 1
      await sourceRows.insert(stack.store, {
        id,
        name: 'Mine',
        kind: isMetric ? 'metric' : 'log',
        from: isMetric ? { databaseName, tableName: '' } : from,
        timestampValueExpression: 'now()',
        ...(isMetric && { metricTables: { gauge: tableName } }),
      })
      const answer = await chart(id, isMetric ? { metricName: 'x', aggFn: 'sum', field: 'Value' } : {})
      await sourceRows.delete(stack.store, id)
      expect([databaseName, tableName, answer.status]).toEqual([databaseName, tableName, 400])
      expect(answer.json.message).toMatch(/series\.0\.sourceId: .*(is not a database|has no table)/)
      expect(answer.text).not.toMatch(new RegExp(`${secret}|DB::|root:`))
    }
  })

  test('any names are listed tables, plain names of missing ones, or rejected', { timeout: 60_000 }, async () => {
    const part = fc.constantFrom(
      ...'`\'"\\./*{}?~:;%\0\n ',
      'default',
      'system',
      'otel_logs',
      'file',
      folder,
      'é',
      '\u{1f600}',
    )
    const name = fc.string({ unit: part, minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('default', 'further', own), name, async (database, table) => {
        const listed = await engine.query(
          'SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
          { params: { table } },
        )
        const answer = await write(log(database, table))
        const isPlain = /^(?!\.)[\w.-]+$/.test(table) && !(database === 'further' && table === 'file')
        expect(answer.status).toBe(isPlain ? 200 : 400)
        if (!isPlain) return
        const isThere = listed.length > 0 && database === 'default'
        expect(answer.json.data.missingTables).toEqual(isThere ? undefined : [table])
        await sourceRows.delete(stack.store, answer.json.data.id)
      }),
      { numRuns: 150 },
    )
  })
})

test('without an engine, names are checked by their form', async () => {
  await stack.close()
  stack = await startTestStack()
  const without = (database: string, table: string) => write(log(database, table))
  expect((await without('default', 'any_table-1.x')).status).toBe(200)
  expect((await without(databaseOf(stack.identity.serviceId, 'shop'), 'orders')).status).toBe(200)
  for (const table of ['/etc/passwd', '*', 'a`b', '.', '..', 'a\0', 'x'.repeat(201), 'a b']) {
    expect((await without('default', table)).json.message).toMatch(/^Body validation failed: from\.tableName: /)
  }
  expect((await without('system', 'users')).json.message).toMatch(/^Body validation failed: from\.databaseName: /)
})
