/** Keeps the stack running in a process of its own: starts it, and starts it again when it dies. */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { StartError } from './settings.ts'

const ready = z.object({
  type: z.literal('ready'),
  credentials: z.looseObject({
    personalAccessKey: z.string(),
    ingestionKey: z.string(),
    keyId: z.string(),
    keySecret: z.string(),
    organizationId: z.string(),
    serviceId: z.string(),
  }),
  ports: z.looseObject({ api: z.number(), otlpHttp: z.number(), otlpGrpc: z.number() }),
})

/** What the stack tells once it listens. */
export type StackReady = z.infer<typeof ready>

export interface Stack {
  /** Resolves when the stack listens for the first time. Rejects when it ends before. */
  ready: Promise<StackReady>
  /** Ends it, and resolves when it is gone. */
  stop(): Promise<void>
}

/** Each statement in the embedded engine holds a thread of the runtime's pool, whose usual four are too few. */
const runtimeThreads = { UV_THREADPOOL_SIZE: '16' }

const firstDelay = 500
const longestDelay = 30_000
/** A stack that ran this long before it died is started again without delay. */
const steadyAfter = 60_000
/** For ending cleanly, before it is ended otherwise. */
const grace = 8_000

export function startStack(entry: string, say: (line: string) => void): Stack {
  let child: ChildProcess | undefined
  let stopping = false
  let announced = false
  let delay = firstDelay
  let settle: { done(message: StackReady): void; fail(error: Error): void }
  const firstReady = new Promise<StackReady>((done, fail) => {
    settle = { done, fail }
  })

  function start(): void {
    const startedAt = performance.now()
    child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...runtimeThreads, ...process.env } })
    child.on('message', (message) => {
      const parsed = ready.safeParse(message)
      if (!parsed.success) return
      announced = true
      settle.done(parsed.data)
    })
    child.once('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      // Whoever ended it before it was ready has already said why.
      if (!announced) settle.fail(new StartError(code === 1 ? '' : `The stack ended at its start (${signal ?? code}).`))
      else void restart(performance.now() - startedAt, signal ?? code)
    })
  }

  async function restart(ran: number, reason: unknown): Promise<void> {
    delay = ran > steadyAfter ? firstDelay : delay
    await sleep(delay)
    if (stopping) return
    say(`The stack ended (${String(reason)}) and is started again.`)
    delay = Math.min(delay * 2, longestDelay)
    start()
  }

  async function stop(): Promise<void> {
    stopping = true
    const last = child
    if (!last) return
    const gone = new Promise<void>((done) => last.once('exit', () => done()))
    last.kill('SIGTERM')
    const force = setTimeout(() => last.kill('SIGKILL'), grace)
    await gone
    clearTimeout(force)
  }

  start()
  return { ready: firstReady, stop }
}
