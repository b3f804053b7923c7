/** Data pipes at the real variant: states, settings, scaling that converges, secrets that stay inside. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingProfileNames, namingProfiles } from '#contract/wire/naming.ts'
import { pipeScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import { managedClientOf, pipeInputs, type ManagedClient, type Kind } from '../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { passTime, slowBehavior } from '../testing/testCloud.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { serviceRows } from '../documents/serviceRows.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

/** For background work of the stack, which has no set time. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read)

describe.each(namingProfileNames)('under %s names', (naming) => {
  const names = namingProfiles[naming]
  let stack: TestStack
  let control: ManagedClient
  beforeAll(async () => {
    stack = await startTestStack({ names, cloud: { behavior: slowBehavior } })
    control = managedClientOf(stack, names)
  })
  afterAll(() => stack.close())

  const call = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await control.call(method, path, body)
    return { status, ...json }
  }
  const stateOf = async (id: string) => (await call('GET', `/datapipes/${id}`)).result.state
  const command = (id: string, name: string) => call('PATCH', `/datapipes/${id}/state`, { command: name })

  describe('creation', () => {
    test('of a Kafka pipe does not connect to its brokers', async () => {
      const made = await call('POST', '/datapipes', pipeInputs.kafka)
      expect(made).toMatchObject({
        status: 200,
        result: {
          serviceId: stack.identity.serviceId,
          state: 'Provisioning',
          stateDetail: null,
          scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
        },
      })
      // This stack has no engine to load into.
      await passTime(stack.store)
      await eventually(() => stateOf(made.result.id)).toBe('Failed')
      const list = await call('GET', '/datapipes')
      expect(list.result.map((pipe: { id: string }) => pipe.id)).toContain(made.result.id)
    })

    test('returns no secret', async () => {
      for (const kind of Object.keys(pipeInputs) as Kind[]) await control.plant(pipeInputs[kind], 'Stopped')
      const list = await control.call('GET', '/datapipes')
      expect(list.json.result.length).toBeGreaterThanOrEqual(4)
      expect(list.text).not.toMatch(/secret|password|internal/)
    })

    test.each<[string, object, string]>([
      [
        'two sources',
        { source: { ...pipeInputs.kafka.source, ...pipeInputs.kinesis.source } },
        'request body.source: exactly one of',
      ],
      ['no source', { source: {} }, 'request body.source: exactly one of'],
      ['an unknown field', { kind: 'kafka' }, "request body property can't be validated: kind"],
      ['no table', { destination: { database: 'default' } }, 'request body.destination.table: Required'],
      ['a column that is not mapped', { fieldMappings: [] }, 'column id must appear in fieldMappings'],
      [
        'a key over no column',
        { destination: { ...pipeInputs.kafka.destination, tableDefinition: { sortingKey: ['nothing'] } } },
        'column nothing does not exist',
      ],
      [
        'a moment with seconds',
        {
          source: {
            kafka: {
              ...pipeInputs.kafka.source.kafka,
              offset: { strategy: 'from_timestamp', timestamp: '2026-01-02T03:04:05' },
            },
          },
        },
        'request body.source.kafka.offset.timestamp: must be a minute in UTC such as 2026-01-02T03:04',
      ],
      [
        'a setting of another kind',
        { settings: { object_storage_concurrency: 3 } },
        'request body.settings.object_storage_concurrency: Setting is not supported for Kafka pipes <number:3>',
      ],
      [
        'a parameter of another kind',
        { scaling: { concurrency: 3 } },
        'request body.scaling.concurrency: Kafka pipes scale by replicas',
      ],
    ])('rejects %s', async (_, change, words) => {
      const answer = await call('POST', '/datapipes', { ...pipeInputs.kafka, ...change })
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(words) })
    })

    test.each(['idle', 'stopped', 'starting', 'partially_running'])(
      'requires a running service: %s is not running',
      async (state) => {
        const [service] = await serviceRows.all(stack.store)
        await serviceRows.update(stack.store, { ...service!, state })
        const made = await call('POST', '/datapipes', pipeInputs.kafka)
        await serviceRows.update(stack.store, service!)
        expect(made).toMatchObject({
          status: 424,
          error: `FAILED_DEPENDENCY: Data pipe creation is allowed only when the service is running. Current state: ${state}`,
        })
      },
    )
  })

  test.each<[string, string, number, string]>([
    ['a malformed id', '/datapipes/abc', 400, 'BAD_REQUEST: Invalid data pipe id <string:abc>'],
    ['an unknown id', `/datapipes/${unknownId}`, 404, `NOT_FOUND: ${unknownId}`],
  ])('%s', async (_, path, status, error) => {
    expect(await call('GET', path)).toMatchObject({ status, error })
  })

  describe('state', () => {
    test.each<[Kind, string, string]>([
      ['kafka', 'Stopping', 'Stopped'],
      ['kinesis', 'Stopping', 'Stopped'],
      ['objectStorage', 'Stopping', 'Stopped'],
      ['postgres', 'Pausing', 'Paused'],
    ])('%s stops through %s and starts again', async (kind, via, to) => {
      const id = await control.plant(pipeInputs[kind], 'Running')
      expect(await command(id, 'stop')).toMatchObject({ status: 200, result: { state: via } })
      await passTime(stack.store)
      expect(await stateOf(id)).toBe(to)
      expect(await command(id, 'stop')).toMatchObject({ status: 200, result: { state: to } })
      expect(await command(id, 'start')).toMatchObject({ status: 200, result: { state: 'Provisioning' } })
    })

    test.each(Object.keys(pipeInputs) as Kind[])('%s that is provisioned cannot be started again', async (kind) => {
      const id = await control.plant(pipeInputs[kind], 'Provisioning')
      expect(await command(id, 'start')).toMatchObject({
        status: 400,
        error: `BAD_REQUEST: ${id} data pipe is already running`,
      })
    })

    test.each(['Stopping', 'Pausing'])('a pipe that is %s cannot be started yet', async (state) => {
      const id = await control.plant(pipeInputs[state === 'Pausing' ? 'postgres' : 'kafka'], state)
      expect(await command(id, 'start')).toMatchObject({
        status: 400,
        error: `BAD_REQUEST: ${id} data pipe is still stopping. Start it once it has stopped`,
      })
    })

    test('a failed pipe can be started, a completed one cannot', async () => {
      const failed = await control.plant(pipeInputs.kafka, 'Failed')
      expect(await command(failed, 'start')).toMatchObject({ status: 200, result: { state: 'Provisioning' } })
      await passTime(stack.store)
      // Until the stack notices that it has no engine.
      expect(['Running', 'Failed']).toContain(await stateOf(failed))
      const completed = await control.plant(pipeInputs.objectStorage, 'Completed')
      expect(await command(completed, 'start')).toMatchObject({
        status: 400,
        error: expect.stringContaining('is completed'),
      })
    })

    test('only database pipes can be resynchronized', async () => {
      const postgres = await control.plant(pipeInputs.postgres, 'Paused')
      expect(await command(postgres, 'resync')).toMatchObject({ status: 200, result: { state: 'Resync' } })
      const kafka = await control.plant(pipeInputs.kafka)
      expect(await command(kafka, 'resync')).toMatchObject({ status: 400 })
    })

    test('a pipe that would move data fails without an engine, and says so', async () => {
      const id = await control.plant(pipeInputs.objectStorage, 'Stopped')
      await command(id, 'start')
      await passTime(stack.store)
      await eventually(() => call('GET', `/datapipes/${id}`)).toMatchObject({
        result: { state: 'Failed', stateDetail: 'this stack has no telemetry engine' },
      })
    })
  })

  describe('settings', () => {
    test('are merged; null restores the default', async () => {
      const id = await control.plant(pipeInputs.objectStorage, 'Stopped')
      const threads = `${names.settingPrefix}max_threads`
      const parallel = `${names.settingPrefix}parallel_view_processing`
      await call('PUT', `/datapipes/${id}/settings`, { [threads]: 0, [parallel]: false, object_storage_concurrency: 3 })
      await call('PUT', `/datapipes/${id}/settings`, { object_storage_concurrency: null })
      expect(await call('GET', `/datapipes/${id}/settings`)).toMatchObject({
        status: 200,
        result: { [threads]: 0, [parallel]: false },
      })
      expect((await call('GET', `/datapipes/${id}`)).result.settings).toEqual({ [threads]: 0, [parallel]: false })
    })

    test('require a key, and a known one', async () => {
      const id = await control.plant(pipeInputs.objectStorage, 'Stopped')
      expect(await call('PUT', `/datapipes/${id}/settings`, {})).toMatchObject({ status: 400 })
      expect(await call('PUT', `/datapipes/${id}/settings`, { speed: 1 })).toMatchObject({
        status: 400,
        error: expect.stringContaining('speed'),
      })
    })

    test('are not offered for database pipes', async () => {
      const id = await control.plant(pipeInputs.postgres, 'Paused')
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { object_storage_concurrency: 3 } : undefined
        expect(await call(method, `/datapipes/${id}/settings`, body)).toMatchObject({ status: 404 })
      }
    })
  })

  test('scaling returns requested values at once, and effective values after a while', async () => {
    const id = await control.plant(pipeInputs.kafka)
    const before = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }
    const wanted = { replicas: 4, replicaCpuMillicores: 125, replicaMemoryGb: 2 }
    const sent = await call('PATCH', `/datapipes/${id}/scaling`, { replicas: 4, replicaMemoryGb: 2 })
    expect(sent.result).toMatchObject({ scaling: wanted, currentScaling: before })
    const read = async () => (await call('GET', `/datapipes/${id}`)).result
    expect((await read()).scaling).toEqual(wanted)
    const [listed] = (await call('GET', '/datapipes')).result.filter((pipe: { id: string }) => pipe.id === id)
    expect(listed.scaling).toEqual(wanted)
    await passTime(stack.store)
    expect((await read()).currentScaling).toEqual(wanted)
    expect((await read()).scaling).toEqual(wanted)
  })

  test('a second scaling starts from the requested values', async () => {
    const id = await control.plant(pipeInputs.kafka)
    await call('PATCH', `/datapipes/${id}/scaling`, { replicas: 4 })
    const { result } = await call('PATCH', `/datapipes/${id}/scaling`, { replicaMemoryGb: 2 })
    expect(result.scaling).toEqual({ replicas: 4, replicaCpuMillicores: 125, replicaMemoryGb: 2 })
  })

  test('a database pipe is edited while paused, and then runs again', async () => {
    const id = await control.plant(pipeInputs.postgres, 'Running')
    const edit = {
      source: {
        postgres: { tableMappingsToAdd: [{ sourceSchemaName: 'public', sourceTable: 'items', targetTable: 'items' }] },
      },
    }
    expect(await call('PATCH', `/datapipes/${id}`, edit)).toMatchObject({
      status: 400,
      error: 'BAD_REQUEST: Postgres data pipe must be paused to edit',
    })
    const paused = await control.plant(pipeInputs.postgres, 'Paused')
    const edited = await call('PATCH', `/datapipes/${paused}`, edit)
    expect(edited).toMatchObject({ status: 200, result: { state: 'Modifying' } })
    expect(edited.result.source.postgres.tableMappings).toHaveLength(2)
  })

  test('a deleted pipe is not found', async () => {
    const id = await control.plant(pipeInputs.kafka)
    const deleted = await call('DELETE', `/datapipes/${id}`)
    expect(deleted.status).toBe(200)
    expect(deleted).not.toHaveProperty('result')
    expect((await call('GET', `/datapipes/${id}`)).status).toBe(404)
  })

  test('the shared size exists from the first database pipe to the last, and converges', async () => {
    for (const pipe of await pipeRows.all(stack.store)) await pipeRows.delete(stack.store, pipe.id)
    expect(await call('GET', '/datapipesCdcScaling')).toMatchObject({ status: 404 })
    const id = await control.plant(pipeInputs.postgres, 'Paused')
    const usual = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }
    expect((await call('GET', '/datapipesCdcScaling')).result).toEqual(usual)
    const wanted = { replicaCpuMillicores: 4000, replicaMemoryGb: 16 }
    expect((await call('PATCH', '/datapipesCdcScaling', wanted)).result).toEqual(usual)
    expect((await call('GET', '/datapipesCdcScaling')).result).toEqual(usual)
    await passTime(stack.store)
    expect((await call('GET', '/datapipesCdcScaling')).result).toEqual(wanted)
    await call('DELETE', `/datapipes/${id}`)
    expect(await call('PATCH', '/datapipesCdcScaling', wanted)).toMatchObject({ status: 404 })
  })
})

test('returns placeholders and quantities if configured, and the contract reads them', async () => {
  const placeholders = { ...slowBehavior, transientZeros: true, quantityStrings: true }
  const stack = await startTestStack({ cloud: { behavior: placeholders } })
  const control = managedClientOf(stack)
  const read = async (id: string) => (await control.call('GET', `/datapipes/${id}`)).json.result
  const id = await control.plant(pipeInputs.kafka)
  await control.call('PATCH', `/datapipes/${id}/scaling`, { replicaCpuMillicores: 1000 })
  const zeros = { replicas: 0, replicaCpuMillicores: '0m', replicaMemoryGb: '0Mi' }
  const former = { replicas: 1, replicaCpuMillicores: '125m', replicaMemoryGb: '512Mi' }
  const wanted = { ...former, replicaCpuMillicores: '1000m' }
  expect(await read(id)).toMatchObject({ scaling: zeros, currentScaling: zeros })
  await passTime(stack.store, placeholders.convergenceSeconds * 0.75)
  expect(await read(id)).toMatchObject({ scaling: wanted, currentScaling: former })
  await passTime(stack.store)
  expect(await read(id)).toMatchObject({ scaling: wanted, currentScaling: wanted })
  expect(pipeScaling.parse((await read(id)).currentScaling)).toEqual({
    replicas: 1,
    replicaCpuMillicores: 1000,
    replicaMemoryGb: 0.5,
  })
  await stack.close()
})
