/** The roles that may run SQL through a connection, and its entries in the audit log. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import type { Role } from '#contract/console/consoleRoles.ts'
import {
  answerJson,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../../testing/testGateway.ts'
import { signInAs } from '../../testing/testPeople.ts'

let upstream: TestUpstream
let gateway: TestGateway

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway(upstream)
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const result = { columns: [], rows: [], isTruncated: false, rowsRead: 0, bytesRead: 0, milliseconds: 1 }
const statement = "SELECT Body FROM otel_logs WHERE Body = 'a-secret-in-it' /* and-another */ AND SeverityNumber > 5"
const path = '/api/c/oss/stack/sql/queries'

async function change(settings: object): Promise<void> {
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
  const known = list.find(({ id }) => id === 'oss')
  const { status } = await gateway.call('PUT', '/api/connections/oss', {
    ...known,
    ...settings,
    confirmedName: 'Open source',
  })
  expect(status).toBe(200)
}

/** The response to a person with a role, and the reason that the page has before it asks. */
async function tried(role: Role) {
  const person = await signInAs(gateway, { role, roles: {} })
  upstream.become(answerJson({ data: result }))
  const { status, json } = await person.call('POST', path, { statement })
  const list = (await person.call('GET', '/api/connections')).json as unknown as { id: string; sqlRefused?: string }[] // a list
  const told = list.find(({ id }) => id === 'oss')?.sqlRefused
  return { status, message: json['message'], told, sent: upstream.hits.length }
}

test('on production operators may, unless the connection allows it to all who may read', async () => {
  await change({ stage: 'production' })
  const refused = expect.stringContaining('needs the role operator, because it is a production connection')
  expect(await tried('editor')).toMatchObject({ status: 403, message: refused, told: refused, sent: 0 })
  expect(await tried('operator')).toMatchObject({ status: 200, told: undefined, sent: 1 })
  await change({ stage: 'production', sqlForReaders: true })
  expect(await tried('viewer')).toMatchObject({ status: 200, told: undefined })
  await change({ stage: 'staging', sqlForReaders: false })
  expect(await tried('viewer')).toMatchObject({ status: 200, told: undefined })
})

test('a failure is not sent again', async () => {
  upstream.become(answerJson({ message: 'The request took too long and was cancelled' }, 503))
  expect((await gateway.call('POST', path, { statement })).status).toBeGreaterThanOrEqual(500)
  expect(upstream.hits).toHaveLength(1)
})

test('the audit log has each statement, also refused ones, without texts and comments', async () => {
  await change({ stage: 'production' })
  await tried('viewer')
  upstream.become(answerJson({ data: result }))
  await gateway.call('POST', path, { statement })
  const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
  const shown = "SELECT Body FROM otel_logs WHERE Body = '…' AND SeverityNumber > 5"
  expect(entries[0]).toMatchObject({ event: 'sql.run', connectionId: 'oss', subject: shown, outcome: 'done' })
  expect(entries.map(({ outcome }) => outcome)).toContain('refused')
  expect(JSON.stringify(entries)).not.toMatch(/a-secret-in-it|and-another/)
})
