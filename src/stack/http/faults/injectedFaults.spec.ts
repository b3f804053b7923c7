import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { injectFaults } from './injectedFaults.ts'

async function faulty() {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'))
  const app = fastify()
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'faults.json')
  injectFaults(app, file)
  app.get('/held', async () => 'answered')
  app.get('/free', async () => 'answered')
  const setFaults = async (...faults: object[]) => {
    await writeFile(`${file}.next`, JSON.stringify(faults))
    await rename(`${file}.next`, file)
  }
  return { app, setFaults }
}

test('a request is held until its rule is gone, and others are not', async () => {
  const { app, setFaults } = await faulty()
  await setFaults({ match: 'GET /held', hold: true })
  const order: string[] = []
  const held = app.inject('/held').then(({ body }) => order.push(`held ${body}`))
  for (let count = 0; count < 3; count++) {
    await app.inject('/free')
    order.push('free')
  }
  await setFaults()
  await held
  expect(order).toEqual(['free', 'free', 'free', 'held answered'])
})
