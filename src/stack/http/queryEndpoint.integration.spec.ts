/** The query endpoint of services, as the cloud's command line calls it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { keyRows } from '../access/keyRows.ts'
import { changeService } from '../documents/serviceRows.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'

let engine: Engine
let stack: TestStack
let authorization: string

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
  const database = databaseOf(stack.identity.serviceId, 'default')
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${database}`)
  await engine.command(
    `CREATE TABLE ${database}.orders (id UInt64, note Nullable(String)) ENGINE = MergeTree ORDER BY id`,
  )
  await engine.command(`INSERT INTO ${database}.orders VALUES (1, 'a\tb'), (2, NULL)`)
  authorization = basic(stack.identity.keyId, stack.identity.keySecret)
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

async function bind(openApiKeys: string[]): Promise<void> {
  const context = { store: stack.store, cloud: { changed: () => {} } }
  await changeService(context, stack.identity.serviceId, (service) => ({
    ...service,
    state: 'running',
    internal: {
      ...service.internal,
      queryEndpoint: { id: 'e', roles: ['sql_console_read_only'], openApiKeys, allowedOrigins: '' },
    },
  }))
}

const run = (sql: string, format = 'TabSeparated', headers: Record<string, string> = { authorization }) =>
  stack.send('POST', `/service/${stack.identity.serviceId}/run?format=${format}`, {
    body: JSON.stringify({ runId: 'r', sql }),
    headers: {
      // As the command line sends it.
      'content-type': 'text/plain;charset=UTF-8',
      'x-service-type': 'clickhouse',
      'auth-provider': 'custom',
      ...headers,
    },
  })

test('a key that is not bound, or none, reads nothing', async () => {
  expect((await run('SELECT 1')).status).toBe(404)
  await bind([])
  expect((await run('SELECT 1')).status).toBe(403)
  expect((await run('SELECT 1', 'CSV', {})).status).toBe(401)
})

test('a bound key reads the databases of the service, in the format that it asks for', async () => {
  const [key] = await keyRows.all(stack.store)
  await bind([key?.id ?? ''])
  const orders = `SELECT id, note FROM ${databaseOf(stack.identity.serviceId, 'default')}.orders ORDER BY id`
  expect((await run(orders, 'TabSeparated', { authorization, 'content-type': 'application/json' })).text).toBe(
    '1\ta\\tb\n2\t\\N\n',
  )
  expect((await run(orders)).text).toBe('1\ta\\tb\n2\t\\N\n')
  expect((await run(orders, 'CSVWithNames')).text).toBe('"id","note"\n"1","a\tb"\n"2",\\N\n')
  expect((await run(orders, 'JSONEachRow')).text).toBe('{"id":"1","note":"a\\tb"}\n{"id":"2","note":null}\n')
  expect((await run(orders, 'PrettyCompact')).text).toContain('id  note')
  expect(await run(orders, 'Native')).toMatchObject({ status: 400 })
})

test('what is refused on the SQL page is refused here', async () => {
  const refused = await run("SELECT * FROM url('http://127.0.0.1:1/')")
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('the table function url is not allowed')
})
