/**
 * The process of `pipeProcess.ts`: runs the pipes of a data folder. Arguments: data folder, folder of files, address of a
 * Kinesis server, and where several stacks share them the URLs of the records and of the engine.
 */
import { join } from 'node:path'
import pino from 'pino'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { settledPipe, type PipeDocument } from '../pipes/model/pipeDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { openStore } from '../store/store.ts'
import { openEngine } from '../telemetry/engine/engine.ts'
import { newPipe } from '../pipes/model/newPipe.ts'
import { startTestCloud } from './testCloud.ts'
import { testTasks } from './testTasks.ts'
import type { PipeOrder } from './pipeProcess.ts'

/** Milliseconds. Shorter than in the product, so that another process takes over soon. */
const beats = 250
const [dataDir = '', filesRoot = '', kinesisEndpoint, databaseUrl, clickhouseUrl] = process.argv.slice(2)
const serviceId = '00000000-0000-4000-8000-000000000001'
const secret = 'the secret of all stacks'
const store = await openStore(databaseUrl ? { url: databaseUrl, dataDir, secret } : { file: join(dataDir, 'stack.db') })
const engine = await openEngine(clickhouseUrl ? { url: clickhouseUrl } : { dataDir })
const { tasks, presence } = await testTasks(store, dataDir, beats)
if (!(await serviceRows.get(store, serviceId))) await serviceRows.insert(store, { id: serviceId, state: 'running' })
const cloud = await startTestCloud(store, filesRoot, {
  engine,
  tasks,
  kinesisEndpoint: kinesisEndpoint || undefined,
  logger: pino({ level: 'error' }, pino.destination(2)),
})

async function onePipe(id?: string): Promise<PipeDocument> {
  const pipe = (await pipeRows.all(store)).find((row) => id === undefined || row.id === id)
  if (!pipe) throw new TypeError('there is no pipe')
  return settledPipe(pipe, currentTime())
}

async function carryOut(order: PipeOrder): Promise<unknown> {
  switch (order.do) {
    case 'create': {
      const pipe = newPipe(serviceId, order.input, currentIsoTime())
      await store.write((transaction) => pipeRows.insert(transaction, pipe))
      cloud.changed()
      return pipe.id
    }
    case 'states': {
      const pipes = (await pipeRows.all(store)).map((pipe) => settledPipe(pipe, currentTime()))
      return pipes.map(({ id, state, stateDetail }) => ({ id, state, stateDetail }))
    }
    case 'state': {
      await store.write(async (transaction) => {
        await pipeRows.update(transaction, { ...(await onePipe(order.id)), state: order.state })
      })
      cloud.changed()
      return null
    }
    case 'stopAll': {
      await store.write(async (transaction) => {
        for (const pipe of await pipeRows.all(transaction)) {
          await pipeRows.update(transaction, { ...pipe, state: 'Stopped' })
        }
      })
      cloud.changed()
      return null
    }
    case 'position':
      return cloud.position(await onePipe(order.id))
    case 'shards':
      return cloud.shards(await onePipe())
    case 'offsets':
      return cloud.offsets(await onePipe(order.id), order.input, order.does)
    case 'resend':
      return cloud.resend(await onePipe(order.id))
    case 'query':
      return engine.query(order.sql, { maxSeconds: 600 })
    case 'command':
      return engine.command(order.sql)
    case 'isRunning': {
      const [row] = await store.rows('SELECT stack_id FROM task_leases')
      return row?.['stack_id'] === presence.id
    }
    case 'end':
      await cloud.close()
      await presence.leave()
      await engine.close()
      store.close()
      return null
  }
}

process.on('message', (message) => {
  const { number, order } = message as { number: number; order: PipeOrder } // `pipeProcess.ts` is the other end
  carryOut(order).then(
    (result) => process.send?.({ number, result }),
    (error: unknown) => process.send?.({ number, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ number: 0 })
