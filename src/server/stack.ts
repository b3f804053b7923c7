/** Keeps the stack running in a process of its own: starts it, and starts it again when it dies or stands still. */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { watchHeartbeat, type Heartbeat } from './heartbeat.ts'
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
const messages = z.discriminatedUnion('type', [ready, z.object({ type: z.literal('beat') })])

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

const longestDelay = 30_000
/** A stack that ran this long before it died is started again at once. */
const steadyAfter = 60_000
/** For ending cleanly, before it is ended otherwise. */
const grace = 8_000

/** Milliseconds before a restart, after so many: the first comes at once, each one after it waits longer. */
export function delayBefore(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(500 * 2 ** (restarts - 1), longestDelay)
}

/** @param heartbeat how long the stack may stand still before it is killed */
export function startStack(entry: string, say: (line: string) => void, heartbeat: Heartbeat = usualHeartbeat): Stack {
  let child: ChildProcess | undefined
  let stopping = false
  let announced = false
  let restarts = 0
  let settle: { done(message: StackReady): void; fail(error: Error): void }
  const firstReady = new Promise<StackReady>((done, fail) => {
    settle = { done, fail }
  })

  function start(): void {
    const startedAt = performance.now()
    const started = fork(entry, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...runtimeThreads, ...process.env },
    })
    child = started
    let stoodStill = false
    const watch = watchHeartbeat(heartbeat, () => {
      stoodStill = true
      // A process that aborts within the engine, or never comes back to its messages, heeds no other signal.
      started.kill('SIGKILL')
    })
    started.on('message', (message) => {
      const parsed = messages.safeParse(message)
      if (!parsed.success) return
      watch.beat()
      if (parsed.data.type !== 'ready') return
      announced = true
      settle.done(parsed.data)
    })
    started.once('exit', (code, signal) => {
      watch.stop()
      child = undefined
      if (stopping) return
      const reason = stoodStill ? 'it did not respond' : String(signal ?? code)
      // Whoever ended it before it was ready has already said why.
      if (!announced) settle.fail(new StartError(code === 1 ? '' : `The stack ended at its start (${reason}).`))
      else void restart(performance.now() - startedAt, reason)
    })
  }

  async function restart(ran: number, reason: string): Promise<void> {
    if (ran > steadyAfter) restarts = 0
    await sleep(delayBefore(restarts))
    if (stopping) return
    restarts += 1
    say(`The stack ended (${reason}) and is started again.`)
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

/** The stack beats once a second. Opening a large data folder may take it minutes, without a beat. */
const usualHeartbeat: Heartbeat = { every: 1000, missedBeats: 15, missedAtStart: 180 }
