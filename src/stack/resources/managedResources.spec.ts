/** Sources and webhooks of the managed variant, beyond the specification: what each set of names serves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingProfileNames, namingProfiles } from '#contract/wire/naming.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, tileAlert } from '../testing/sampleInputs.ts'

const id = 'a'.repeat(24)

describe.each(namingProfileNames)('under %s names', (naming) => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack({ names: namingProfiles[naming] })
  })
  afterAll(() => stack.close())

  const source = (changes: object = {}) => ({
    name: 'Logs',
    kind: 'log',
    connection: stack.identity.connectionId,
    from: { databaseName: 'default', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, Body',
    ...changes,
  })

  test('creates, reads, replaces and deletes a source', async () => {
    const made = await stack.managed('POST', '/sources', source({ bodyExpression: 'Body', traceSourceId: null }))
    expect(made.json).toMatchObject({ status: 200, result: { name: 'Logs', bodyExpression: 'Body' } })
    const { id, ...written } = made.json.result
    expect((await stack.managed('GET', `/sources/${id}`)).json.result).toEqual({ id, ...written })
    // Clients send back what they read, id and all: it is not another source for that.
    const put = await stack.managed('PUT', `/sources/${id}`, { ...source({ name: 'Renamed' }), id: 'b'.repeat(24) })
    expect(put.json).toMatchObject({ status: 200, result: { id, name: 'Renamed' } })
    expect(put.json.result).not.toHaveProperty('bodyExpression')
    const list = (await stack.managed('GET', '/sources')).json.result
    expect(list.map((one: { name: string }) => one.name)).toContain('Renamed')
    const deleted = await stack.managed('DELETE', `/sources/${id}`)
    expect(deleted.json).toEqual({ status: 200, requestId: expect.any(String) })
    expect((await stack.managed('GET', `/sources/${id}`)).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: Source not found',
    })
  })

  test('rejects an invalid source with its field', async () => {
    const answer = await stack.managed('POST', '/sources', source({ name: '' }))
    expect(answer.json).toMatchObject({ status: 400, error: expect.stringContaining('request body.name: ') })
    const unknown = await stack.managed('POST', '/sources', source({ shade: 1 }))
    expect(unknown.json.error).toContain("can't be validated: shade")
    expect((await stack.managed('PUT', `/sources/${id}`, source())).status).toBe(404)
    expect((await stack.managed('GET', '/sources/x')).json.error).toContain('Invalid source id <string:x>')
  })

  test('a metric source requires no table, a session source no time column', async () => {
    const shared = { name: 'n', connection: stack.identity.connectionId }
    const metric = await stack.managed('POST', '/sources', {
      ...shared,
      kind: 'metric',
      from: { databaseName: 'default' },
      metricTables: { gauge: 'otel_metrics_gauge' },
      timestampValueExpression: 'TimeUnix',
      resourceAttributesExpression: 'ResourceAttributes',
    })
    expect(metric.json).toMatchObject({ status: 200, result: { from: { tableName: '' } } })
    const session = await stack.managed('POST', '/sources', {
      ...shared,
      kind: 'session',
      from: { databaseName: 'default', tableName: 'hyperdx_sessions' },
      traceSourceId: stack.sourceIds['trace'],
    })
    expect(session.json).toMatchObject({ status: 200, result: { timestampValueExpression: 'TimestampTime' } })
  })
})

describe('webhooks', () => {
  const input = { name: 'Team', service: 'generic', url: 'https://hooks.example/alerts' }

  describe('under neutral names', () => {
    let stack: TestStack
    beforeAll(async () => {
      stack = await startTestStack()
    })
    afterAll(() => stack.close())

    test.each([
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['PUT', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
    ])('%s %s is an unknown route and returns a page', async (method, path) => {
      const answer = await stack.managed(method, path, method.startsWith('P') ? input : undefined)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toContain('text/html')
    })
  })

  describe('under the product’s names', () => {
    let stack: TestStack
    beforeAll(async () => {
      stack = await startTestStack({ names: namingProfiles.clickhouse })
    })
    afterAll(() => stack.close())

    test('are created, listed, replaced and deleted, without returning secrets', async () => {
      const headers = { 'X-Key': 'hush' }
      const made = await stack.managed('POST', '/webhooks', { ...input, body: '{}', headers })
      expect(made.json).toMatchObject({ status: 200, result: { ...input, body: '{}' } })
      const { id } = made.json.result
      const put = await stack.managed('PUT', `/webhooks/${id}`, { ...input, description: 'd' })
      expect(put.json).toMatchObject({ status: 200, result: { id, description: 'd' } })
      const list = await stack.managed('GET', '/webhooks?limit=200&offset=0')
      expect(list.json.result).toContainEqual(put.json.result)
      expect(list.json.result.length).toBe((await stack.openSource('GET', '/webhooks')).json.data.length)
      expect((await stack.managed('GET', '/webhooks?limit=200&offset=200')).json.result).toEqual([])
      expect(list.text + made.text).not.toContain('hush')
      expect((await stack.managed('DELETE', `/webhooks/${id}`)).json).toEqual({
        status: 200,
        requestId: expect.any(String),
      })
      expect((await stack.managed('DELETE', `/webhooks/${id}`)).json).toMatchObject({
        status: 404,
        error: 'NOT_FOUND: Webhook not found',
      })
    })

    test('cannot be read one by one', async () => {
      const answer = await stack.managed('GET', `/webhooks/${stack.webhookId}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')])
    })

    test('cannot be deleted while an alert uses them', async () => {
      const dashboard = await createDashboard(stack)
      await stack.managed('POST', '/alerts', tileAlert(stack, dashboard))
      expect((await stack.managed('DELETE', `/webhooks/${stack.webhookId}`)).json).toMatchObject({
        status: 409,
        error: expect.stringMatching(/^CONFLICT: Cannot delete webhook: 1 alert/),
      })
    })
  })
})

describe('too many requests', () => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack({ rateLimits: { openSource: 3, managed: 1 } })
  })
  afterAll(() => stack.close())

  test.each(['openSource', 'managed'] as const)('to %s get a retry delay', async (variant) => {
    let answer = await stack[variant]('GET', '/sources')
    for (let at = 0; at < 4 && answer.status !== 429; at++) answer = await stack[variant]('GET', '/sources')
    expect(answer.status).toBe(429)
    for (const header of ['retry-after', 'x-ratelimit-reset']) {
      expect(answer.headers.get(header), header).toMatch(/^[1-9]\d*$/)
    }
  })
})
