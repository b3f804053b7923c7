/** Runs data pipes for tests. Default: without an engine, and with a very short delay. */
import pino from 'pino'
import { createHostCheck } from '../net/reachableHosts.ts'
import { writeCdcScaling, readCdcScaling } from '../resources/cdcScaling.ts'
import { startCloud, type CloudOptions, type RunningCloud } from '../pipes/runtime.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import type { Store } from '../store/store.ts'
import { testTasks } from './testTasks.ts'

/** Changes take effect after this long: long enough to be seen under way, short enough to wait for. */
const testBehavior = { convergenceSeconds: 0.3, transientZeros: false, quantityStrings: false }

/** Specs wait for retries: those of a source of their own. */
const shortPauses = { retry: 250, longestRetry: 1000, requestCheck: 100 }

export async function startTestCloud(
  store: Store,
  filesRoot: string,
  options: Partial<CloudOptions> = {},
): Promise<RunningCloud> {
  const { tasks } = options.tasks ? { tasks: options.tasks } : await testTasks(store)
  return startCloud({
    store,
    tasks,
    engine: null,
    fileRoots: [filesRoot],
    // Servers of tests are on this machine, so no DNS server is needed.
    checkHost: createHostCheck({ allowed: ['127.0.0.1'], own: [] }, async () => []),
    behavior: testBehavior,
    pipeWord: 'datapipes',
    pauses: shortPauses,
    logger: pino({ level: 'silent' }),
    ...options,
  })
}

/** For stacks whose changes nobody has to see under way. */
export const promptBehavior = { ...testBehavior, convergenceSeconds: 0.03 }

/** For stacks whose changes take longer than any test: they are under way until `passTime` completes them. */
export const slowBehavior = { ...testBehavior, convergenceSeconds: 3600 }

/** Moves all changes that are under way closer to their end. @param seconds default: to their end, with `slowBehavior` */
export function passTime(store: Store, seconds = slowBehavior.convergenceSeconds): Promise<void> {
  const earlier = (time: string) => new Date(Date.parse(time) - seconds * 1000).toISOString()
  return store.write(async (transaction) => {
    for (const service of await serviceRows.all(transaction)) {
      const { change, scaling, ...internal } = service.internal ?? {}
      await serviceRows.update(transaction, {
        ...service,
        internal: {
          ...internal,
          ...(change && { change: { ...change, at: earlier(change.at) } }),
          ...(scaling && { scaling: { ...scaling, at: earlier(scaling.at) } }),
        },
      })
    }
    for (const pipe of await pipeRows.all(transaction)) {
      const { change, scaling, ...internal } = pipe.internal
      await pipeRows.update(transaction, {
        ...pipe,
        internal: {
          ...internal,
          ...(change && { change: { ...change, at: earlier(change.at) } }),
          ...(scaling && {
            scaling: { ...scaling, asked: earlier(scaling.asked), at: earlier(scaling.at) },
          }),
        },
      })
    }
    for (const { id: serviceId } of await serviceRows.all(transaction)) {
      const { size, next } = await readCdcScaling(transaction, serviceId)
      if (next) await writeCdcScaling(transaction, serviceId, { size, next: { ...next, at: earlier(next.at) } })
    }
  })
}
