/** Parts that provisioning tools read and write of a service beside its basic details. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { managedClientOf, type ManagedClient } from '../testing/managedClient.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'

let stack: TestStack
let control: ManagedClient
let first: ServiceDocument
beforeAll(async () => {
  const names = namingProfiles.clickhouse
  stack = await startTestStack({ names })
  control = managedClientOf(stack, names)
  first = (await serviceRows.all(stack.store))[0]!
})
afterAll(() => stack.close())
beforeEach(() => serviceRows.update(stack.store, first))

const call = async (method: string, path: string, body?: unknown) => {
  const { status, json } = await control.call(method, path, body)
  return { status, ...json }
}
const set = (fields: Partial<ServiceDocument>) => serviceRows.update(stack.store, { ...first, ...fields })
const unknown = '00000000-0000-4000-8000-000000000000'
const ofOrganization = (path: string, method = 'GET', body?: unknown) => {
  const { organizationId, keyId, keySecret } = stack.identity
  const headers = { authorization: basic(keyId, keySecret) }
  return stack.send(method, `/v1/organizations/${organizationId}${path}`, { headers, body })
}
const of = (serviceId: string, path: string, method = 'GET', body?: unknown) =>
  ofOrganization(`/services${serviceId}${path}`, method, body)

describe('service', () => {
  test('has no byocId unless it has a value, also in an older data directory', async () => {
    await set({ byocId: '' })
    expect((await call('GET', '')).result).not.toHaveProperty('byocId')
    await set({ byocId: 'byoc-1' })
    expect((await call('GET', '')).result.byocId).toBe('byoc-1')
  })

  test('reports the total memory by rule, also in an older data directory', async () => {
    await set({ numReplicas: 1, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, minTotalMemoryGb: 8 })
    expect((await call('GET', '')).result).toMatchObject({ minTotalMemoryGb: 24, maxTotalMemoryGb: 48 })
  })

  test('has a private endpoint configuration', async () => {
    expect(await call('GET', '/privateEndpointConfig')).toMatchObject({
      status: 200,
      result: { endpointServiceId: expect.stringMatching(/./), privateDnsHostname: expect.stringMatching(/./) },
    })
  })

  test.each(['/privateEndpointConfig', '/backupConfiguration'])(
    '%s of an unknown service is not found',
    async (path) => {
      expect((await of(`/${unknown}`, path)).status).toBe(404)
    },
  )
})

describe('backup configuration', () => {
  const usual = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24, backupStartTime: null }
  const patch = (body: object) => call('PATCH', '/backupConfiguration', body)

  test('has defaults until it is changed, and null restores them', async () => {
    expect((await call('GET', '/backupConfiguration')).result).toEqual(usual)
    const changed = { ...usual, backupPeriodInHours: 12, backupRetentionPeriodInHours: 48 }
    expect((await patch({ backupPeriodInHours: 12, backupRetentionPeriodInHours: 48 })).result).toEqual(changed)
    expect((await call('GET', '/backupConfiguration')).result).toEqual(changed)
    expect((await call('GET', '')).result).not.toHaveProperty('internal')
    expect((await patch({ backupPeriodInHours: null, backupRetentionPeriodInHours: null })).result).toEqual(usual)
  })

  test('with a start time means one backup a day, and is kept by other changes', async () => {
    await patch({ backupPeriodInHours: 12 })
    const daily = { ...usual, backupStartTime: '03:00' }
    expect((await patch({ backupStartTime: '03:00' })).result).toEqual(daily)
    await call('PATCH', '', { name: 'Renamed' })
    await call('PATCH', '/replicaScaling', { numReplicas: 4 })
    expect((await call('GET', '/backupConfiguration')).result).toEqual(daily)
    expect(await patch({ backupPeriodInHours: 12 })).toMatchObject({ status: 400 })
    const nulls = { backupPeriodInHours: 12, backupRetentionPeriodInHours: null, backupStartTime: null }
    expect((await patch(nulls)).result).toEqual({ ...usual, backupPeriodInHours: 12 })
  })

  test.each([
    [{ backupPeriodInHours: 7 }, 'must be one of 6, 8'],
    [{ backupRetentionPeriodInHours: 25 }, 'a multiple of 24'],
    [{ backupRetentionPeriodInHours: 1104 }, 'a multiple of 24'],
    [{ backupStartTime: '3 am' }, 'a time in UTC'],
    [{ backupStartTime: '03:00', backupPeriodInHours: 12 }, 'must be 24, or left out'],
    [{ period: 1 }, "can't be validated: period"],
  ])('rejects %j', async (body, words) => {
    expect(await patch(body)).toMatchObject({ status: 400, error: expect.stringContaining(words) })
  })

  test('exists only for the primary service of a warehouse', async () => {
    await set({ isPrimary: false })
    expect(await call('GET', '/backupConfiguration')).toMatchObject({ status: 400 })
  })
})

describe('password', () => {
  test('is generated and returned if none is given, different each time', async () => {
    const made = [await call('PATCH', '/password', {}), await call('PATCH', '/password', {})]
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    const [one, other] = made.map(({ result }) => result.password)
    expect(one).toMatch(/^.{20,}$/)
    expect(one).not.toBe(other)
    expect(JSON.stringify(await serviceRows.all(stack.store))).not.toContain(one)
  })

  test('is not returned if its hash is given', async () => {
    const hashes = { newPasswordHash: `${'A'.repeat(43)}=`, newDoubleSha1Hash: 'a'.repeat(40) }
    expect(await call('PATCH', '/password', hashes)).toMatchObject({ status: 200, result: {} })
    expect((await call('PATCH', '/password', hashes)).result).not.toHaveProperty('password')
  })

  test.each([{ newPasswordHash: 'secret' }, { newDoubleSha1Hash: 'x' }, { password: 'a' }])(
    'rejects %j',
    async (body) => {
      expect((await call('PATCH', '/password', body)).status).toBe(400)
    },
  )
})

describe('tags', () => {
  const patch = (tags: object) => call('PATCH', '', { tags })

  test('are stored and returned, with removals before additions', async () => {
    const tags = [
      { key: 'team', value: 'shop' },
      { key: 'stage', value: '' },
    ]
    expect((await patch({ add: [tags[0], { key: 'stage' }] })).result.tags).toEqual(tags)
    const { result } = await patch({ remove: tags, add: [{ key: 'team', value: 'web' }] })
    expect(result.tags).toEqual([{ key: 'team', value: 'web' }])
    expect((await call('GET', '')).result.tags).toEqual(result.tags)
  })

  test.each([
    [{ add: [{ key: 'a b' }] }],
    [{ add: [{ key: '' }] }],
    [{ add: [{ key: 'k', value: 'ü' }] }],
    [{ add: Array.from({ length: 51 }, (_, at) => ({ key: `k${at}` })) }],
  ])('reject %j', async (tags) => {
    expect((await patch(tags)).status).toBe(400)
  })

  test('are limited to 50, also with single changes', async () => {
    await patch({ add: Array.from({ length: 50 }, (_, at) => ({ key: `k${at}` })) })
    expect(await patch({ add: [{ key: 'one-more' }] })).toMatchObject({
      status: 400,
      error: expect.stringContaining('at most 50'),
    })
    expect((await patch({ add: [{ key: 'k1', value: 'new' }] })).status).toBe(200)
  })

  test.each<[string, number | null]>([
    ['', 1],
    ['?filter=tag:team', 1],
    ['?filter=tag:team%3Dshop', 1],
    ['?filter=tag:team=shop&filter=tag:stage', 1],
    ['?filter=tag:team=web', 0],
    ['?filter=tag:tea', 0],
    ['?filter=tag:team=shop&filter=tag:none', 0],
    ['?filter=name:x', null],
    ['?filter=', null],
  ])('the list with %j has %j', async (query, count) => {
    await patch({ add: [{ key: 'team', value: 'shop' }, { key: 'stage' }] })
    const answer = await of('', query)
    expect(count === null ? answer.status : answer.json.result.length).toBe(count ?? 400)
  })
})

test('an organization has at most 100 services', async () => {
  const body = { name: 'One more', provider: 'aws', region: 'eu-west-1', ipAccessList: [] }
  const create = () => ofOrganization('/services', 'POST', body)
  const before = new Set((await serviceRows.all(stack.store)).map(({ id }) => id))
  for (let at = before.size; at < 99; at++) await serviceRows.insert(stack.store, { ...first, id: randomUUID() })
  expect((await create()).status).toBe(200)
  const refused = await create()
  expect(refused.status).toBe(400)
  expect(refused.json.error).toContain('An organization has at most 100 services. Delete one first')
  for (const { id } of await serviceRows.all(stack.store))
    if (!before.has(id)) await serviceRows.delete(stack.store, id)
  expect((await create()).status).toBe(200)
})

test('core dumps can be switched on and off where the organization allows them', async () => {
  expect((await call('GET', '')).result).not.toHaveProperty('enableCoreDumps')
  const allow = (enableCoreDumps: boolean) => ofOrganization('', 'PATCH', { enableCoreDumps })
  await allow(false)
  const refused = { status: 400, error: expect.stringContaining('the organization does not allow core dumps') }
  expect(await call('PATCH', '', { enableCoreDumps: true })).toMatchObject(refused)
  const service = { name: 'Dumps', provider: 'aws', region: 'eu-west-1', ipAccessList: [], enableCoreDumps: true }
  const created = await ofOrganization('/services', 'POST', service)
  expect({ status: created.status, error: created.json.error }).toEqual(refused)
  await allow(true)
  for (const enableCoreDumps of [true, false]) {
    expect((await call('PATCH', '', { enableCoreDumps })).result.enableCoreDumps).toBe(enableCoreDumps)
  }
})

describe('scaling schedule and upgrade window', () => {
  const nights = { name: 'Nights', weekdays: [1, 2, 3, 4, 5], startHourUtc: 20, endHourUtc: 6, numReplicas: 2 }

  test('a schedule replaces the earlier one, shows what is in force, and is not found once it is cleared', async () => {
    expect((await call('GET', '/scalingSchedule')).status).toBe(404)
    const always = { ...nights, name: 'All week', weekdays: [0, 1, 2, 3, 4, 5, 6], startHourUtc: 0, endHourUtc: 24 }
    for (const entries of [[nights], [always]]) await call('POST', '/scalingSchedule', { entries })
    const { result } = await call('GET', '/scalingSchedule')
    expect(result.entries).toMatchObject([{ ...always, isActiveNow: true }])
    expect(result.activeEntryId).toBe(result.entries[0].id)
    expect((await call('GET', '')).result).toMatchObject({
      numReplicas: first.numReplicas,
      currentScaling: { effectiveMinReplicas: 2, effectiveMaxReplicas: 2, activeEntryId: result.activeEntryId },
    })
    await call('POST', '/scalingSchedule', { entries: [] })
    for (const method of ['GET', 'DELETE']) expect((await call(method, '/scalingSchedule')).status).toBe(404)
  })

  test('entries that overlap are refused at their place', async () => {
    const early = { ...nights, name: 'Early', weekdays: [6], startHourUtc: 5, endHourUtc: 8 }
    const answer = await call('POST', '/scalingSchedule', { entries: [nights, early] })
    expect(answer).toMatchObject({ status: 400, issues: [{ path: ['entries', '1'] }] })
  })

  test('an upgrade window is set, read with its duration, and removed', async () => {
    expect((await call('GET', '/upgradeWindow')).status).toBe(404)
    expect((await call('PUT', '/upgradeWindow', { weekday: 2, startHourUtc: 5 })).status).toBe(400)
    await call('PUT', '/upgradeWindow', { weekday: 2, startHourUtc: 6 })
    expect((await call('GET', '/upgradeWindow')).result).toEqual({ weekday: 2, startHourUtc: 6, duration: 6 })
    await call('DELETE', '/upgradeWindow')
    expect((await call('GET', '/upgradeWindow')).status).toBe(404)
    await set({ isPrimary: false })
    expect((await call('GET', '/upgradeWindow')).status).toBe(400)
  })
})

describe('database settings', () => {
  const change = (settings: unknown) => call('PATCH', '/clickhouseSettings', { settings: JSON.stringify(settings) })

  test('are sent and returned as JSON in a text; only what was set is listed', async () => {
    expect((await call('GET', '/clickhouseSettings')).result).toEqual({ settings: [] })
    const { result } = await change({ max_threads: '8', max_execution_time: '60' })
    expect(JSON.parse(result.settings)).toEqual({ max_threads: '8', max_execution_time: '60' })
    expect(result.warnings).toMatchObject([{ name: 'max_execution_time' }])
    expect((await call('GET', '/clickhouseSettings/max_threads')).result).toEqual({ name: 'max_threads', value: '8' })
    for (const _ of ['set', 'unset']) expect((await call('DELETE', '/clickhouseSettings/max_threads')).status).toBe(200)
    expect((await call('GET', '/clickhouseSettings/max_threads')).status).toBe(404)
    expect((await call('GET', '/clickhouseSettings')).result.settings).toHaveLength(1)
    expect((await call('GET', '/clickhouseSettings/schema')).result.settings.length).toBeGreaterThan(5)
  })

  test('are an object for newer clients, in the JSON types that they sent', async () => {
    const wanted = { compatibility: '26.2', max_query_size: 262_146, async_insert: 1 }
    const answer = await call('PATCH', '/clickhouseSettings', { settings: wanted })
    expect(answer.result.settings).toMatchObject(wanted)
    expect(answer.result.warnings).toMatchObject([{ name: 'compatibility' }])
    for (const [name, value] of Object.entries(wanted)) {
      expect((await call('GET', `/clickhouseSettings/${name}`)).result).toEqual({ name, value })
      expect((await call('GET', '/clickhouseSettings')).result.settings).toContainEqual({ name, value })
      await call('DELETE', `/clickhouseSettings/${name}`)
    }
    expect((await call('PATCH', '/clickhouseSettings', { settings: { max_query_size: 'many' } })).status).toBe(400)
    expect((await call('PATCH', '/clickhouseSettings', { settings: {} })).status).toBe(400)
  })

  test('have whole numbers as choices, or named values beside them', async () => {
    const known: { enum?: unknown[]; values?: string[] }[] = (await call('GET', '/clickhouseSettings/schema')).result
      .settings
    expect(known.flatMap((one) => one.enum ?? []).every(Number.isInteger)).toBe(true)
    expect(known.some((one) => one.enum)).toBe(true)
    expect(known.flatMap(({ values }) => values ?? [])).toContain('grace_hash')
  })

  test.each([[{}], [{ max_threads: 8.5 }], [{ max_threads: 'many' }], [{ nonsense: '1' }], [[]], ['text']])(
    'refuses %j',
    async (settings) => {
      expect((await change(settings)).status).toBe(400)
    },
  )
})

describe('query endpoint', () => {
  const newKey = async (): Promise<string> =>
    (await ofOrganization('/keys', 'POST', { name: 'Queries' })).json.result.key.id

  test('is off, then replaced as a whole, and keeps its ID', async () => {
    const key = await newKey()
    expect((await call('GET', '/serviceQueryEndpoint')).status).toBe(404)
    const body = { roles: ['sql_console_read_only'], openApiKeys: [key], allowedOrigins: 'https://app.example' }
    const { result } = await call('POST', '/serviceQueryEndpoint', body)
    expect(result).toMatchObject(body)
    const other = { roles: ['sql_console_admin'], openApiKeys: [] }
    expect((await call('POST', '/serviceQueryEndpoint', other)).result).toEqual({
      ...other,
      allowedOrigins: '',
      id: result.id,
    })
    await call('DELETE', '/serviceQueryEndpoint')
    expect((await call('GET', '/serviceQueryEndpoint')).status).toBe(404)
  })

  test('takes keys of the organization only, and what was read after one of them was deleted', async () => {
    const body = (...openApiKeys: string[]) => ({ roles: ['sql_console_admin'], openApiKeys })
    expect(await call('POST', '/serviceQueryEndpoint', body(unknown))).toMatchObject({
      status: 400,
      error: expect.stringContaining(`there is no API key ${unknown}`),
    })
    const key = await newKey()
    await call('POST', '/serviceQueryEndpoint', body(key))
    await ofOrganization(`/keys/${key}`, 'DELETE')
    expect((await call('POST', '/serviceQueryEndpoint', body(key))).result.openApiKeys).toEqual([key])
  })
})

describe('reverse private endpoints', () => {
  const path = '/clickpipesReversePrivateEndpoints'
  const mappings = (...names: string[]) => ({
    customPrivateDnsMappings: names.map((privateDnsName) => ({ privateDnsName })),
  })
  const vpc = { description: 'Kafka', type: 'VPC_ENDPOINT_SERVICE', vpcEndpointServiceName: 'com.example.kafka' }

  test('are created, become ready, are changed in their mappings only, and are deleted', async () => {
    const { result } = await call('POST', path, { ...vpc, ...mappings('*.kafka.example.com') })
    expect(result).toMatchObject({ ...vpc, status: 'Provisioning', serviceId: first.id })
    const one = `${path}/${result.id}`
    await vi.waitFor(async () => expect((await call('GET', one)).result.status).toBe('Ready'), { timeout: 30_000 })
    expect((await call('PATCH', one, { description: 'other' })).status).toBe(400)
    await call('PATCH', one, mappings('b.example.com'))
    expect((await call('GET', path)).result).toMatchObject([{ ...mappings('b.example.com'), status: 'Ready' }])
    expect((await call('POST', path, { ...vpc, ...mappings('B.example.com') })).status).toBe(400)
    await call('DELETE', one)
    expect((await call('GET', one)).status).toBe(404)
  })

  test.each([
    [{ ...vpc, vpcEndpointServiceName: undefined }],
    [{ ...vpc, mskClusterArn: 'arn:aws:kafka:x' }],
    [{ ...vpc, description: 'x'.repeat(256) }],
    [{ description: '', type: 'GCP_PSC_SERVICE_ATTACHMENT', gcpServiceAttachment: 'projects/p/regions/r' }],
    [
      {
        description: '',
        type: 'MSK_MULTI_VPC',
        mskClusterArn: 'arn:x',
        mskAuthentication: 'SASL_IAM',
        ...mappings('a.b'),
      },
    ],
  ])('refuses %j', async (body) => {
    expect((await call('POST', path, body)).status).toBe(400)
  })
})

describe('backup bucket', () => {
  const gcp = {
    bucketProvider: 'GCP',
    bucketPath: 'https://storage.googleapis.com/my-bucket/backups',
    accessKeyId: 'GOOG1EXAMPLE',
    secretAccessKey: 'the-secret-of-the-bucket',
  }
  const { secretAccessKey: secret, ...shown } = gcp
  const at = '/backupBucket'

  test('of Amazon keeps what its role requires, until null removes it', async () => {
    const aws = {
      bucketProvider: 'AWS',
      bucketPath: 'https://bucket.s3.amazonaws.com/backups',
      iamRoleArn: 'arn:aws:iam::123456789012:role/backups',
      iamRoleExternalId: 'tenant-7',
    }
    expect((await call('POST', '/backupBucket', aws)).result).toMatchObject(aws)
    const { iamRoleExternalId: _, ...without } = aws
    expect((await call('PATCH', '/backupBucket', without)).result).toMatchObject(aws)
    const { result } = await call('PATCH', '/backupBucket', { ...aws, iamRoleExternalId: null })
    expect(result).not.toHaveProperty('iamRoleExternalId')
    await call('DELETE', '/backupBucket')
  })

  test('is set, read without its secret, changed as a whole and removed', async () => {
    expect((await call('GET', at)).status).toBe(404)
    const { result } = await call('POST', at, gcp)
    expect(result).toEqual({ ...shown, id: expect.any(String) })
    expect((await call('GET', at)).result).toEqual(result)
    expect(await call('POST', at, gcp)).toMatchObject({ status: 409 })
    const moved = { ...gcp, bucketPath: 'gs://other/backups' }
    expect((await call('PATCH', at, moved)).result).toEqual({ ...result, bucketPath: moved.bucketPath })
    await call('PATCH', '', { name: 'Renamed' })
    expect((await serviceRows.get(stack.store, first.id))?.internal?.bucket?.secret).toEqual({
      secretAccessKey: secret,
    })
    expect((await call('GET', '')).result).not.toHaveProperty('internal')
    expect((await call('DELETE', at)).status).toBe(200)
    for (const method of ['GET', 'DELETE']) expect((await call(method, at)).status).toBe(404)
  })

  test('keeps its secret encrypted in the store', async () => {
    await call('POST', at, { bucketProvider: 'AZURE', containerName: 'backups', connectionString: secret })
    const rows = await stack.store.rows('SELECT document, sealed FROM services WHERE id = ?', [first.id])
    expect(JSON.stringify(rows)).toContain('backups')
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(await call('GET', at)).toMatchObject({ result: { bucketProvider: 'AZURE', containerName: 'backups' } })
  })

  test.each([
    [{ ...gcp, bucketProvider: 'AWS' }],
    [{ ...gcp, secretAccessKey: undefined }],
    [{ ...gcp, bucketPath: 'my-bucket' }],
    [{ ...gcp, iamRoleArn: 'arn:aws:iam::123456789012:role/backups' }],
    [{ bucketProvider: 'AWS', bucketPath: 's3://b/p', iamRoleArn: 'backups', iamRoleSessionName: 'stack' }],
    [{ bucketProvider: 'OTHER' }],
  ])('refuses %j', async (body) => {
    expect((await call('POST', at, body)).status).toBe(400)
  })

  test('of another provider is refused, and so is one of a secondary service', async () => {
    await call('POST', at, gcp)
    const azure = { bucketProvider: 'AZURE', containerName: 'backups', connectionString: 'x' }
    expect(await call('PATCH', at, azure)).toMatchObject({ status: 400, error: expect.stringContaining('is GCP') })
    await set({ isPrimary: false })
    expect((await call('GET', at)).status).toBe(400)
  })
})
