/**
 * Runs the stack in its own process, and restarts it when it exits or no longer responds.
 *
 * The stack sends a heartbeat every five seconds and is killed after four checks without one. Checks are counted rather than
 * seconds, so that a machine that was suspended kills nothing. The first restart is immediate, each further one later, up to
 * 30 seconds, until the stack has run for a minute.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { runtimeOptions } from '#stack/startup/runtimeOptions.ts'
import { StartError } from './serverSettings.ts'

const credentials = z.looseObject({
  personalAccessKey: z.string(),
  ingestionKey: z.string(),
  keyId: z.string(),
  keySecret: z.string(),
  organizationId: z.string(),
  serviceId: z.string(),
  /** The key of the sample's staging environment, while there is one. */
  stagingAccessKey: z.string().optional(),
})
const ports = z.looseObject({ api: z.number(), otlpHttp: z.number(), otlpGrpc: z.number() })
const ready = z.object({ type: z.literal('ready'), credentials, ports })
/** The keys and ports are known, and it does not listen yet. */
const opened = z.object({ type: z.literal('opened'), credentials, ports })
/** A key was rotated, or the staging environment was removed. */
const rotated = z.object({ type: z.literal('credentials'), credentials })
const messages = z.discriminatedUnion('type', [
  ready,
  opened,
  rotated,
  z.object({ type: z.literal('beat') }),
  z.object({ type: z.literal('engineStopped') }),
])

/** The keys and ports of the stack. */
export type StackReady = Pick<z.infer<typeof ready>, 'credentials' | 'ports'>

interface KeyPair {
  keyId: string
  keySecret: string
}

export interface StackSupervisor {
  /** Resolves when keys and ports are known for the first time, before the stack listens where that is possible. Rejects as `ready`. */
  opened: Promise<StackReady>
  /** Resolves when the stack listens for the first time. Rejects if it exits before. */
  ready: Promise<StackReady>
  /** Calls the listener with new keys: after a rotation, and after a restart. */
  onCredentials(listener: (credentials: StackReady['credentials']) => void): void
  /** Tells the stack which API key `credentials.json` has from now on. @throws Error if it does not take it in time */
  followKey(pair: KeyPair): Promise<void>
  /** Stops the stack. Resolves when its process has exited. */
  stop(): Promise<void>
}

const maxDelay = 30_000
/** A stack that ran this long is restarted without a delay. */
const stableAfter = 60_000
/** Milliseconds for the stack to store a key. */
const followTimeout = 10_000
/** Milliseconds for a clean exit before the process is killed. */
const shutdownTimeout = 8_000

/** Milliseconds before the next restart. The first one has no delay, and each further one a longer delay. */
export function delayBefore(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(500 * 2 ** (restarts - 1), maxDelay)
}

/** @param heartbeat when the stack counts as unresponsive and is killed */
export function superviseStack(
  entry: string,
  say: (line: string) => void,
  heartbeat: Heartbeat = usualHeartbeat,
): StackSupervisor {
  return new Supervisor(entry, say, heartbeat)
}

class Supervisor implements StackSupervisor {
  readonly #entry: string
  readonly #say: (line: string) => void
  readonly #heartbeat: Heartbeat
  readonly #listeners = new Set<Parameters<StackSupervisor['onCredentials']>[0]>()
  readonly #opening = settleable<StackReady>()
  readonly #starting = settleable<StackReady>()
  readonly opened = this.#opening.promise
  readonly ready = this.#starting.promise
  #child: ChildProcess | undefined
  #isStopping = false
  /** Whether the stack has listened. It is restarted from then on. */
  #wasReady = false
  #restarts = 0

  constructor(entry: string, say: (line: string) => void, heartbeat: Heartbeat) {
    this.#entry = entry
    this.#say = say
    this.#heartbeat = heartbeat
    this.#start()
  }

  onCredentials(listener: (credentials: StackReady['credentials']) => void): void {
    this.#listeners.add(listener)
  }

  /** The stack answers with its credentials. */
  async followKey(pair: KeyPair): Promise<void> {
    let note: Parameters<StackSupervisor['onCredentials']>[0] = () => {}
    const taken = new Promise<boolean>((done) => {
      note = ({ keyId }) => {
        if (keyId === pair.keyId) done(true)
      }
    })
    this.#listeners.add(note)
    this.#child?.send({ type: 'followKey', pair }, () => undefined)
    const isTaken = await Promise.race([taken, sleep(followTimeout, false, { ref: false })])
    this.#listeners.delete(note)
    if (!isTaken) throw new Error('The stack did not take the new API key in time.')
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const last = this.#child
    if (!last) return
    const gone = new Promise<void>((done) => last.once('exit', () => done()))
    last.kill('SIGTERM')
    const force = setTimeout(() => last.kill('SIGKILL'), shutdownTimeout)
    await gone
    clearTimeout(force)
  }

  #start(): void {
    const startedAt = performance.now()
    const child = fork(this.#entry, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...runtimeOptions.execArgv],
      // A loss is accepted once, not by each restart.
      env: { ...runtimeOptions.env, ...process.env, ...(this.#wasReady && { ACCEPT_DATA_LOSS: '0' }) },
    })
    this.#child = child
    let killedBecause: string | undefined
    const kill = (reason: string) => {
      killedBecause ??= reason
      // A process that hangs in native code handles no other signal.
      child.kill('SIGKILL')
    }
    const watch = watchHeartbeat(this.#heartbeat, () => kill('it did not respond'))
    child.on('message', (message) => {
      const parsed = messages.safeParse(message)
      if (!parsed.success) return
      if (parsed.data.type === 'engineStopped') return kill('its telemetry engine stopped')
      watch.beat()
      if (parsed.data.type !== 'beat') this.#receive(parsed.data)
    })
    child.once('exit', (code, signal) => {
      watch.stop()
      this.#child = undefined
      if (this.#isStopping) return
      const reason = killedBecause ?? String(signal ?? code)
      // With exit code 1 the stack has already printed the reason.
      if (!this.#wasReady) this.#fail(code === 1 ? '' : `The stack exited while starting (${reason}).`)
      else void this.#restart(performance.now() - startedAt, reason)
    })
  }

  #receive(message: z.infer<typeof ready | typeof opened | typeof rotated>): void {
    for (const listener of this.#listeners) listener(message.credentials)
    if (message.type === 'credentials') return
    this.#opening.done(message)
    if (message.type !== 'ready') return
    this.#wasReady = true
    this.#starting.done(message)
  }

  #fail(reason: string): void {
    const error = new StartError(reason)
    this.#opening.fail(error)
    this.#starting.fail(error)
  }

  async #restart(ran: number, reason: string): Promise<void> {
    if (ran > stableAfter) this.#restarts = 0
    await sleep(delayBefore(this.#restarts))
    if (this.#isStopping) return
    this.#restarts += 1
    this.#say(`The stack exited (${reason}) and was restarted.`)
    this.#start()
  }
}

/** A promise that may fail before anybody waits for it. */
function settleable<T>() {
  let settle: { done(value: T): void; fail(error: Error): void }
  const promise = new Promise<T>((done, fail) => {
    settle = { done, fail }
  })
  promise.catch(() => undefined)
  return { promise, done: (value: T) => settle.done(value), fail: (error: Error) => settle.fail(error) }
}

/** The stack sends a beat every five seconds. Opening a large data folder may take minutes without a beat. */
const usualHeartbeat: Heartbeat = { every: 5000, missedBeats: 4, missedAtStart: 36 }

/** The checks by which a process is found that no longer responds. */
export interface Heartbeat {
  /** Milliseconds between two checks. */
  every: number
  /** Checks without a beat after which the process counts as unresponsive. */
  missedBeats: number
  /** Checks before the first beat after which the process counts as unresponsive. */
  missedAtStart: number
}

interface HeartbeatWatch {
  /** Call this for each beat of the process. */
  beat(): void
  stop(): void
}

/**
 * Calls `onUnresponsive` once, after that many checks without a beat. Checks are counted and not time, because there are
 * none while the machine sleeps or both processes are suspended.
 */
function watchHeartbeat({ every, missedBeats, missedAtStart }: Heartbeat, onUnresponsive: () => void): HeartbeatWatch {
  let missed = 0
  let allowed = missedAtStart
  const timer = setInterval(() => {
    missed += 1
    if (missed < allowed) return
    clearInterval(timer)
    onUnresponsive()
  }, every)
  timer.unref()
  return {
    beat() {
      missed = 0
      allowed = missedBeats
    },
    stop: () => clearInterval(timer),
  }
}
