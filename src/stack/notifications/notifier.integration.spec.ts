/** The notifier after kill -9. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'
import { eventIdOf, idempotencyKeyOf } from '../alerting/eventKeys.ts'
import { event, notifierScene } from '../testing/notifierScene.ts'

const scene = notifierScene()
const { addWebhook, addAlert, put, deliveries, ended } = scene

test('a process that is killed between sending and recording sends again with the same key', async () => {
  const alert = await addAlert([await addWebhook()])
  await put(alert, event(alert))
  const { file, execArgv } = program(join(import.meta.dirname, '../testing/notifierProcess.ts'))
  const begin = () => fork(file, [scene.stack.dataDir], { execArgv })
  let child = begin()
  // Received, and never answered.
  scene.receiver.answer = () => void child.kill('SIGKILL')
  await once(child, 'exit')
  expect(scene.receiver.requests).toHaveLength(1)
  expect(await deliveries(alert)).toMatchObject([{ status: 'pending', attemptCount: 0 }])
  scene.receiver.answer = (_, response) => response.end('ok')
  child = begin()
  expect(await ended(alert)).toMatchObject([{ status: 'delivered', attemptCount: 1 }])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const keys = scene.receiver.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([
    idempotencyKeyOf(eventIdOf(alert.channels[0]?.webhookId ?? '', event(alert)), event(alert)),
    keys[0],
  ])
})
