/** Every bound of the cloud's inputs at the real variant, from the contract's own lists, in both spellings of the names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cdcScalingBounds, pipeScalingBounds, replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { namingProfileNames, namingProfiles, toWire } from '#contract/wire/naming.ts'
import { pipeSettingBounds } from '#contract/cloud/pipes/pipeSettings.ts'
import { managedClientOf, pipeInputs, type ManagedClient, type Kind } from '../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const kindsOf = (bound: Bound) => (Object.keys(pipeInputs) as Kind[]).filter((kind) => bound.kinds?.includes(kind))

describe.each(namingProfileNames)('under %s names', (naming) => {
  const names = namingProfiles[naming]
  let stack: TestStack
  let control: ManagedClient
  const ids: Partial<Record<Kind, string>> = {}
  beforeAll(async () => {
    stack = await startTestStack({ names })
    control = managedClientOf(stack, names)
    for (const kind of Object.keys(pipeInputs) as Kind[]) ids[kind] = await control.plant(pipeInputs[kind], 'Stopped')
  })
  afterAll(() => stack.close())

  /** The response to a value of a field: the status, and the message if it is refused. */
  type Send = (value: unknown) => Promise<{ status: number; error?: string }>

  async function expectBound(bound: Bound, field: string, send: Send, whole: (value: number) => boolean = () => true) {
    const step = bound.step ?? (bound.integer ? 1 : 0.25)
    const rule = (words: string, value: string) => ({
      status: 400,
      // Rules between fields may add errors.
      error: expect.stringContaining(`request body.${field}: ${words} <${value}>`),
    })
    for (const value of [bound.min, bound.max])
      if (whole(value)) expect(await send(value)).toMatchObject({ status: 200 })
    expect(await send(bound.min - step)).toMatchObject(
      rule(`Number must be greater than or equal to ${bound.min}`, `number:${bound.min - step}`),
    )
    expect(await send(bound.max + step)).toMatchObject(
      rule(`Number must be less than or equal to ${bound.max}`, `number:${bound.max + step}`),
    )
    expect(await send('2')).toMatchObject(rule('Expected number, received string', 'string:2'))
    expect(await send([2])).toMatchObject(rule('Expected number, received array', 'array'))
    if (bound.integer) {
      expect(await send(bound.min + 0.5)).toMatchObject(
        rule('Expected integer, received float', `number:${bound.min + 0.5}`),
      )
    }
    if (!bound.nullable) expect(await send(null)).toMatchObject(rule('Expected number, received null', 'null'))
  }

  const patch = async (path: string, body: unknown, method = 'PATCH') => {
    const { status, json } = await control.call(method, path, toWire(body, names))
    return { status, ...json }
  }

  describe('scaling of a pipe', () => {
    const cases = pipeScalingBounds.flatMap((bound) =>
      kindsOf(bound).map((kind) => [kind, bound.field, bound] as const),
    )
    test.each(cases)('%s: %s', async (kind, field, bound) => {
      const path = `/datapipes/${ids[kind]}/scaling`
      await expectBound(bound, field, (value) => patch(path, { [field]: value }))
      const alone = await patch(path, { [field]: null })
      expect(alone).toMatchObject({
        status: 400,
        error: expect.stringContaining('at least one of replicas, concurrency'),
      })
    })

    test.each(Object.keys(pipeInputs) as Kind[])('%s: an empty body', async (kind) => {
      const answer = await patch(`/datapipes/${ids[kind]}/scaling`, {})
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining('at least one of') })
    })

    const unfit = (Object.keys(pipeInputs) as Kind[]).flatMap((kind) =>
      pipeScalingBounds.filter((bound: Bound) => !bound.kinds?.includes(kind)).map((bound) => [kind, bound] as const),
    )
    test.each(unfit)('%s: a parameter that does not apply', async (kind, bound) => {
      const answer = await patch(`/datapipes/${ids[kind]}/scaling`, { [bound.field]: bound.max })
      expect(answer.status).toBe(400)
      expect(answer.error).toMatch(new RegExp(`^BAD_REQUEST: request body\\.${bound.field}: .* pipes (scale by|share)`))
    })

    test('null beside a value leaves it unchanged', async () => {
      const answer = await patch(`/datapipes/${ids.kafka}/scaling`, { replicas: 3, replicaCpuMillicores: null })
      expect(answer).toMatchObject({ status: 200, result: { scaling: { replicaCpuMillicores: expect.any(Number) } } })
    })

    test('an unknown field is named', async () => {
      const answer = await patch(`/datapipes/${ids.kafka}/scaling`, { replicas: 3, cpu: 1 })
      expect(answer).toMatchObject({ status: 400, error: "BAD_REQUEST: request body property can't be validated: cpu" })
    })
  })

  describe('size of the database pipes', () => {
    test.each(cdcScalingBounds.map((bound) => [bound.field, bound] as const))('%s', async (field, bound) => {
      // The two fields hang together: each bound is tried with the other that fits.
      const pair = (value: unknown) => {
        if (typeof value !== 'number') return { [field]: value }
        return field === 'replicaCpuMillicores'
          ? { [field]: value, replicaMemoryGb: Math.min(128, Math.max(4, (value / 1000) * 4)) }
          : { [field]: value, replicaCpuMillicores: Math.min(32_000, Math.max(1000, value * 250)) }
      }
      await expectBound(bound, field, (value) => patch('/datapipesCdcScaling', pair(value)))
      const between = await patch('/datapipesCdcScaling', { [field]: bound.min + bound.step / 2 })
      expect(between).toMatchObject({ status: 400, error: expect.stringContaining(`a multiple of ${bound.step}`) })
    })

    test('memory is four times the cores', async () => {
      const answer = await patch('/datapipesCdcScaling', { replicaCpuMillicores: 4000, replicaMemoryGb: 8 })
      expect(answer).toMatchObject({ status: 400, error: expect.stringContaining('16 for 4000 millicores') })
    })

    test('an empty body', async () => {
      expect(await patch('/datapipesCdcScaling', {})).toMatchObject({ status: 400 })
    })
  })

  describe('replica scaling of a service', () => {
    test.each(replicaScalingBounds.map((bound) => [bound.field, bound] as const))('%s', async (field, bound) => {
      const companions: Record<string, (value: unknown) => object> = {
        minReplicaMemoryGb: () => ({ maxReplicaMemoryGb: 356 }),
        maxReplicaMemoryGb: () => ({ minReplicaMemoryGb: 8 }),
        minReplicas: () => ({
          maxReplicas: 50,
          autoscalingMode: 'horizontal',
          minReplicaMemoryGb: 8,
          maxReplicaMemoryGb: 8,
        }),
        maxReplicas: () => ({
          minReplicas: 1,
          autoscalingMode: 'horizontal',
          minReplicaMemoryGb: 8,
          maxReplicaMemoryGb: 8,
        }),
      }
      await expectBound(bound, field, (value) => {
        const beside = companions[field]?.(value) ?? {}
        return patch('/replicaScaling', { ...beside, [field]: value })
      })
      if ('step' in bound) {
        const between = await patch('/replicaScaling', { [field]: bound.min + 1 })
        expect(between).toMatchObject({ status: 400, error: expect.stringContaining(`a multiple of ${bound.step}`) })
      }
    })
  })

  describe('settings of a pipe', () => {
    const cases = pipeSettingBounds.flatMap((bound) =>
      kindsOf(bound).map((kind) => [kind, bound.field, bound] as const),
    )
    test.each(cases)('%s: %s', async (kind, field, bound) => {
      const path = `/datapipes/${ids[kind]}/settings`
      const wire = Object.keys(toWire({ [field]: 0 }, names) as object)[0] ?? field
      const known = await patch(path, { [field]: bound.max }, 'PUT')
      expect(known).toMatchObject({ status: 200, result: { [wire]: bound.max } })
      // Refusals name the field as the client spelled it.
      await expectBound(bound, wire, (value) => patch(path, { [field]: value }, 'PUT'))
      const reset = await patch(path, { [field]: null }, 'PUT')
      expect(reset.status).toBe(200)
      expect(reset.result).not.toHaveProperty(wire)
    })
  })
})
