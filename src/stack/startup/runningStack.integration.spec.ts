import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportEngineVersion } from './runningStack.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'

let engine: Engine
let stack: TestStack
beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

test('services report the version of the current engine, whatever they reported before', async () => {
  const { store, identity } = stack
  const service = async () => {
    const { organizationId, serviceId, keyId, keySecret } = identity
    const path = `/v1/organizations/${organizationId}/services/${serviceId}`
    const { json } = await stack.send('GET', path, { headers: { authorization: basic(keyId, keySecret) } })
    return json.result
  }
  const before = await service()
  const [{ version } = { version: '' }] = await engine.query<{ version: string }>('SELECT version() AS version')
  for (const old of ['', '23.8']) {
    await serviceRows.update(store, { ...before, dbVersion: old })
    await reportEngineVersion(store, engine)
    const { dbVersion, ...others } = await service()
    expect(dbVersion).toMatch(/^\d+\.\d+$/)
    expect(version.startsWith(`${dbVersion}.`)).toBe(true)
    expect({ ...others, dbVersion: before.dbVersion }).toEqual(before)
  }
  await reportEngineVersion(store, null)
  expect((await service()).dbVersion).not.toBe('')
})
