/** Evaluates alerts every minute, as long as this stack has the lease. */
import type { Logger } from 'pino'
import { wallClock, type GuardedClock } from '#node/clock/wallClock.ts'
import { settleMs } from '#domain/alerting/latePass.ts'
import { forgetDeletedAlerts } from '../documents/alertCursors.ts'
import { deleteOldEvaluations } from '../documents/alertEvaluations.ts'
import { writeLastPass, type AlertPass } from '../documents/alertPasses.ts'
import type { AlertMetrics } from './alertMetrics.ts'
import { keepLease, LeaseLost, releaseLease } from './lease.ts'
import { Passes, type PassDependencies } from './pass.ts'

interface EvaluatorOptions extends Omit<PassDependencies, 'clock'> {
  logger: Pick<Logger, 'warn' | 'error' | 'info'>
  metrics: AlertMetrics | null
  /** Default: that of this process. */
  clock?: GuardedClock
  /** How often a stack without the lease tries to get it, in milliseconds. */
  standbyMs?: number
}

export interface Evaluator {
  /** Stops the running pass, and lets another stack take over. */
  close(): Promise<void>
}

const minute = 60_000
const hour = 60 * minute
const defaultStandbyMs = 15_000

export function startEvaluator(options: EvaluatorOptions): Evaluator {
  const { store, holder, logger, metrics, clock = wallClock, standbyMs = defaultStandbyMs } = options
  const passes = new Passes({ ...options, clock })
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let cleanedAt = -Infinity
  let isHolder = false

  function schedule(): void {
    if (stop.signal.aborted) return
    const now = clock.now()
    const next = Math.floor((now - settleMs) / minute + 1) * minute + settleMs - now
    const isWaiting = isHolder && clock.isCertain()
    timer = setTimeout(() => (running = tick().finally(schedule)), isWaiting ? next : Math.min(next, standbyMs))
  }

  async function tick(): Promise<void> {
    // Results stored and sent now might be wrong. Due alerts are evaluated once it is known what time it is.
    if (!clock.isCertain()) return
    const begun = clock.now()
    const due = Math.floor(begun / minute) * minute
    try {
      const result = await passes.run(stop.signal)
      isHolder = result !== null
      if (!result) return void metrics?.standsBy()
      const ended = clock.now()
      metrics?.passed(result, ended - due, ended - begun)
      if (!stop.signal.aborted) await keep({ due, ended })
      if (ended - due > minute) {
        logger.warn(
          { seconds: Math.round((ended - due) / 1000), alerts: result.due },
          'Alerts were evaluated more than a minute late',
        )
      }
      if (performance.now() - cleanedAt > hour) await clean()
    } catch (error) {
      isHolder &&= !(error instanceof LeaseLost)
      if (stop.signal.aborted) return
      if (error instanceof LeaseLost) {
        metrics?.standsBy()
        logger.info('Another stack evaluates the alerts now')
      } else {
        metrics?.failed()
        logger.error({ err: error }, 'Alerts could not be evaluated. The next pass repeats it')
      }
    }
  }

  async function keep(pass: AlertPass): Promise<void> {
    await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      await writeLastPass(transaction, pass)
    })
  }

  async function clean(): Promise<void> {
    cleanedAt = performance.now()
    await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      await deleteOldEvaluations(transaction, clock.deletionTime())
      await forgetDeletedAlerts(transaction)
    })
  }

  schedule()
  return {
    async close() {
      stop.abort()
      clearTimeout(timer)
      await running
      clearTimeout(timer)
      if (isHolder) await releaseLease(store, holder)
    },
  }
}
