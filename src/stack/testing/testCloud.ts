/** Runs data pipes for tests. Default: without an engine, and with a very short delay. */
import pino from 'pino'
import { createHostCheck } from '../net/reachableHosts.ts'
import { startCloud, type CloudOptions, type RunningCloud } from '../pipes/runtime.ts'
import type { Store } from '../store/store.ts'
import { testTasks } from './testTasks.ts'

/** Changes take effect after this long: long enough to be seen under way, short enough to wait for. */
export const testBehavior = { convergenceSeconds: 0.3, transientZeros: false, quantityStrings: false }

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
    logger: pino({ level: 'silent' }),
    ...options,
  })
}
