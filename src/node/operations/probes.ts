/** Probes of balancers and supervisors: `/healthz` (the process can go on without a restart) and `/readyz` (its parts can be used). */
import type { FastifyInstance } from 'fastify'
import { operationalPaths } from './operationalPaths.ts'

/** A part without which requests fail. */
export interface Part {
  /** Rejects if the part cannot be used. */
  check(): Promise<unknown>
  /** Why not, for people. A fixed sentence, because an error may name hosts and users, and anyone can read it. */
  reason: string
}

/** By name. Null for a part that this deployment does not have. */
export type ProbeTargets = Readonly<Record<string, Part | null>>

interface ProbeOptions {
  /** Milliseconds that a part may take. Default 5 s. */
  deadline?: number
  /** Why the process has to be restarted, in a fixed sentence; null while it need not be. Default: never. */
  fatal?: () => string | null
  /** Milliseconds for which a result is used again, so that strangers cannot keep the parts busy. Default 1 s. */
  reuse?: number
}

interface PartState {
  status: 'ok' | 'absent' | 'failed'
  reason?: string
}

interface Readiness {
  status: 'ready' | 'notReady'
  parts: Record<string, PartState>
}

/** Registers both probes. They need no sign-in and count in no limit. */
export function registerProbes(app: FastifyInstance, parts: ProbeTargets, options: ProbeOptions = {}): void {
  const { deadline = 5_000, reuse = 1_000, fatal = () => null } = options
  const checks = Object.entries(parts).map(([name, part]) => ({ name, check: part && checkOf(part, deadline) }))
  let last: { readiness: Promise<Readiness>; until: number } | undefined
  let failed = ''

  async function read(): Promise<Readiness> {
    const states = await Promise.all(
      checks.map(async ({ name, check }): Promise<[string, PartState]> => [
        name,
        check ? await check() : { status: 'absent' },
      ]),
    )
    const failing = states.filter(([, { status }]) => status === 'failed').map(([name]) => name)
    logChange(failing.join(', '))
    return { status: failing.length === 0 ? 'ready' : 'notReady', parts: Object.fromEntries(states) }
  }

  function logChange(failing: string): void {
    if (failing === failed) return
    failed = failing
    app.log.warn(failing === '' ? 'Ready again.' : `Not ready: ${failing}.`)
  }

  app.route({
    method: 'GET',
    url: operationalPaths.health,
    handler: (_, reply) => {
      const reason = fatal()
      return reply
        .code(reason === null ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(reason === null ? { status: 'ok' } : { status: 'failed', reason })
    },
  })
  app.route({
    method: 'GET',
    url: operationalPaths.ready,
    handler: async (_, reply) => {
      const now = performance.now()
      if (!last || last.until < now) last = { readiness: read(), until: now + reuse }
      const readiness = await last.readiness
      return reply
        .code(readiness.status === 'ready' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(readiness)
    },
  })
}

/** One check of a part at a time: a part that hangs is not asked again and again. */
function checkOf({ check, reason }: Part, deadline: number): () => Promise<PartState> {
  let running: Promise<PartState> | undefined
  const ask = async (): Promise<PartState> => {
    try {
      await check()
      return { status: 'ok' }
    } catch {
      return { status: 'failed', reason }
    } finally {
      running = undefined
    }
  }
  return () => {
    running ??= ask()
    return Promise.race([running, lateAfter(deadline, reason)])
  }
}

async function lateAfter(deadline: number, reason: string): Promise<PartState> {
  await new Promise((late) => setTimeout(late, deadline).unref())
  return { status: 'failed', reason: `${reason} There was no answer within ${deadline / 1000} s.` }
}
