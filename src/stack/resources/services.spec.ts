/** Services at the real variant: changes and their rules, the state machine, scaling that converges. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { namingProfileNames, namingProfiles } from '#contract/wire/naming.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { managedClientOf, type ManagedClient } from '../testing/managedClient.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { passTime, slowBehavior } from '../testing/testCloud.ts'

describe.each(namingProfileNames)('under %s names', (naming) => {
  const names = namingProfiles[naming]
  let stack: TestStack
  let control: ManagedClient
  let first: ServiceDocument
  beforeAll(async () => {
    stack = await startTestStack({ names, cloud: { behavior: slowBehavior } })
    control = managedClientOf(stack, names)
    first = (await serviceRows.all(stack.store))[0]!
  })
  afterAll(() => stack.close())
  beforeEach(() => serviceRows.update(stack.store, first))

  const set = (fields: Partial<ServiceDocument>) => serviceRows.update(stack.store, { ...first, ...fields })
  const get = async () => (await control.call('GET', '')).json.result
  const patch = async (body: unknown, path = '') => {
    const { status, json } = await control.call('PATCH', path, body)
    return { status, ...json }
  }

  test('the version is the name of this stack', async () => {
    expect(await get()).toHaveProperty(names.version)
  })

  describe('basic details', () => {
    test('changes only sent fields', async () => {
      const answer = await patch({ name: 'Orders 2' })
      expect(answer).toMatchObject({ status: 200, requestId: expect.any(String), result: { name: 'Orders 2' } })
      const { name: _name, ...rest } = await get()
      const { name: _first, ...before } = answer.result
      expect(rest).toEqual(before)
    })

    test('of the access list: removes before it adds, by source', async () => {
      await set({
        ipAccessList: [
          { source: '10.0.0.0/8', description: 'old' },
          { source: '::1', description: 'v6' },
        ],
      })
      const { result } = await patch({
        ipAccessList: {
          add: [{ source: '10.0.0.0/8', description: 'new' }, { source: '192.0.2.7' }],
          remove: [{ source: '10.0.0.0/8' }, { source: '203.0.113.9' }],
        },
      })
      expect(result.ipAccessList).toEqual([
        { source: '::1', description: 'v6' },
        { source: '10.0.0.0/8', description: 'new' },
        { source: '192.0.2.7', description: '' },
      ])
      expect((await get()).ipAccessList).toEqual(result.ipAccessList)
    })

    test('of private endpoints: removes before it adds', async () => {
      await set({ privateEndpointIds: ['vpce-1', 'vpce-2'] })
      const { result } = await patch({
        privateEndpointIds: { add: ['vpce-1', 'vpce-3'], remove: ['vpce-1', 'vpce-9'] },
      })
      expect(result.privateEndpointIds).toEqual(['vpce-2', 'vpce-1', 'vpce-3'])
    })

    test('the mysql endpoint can be enabled and disabled', async () => {
      const on = await patch({ endpoints: [{ protocol: 'mysql', enabled: true }] })
      expect(on.result.endpoints.map((endpoint: { protocol: string }) => endpoint.protocol)).toEqual(['https', 'mysql'])
      const again = await patch({ endpoints: [{ protocol: 'mysql', enabled: true }] })
      expect(again.result.endpoints).toEqual(on.result.endpoints)
      const off = await patch({ endpoints: [{ protocol: 'mysql', enabled: false }] })
      expect(off.result.endpoints).toEqual(first.endpoints)
    })

    test('the release channel requires a production service', async () => {
      await set({ tier: 'production' })
      expect(await patch({ releaseChannel: 'fast' })).toMatchObject({ status: 200, result: { releaseChannel: 'fast' } })
      await set({ tier: 'development' })
      expect(await patch({ releaseChannel: 'default' })).toMatchObject({ status: 200 })
      expect(await patch({ releaseChannel: 'fast' })).toMatchObject({
        status: 400,
        error:
          'BAD_REQUEST: request body.releaseChannel: only production services can choose a release channel <string:fast>',
      })
    })

    test('a key can be rotated only if there is one', async () => {
      expect((await patch({ transparentDataEncryptionKeyId: 'key-2' })).error).toContain(
        'request body.transparentDataEncryptionKeyId',
      )
      await set({ hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: 'key-1' })
      const { result } = await patch({ transparentDataEncryptionKeyId: 'key-2' })
      expect(result.transparentDataEncryptionKeyId).toBe('key-2')
    })

    test.each<[string, unknown, string]>([
      ['an unknown field', { names: 'x' }, "request body property can't be validated: names"],
      [
        'an unknown field inside',
        { ipAccessList: { added: [] } },
        "request body.ipAccessList: Unrecognized key(s) in object: 'added'",
      ],
      ['an empty name', { name: '' }, 'request body.name: String must contain at least 1 character(s)'],
      ['a blank name', { name: '  ' }, 'request body.name: must hold a letter or digit'],
      ['a name of 51', { name: 'n'.repeat(51) }, 'request body.name: String must contain at most 50 character(s)'],
      ['no letter in the name', { name: '_-.' }, 'request body.name: '],
      ['no name', { name: null }, 'request body.name: Expected string, received null'],
      [
        'a source that is none',
        { ipAccessList: { add: [{ source: '300.1.1.1' }] } },
        'request body.ipAccessList.add.0.source: must be an IP address',
      ],
      [
        'a range that is none',
        { ipAccessList: { add: [{ source: '10.0.0.0/33' }] } },
        'request body.ipAccessList.add.0.source',
      ],
      ['https switched', { endpoints: [{ protocol: 'https', enabled: false }] }, 'request body.endpoints.0.protocol: '],
      ['another channel', { releaseChannel: 'daily' }, 'request body.releaseChannel: Invalid enum value'],
      ['a list', [], 'request body: Expected object, received array'],
    ])('rejects %s', async (_, body, words) => {
      const answer = await patch(body)
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(words) })
      expect(answer).not.toHaveProperty('result')
    })

    test('letters, digits and spaces are the rule of the specification, not of the product', async () => {
      const name = 'team-a_eu.1 [test]'
      const answer = await patch({ name })
      if (naming === 'clickhouse') expect(answer).toMatchObject({ status: 200, result: { name } })
      else
        expect(answer.error).toBe(
          `BAD_REQUEST: request body.name: may hold letters, digits and spaces only <string:${name}>`,
        )
      const body = { provider: 'aws', region: 'us-east-1', ipAccessList: [], numReplicas: 1 }
      const create = (given: string) =>
        stack.send('POST', `/v1/organizations/${stack.identity.organizationId}/services`, {
          body: { ...body, name: given },
          headers: { authorization: basic(stack.identity.keyId, stack.identity.keySecret) },
        })
      expect((await create(name)).status).toBe(naming === 'clickhouse' ? 200 : 400)
      const plain = await create('One replica')
      expect(plain.json).toMatchObject({ status: 200, result: { service: { name: 'One replica', numReplicas: 1 } } })
    })

    test('accepts a name of 50 characters, and no change at all', async () => {
      expect((await patch({ name: 'n'.repeat(50) })).status).toBe(200)
      expect((await patch({})).status).toBe(200)
    })
  })

  describe('state', () => {
    test.each([
      ['stopped', 'start', 'starting', 'running'],
      ['running', 'stop', 'stopping', 'stopped'],
      ['idle', 'stop', 'stopping', 'stopped'],
      ['idle', 'awake', 'awaking', 'running'],
    ])('%s, after %s, is %s and then %s', async (from, command, via, to) => {
      await set({ state: from })
      expect(await patch({ command }, '/state')).toMatchObject({ status: 200, result: { state: via } })
      expect((await get()).state).toBe(via)
      await passTime(stack.store)
      expect((await get()).state).toBe(to)
    })

    test.each([
      ['running', 'start'],
      ['running', 'awake'],
      ['idle', 'start'],
      ['stopped', 'stop'],
    ])('%s, after %s, is unchanged', async (from, command) => {
      await set({ state: from })
      expect(await patch({ command }, '/state')).toMatchObject({ status: 200, result: { state: from } })
    })

    test('a stopping service cannot be started', async () => {
      await set({ state: 'stopping' })
      const answer = await patch({ command: 'start' }, '/state')
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining('still stopping. Start it once') })
    })

    test.each(['provisioning', 'starting', 'awaking'])('a service that is %s cannot be stopped yet', async (state) => {
      await set({ state })
      const answer = await patch({ command: 'stop' }, '/state')
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(`still ${state}. Stop it once`) })
    })

    test('a stopped service cannot be woken', async () => {
      await set({ state: 'stopped' })
      const answer = await patch({ command: 'awake' }, '/state')
      expect(answer).toMatchObject({ status: 409, error: expect.stringContaining("Current state: 'stopped'") })
    })

    test('rejects another command', async () => {
      expect((await patch({ command: 'restart' }, '/state')).error).toContain(
        'request body.command: Invalid enum value',
      )
    })

    test('a pending change completes after a restart', async () => {
      await set({
        state: 'starting',
        internal: { change: { to: 'running', at: new Date(currentTime() - 1).toISOString() } },
      })
      expect((await get()).state).toBe('running')
    })
  })

  describe('replica scaling', () => {
    test('returns requested values at once, and effective values after a while', async () => {
      const before = (await get()).currentScaling
      const wanted = { numReplicas: 5, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 }
      const answer = await patch({ numReplicas: 5, maxReplicaMemoryGb: 32 }, '/replicaScaling')
      expect(answer).toMatchObject({ status: 200, result: { ...wanted, currentScaling: before } })
      expect(await get()).toMatchObject({ ...wanted, currentScaling: before })
      await passTime(stack.store)
      expect(await get()).toMatchObject({
        ...wanted,
        currentScaling: {
          effectiveMinReplicas: 5,
          effectiveMaxReplicas: 5,
          effectiveMinReplicaMemoryGb: 8,
          effectiveMaxReplicaMemoryGb: 32,
        },
      })
    })

    test('a second change starts from the requested values', async () => {
      const { idleScaling } = await get()
      const idle = { idleScaling: !idleScaling }
      await patch({ numReplicas: 4, ...idle }, '/replicaScaling')
      const { result } = await patch({ maxReplicaMemoryGb: 24 }, '/replicaScaling')
      expect(result).toMatchObject({ numReplicas: 4, maxReplicaMemoryGb: 24, ...idle })
      await passTime(stack.store)
      expect(await get()).toMatchObject({ numReplicas: 4, maxReplicaMemoryGb: 24, ...idle })
    })

    test('the total memory is that of three replicas, whatever their number', async () => {
      const scale = async (body: object) => (await patch(body, '/replicaScaling')).result
      for (const numReplicas of [1, 3, 20]) {
        const service = await scale({ numReplicas, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 356 })
        expect(service).toMatchObject({ minTotalMemoryGb: 24, maxTotalMemoryGb: 1068 })
      }
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 }
      const horizontal = await scale({ minReplicas: 2, maxReplicas: 6, ...memory })
      expect(horizontal).not.toHaveProperty('minTotalMemoryGb')
      expect(horizontal).not.toHaveProperty('maxTotalMemoryGb')
    })

    test('a range of replicas is horizontal scaling, with one memory size', async () => {
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 }
      await patch({ minReplicas: 2, maxReplicas: 6, ...memory }, '/replicaScaling')
      await passTime(stack.store)
      expect(await get()).toMatchObject({
        autoscalingMode: 'horizontal',
        minReplicas: 2,
        maxReplicas: 6,
        replicaMemoryGb: 16,
      })
      expect(await get()).not.toHaveProperty('numReplicas')
      await patch({ autoscalingMode: 'vertical', numReplicas: 4 }, '/replicaScaling')
      await passTime(stack.store)
      expect(await get()).toMatchObject({ autoscalingMode: 'vertical', numReplicas: 4 })
      expect(await get()).not.toHaveProperty('maxReplicas')
    })

    test.each<[object, string]>([
      [{}, 'at least one field is required'],
      [{ minReplicas: 2 }, 'request body.maxReplicas: minReplicas and maxReplicas are required together'],
      [{ minReplicas: 3, maxReplicas: 2 }, 'request body.minReplicas: minReplicas must not be greater'],
      [{ numReplicas: 2, minReplicas: 2, maxReplicas: 2 }, 'request body.numReplicas: numReplicas excludes'],
      [{ autoscalingMode: 'horizontal' }, 'request body.autoscalingMode: changing to horizontal scaling needs'],
      [{ minReplicas: 2, maxReplicas: 3 }, 'must be equal in horizontal scaling'],
      [{ minReplicaMemoryGb: 32 }, 'request body.minReplicaMemoryGb: minReplicaMemoryGb 32 must not be greater'],
      [{ idleScaling: false, idleTimeoutMinutes: 10 }, 'request body.idleTimeoutMinutes: '],
      [{ replicas: 2 }, "request body property can't be validated: replicas"],
    ])('rejects %j', async (body, words) => {
      expect(await patch(body, '/replicaScaling')).toMatchObject({ status: 400, error: expect.stringContaining(words) })
    })
  })
})
