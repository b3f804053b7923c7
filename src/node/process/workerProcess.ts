/**
 * Processes for tasks that may take too long or fill the memory. A thread would not do: V8 ends the whole process for some
 * allocations, whatever the limits of the thread are.
 */
import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How a task is done. */
interface Asking<Message, Result> {
  /**
   * Milliseconds of processor time that each message may take: a task is not at fault if the machine is busy or was suspended.
   * A message that takes ten times as long on the clock is late, too.
   */
  deadline: number
  /** Milliseconds that the whole task may take. Default: no limit. */
  total?: number
  /** Called with each message. The task ends with the first result. */
  take: (message: Message) => Result | undefined
}

/** Why there is no result: a message or the whole task took too long, memory ran out, or the process ended. */
export type WorkerFault = 'late' | 'lateInTotal' | 'memory' | 'ended'

type Outcome<Result> = { result: Result } | { fault: WorkerFault }

type HostMessage<Message> = { message: Message } | { fault: 'late' | 'memory' | 'ended' }

/** The message to the host: a task with its deadline, or null when the task has ended. */
type HostOrder = { task: Serializable; deadline: number } | null

/** How much longer than its processor time a message may take. */
const clockFactor = 10

/** Megabytes of a process that does nothing, its code and its thread included. */
const restingMemory = 192
/** Megabytes of the heap for objects that were just created. */
const youngMemory = 16

export interface WorkerProgram {
  /** The file of the program without its extension. */
  name: string
  /** URL of the module that the program lies beside, in the bundle (`src/server/bundle.js`) as in the sources. */
  beside: string
  /** Megabytes of the heap that a task may use. */
  memory: number
  /** Milliseconds without a task after which the process ends. */
  idleTime: number
}

/**
 * A process that is started with its first task. After a fault the next task gets another one. One task at a time. Its
 * program runs in a thread (`node:worker_threads`), posts any message once it is ready, and gets each task as a message.
 * The process has no environment variables and ends with this one.
 */
export class WorkerProcess<Task extends Serializable, Message> {
  #child: Promise<ChildProcess> | null = null
  #idle: NodeJS.Timeout | undefined
  readonly #program: WorkerProgram

  constructor(program: WorkerProgram) {
    this.#program = program
  }

  /** Starts the process, so that the next task does not wait for it. @throws the error that keeps it from starting */
  async prepare(): Promise<void> {
    await this.#running()
  }

  /** @throws the error that keeps the process from starting */
  async ask<Result>(task: Task, asking: Asking<Message, Result>): Promise<Outcome<Result>> {
    clearTimeout(this.#idle)
    const child = await this.#running()
    child.ref()
    child.channel?.ref()
    const outcome = await outcomeOf(child, task, asking)
    // A process at rest does not keep this one running.
    child.unref()
    child.channel?.unref()
    if ('fault' in outcome) {
      await this.end()
      return outcome
    }
    order(child, null)
    this.#idle = setTimeout(() => void this.end(), this.#program.idleTime).unref()
    return outcome
  }

  /** Ends the process, and with it a task under way. The next task starts another one. */
  async end(): Promise<void> {
    clearTimeout(this.#idle)
    const ending = this.#child
    this.#child = null
    const child = await ending?.catch(() => undefined)
    if (!child || hasEnded(child)) return
    const ended = new Promise((done) => child.once('exit', done))
    // A program that loops handles no other signal.
    child.kill('SIGKILL')
    await ended
  }

  #running(): Promise<ChildProcess> {
    const child = (this.#child ??= this.#start())
    return child.catch((error: unknown) => {
      if (this.#child === child) this.#child = null
      throw error
    })
  }

  #start(): Promise<ChildProcess> {
    const { name, beside, memory } = this.#program
    const isBundled = beside.endsWith('.js')
    const host = isBundled ? new URL('workerHost.js', beside) : new URL('workerHost.mjs', import.meta.url)
    const options = {
      file: new URL(`${name}${isBundled ? '.js' : '.ts'}`, beside).href,
      isSource: !isBundled,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory, stackSizeMb: 4 },
      maxResident: (restingMemory + youngMemory + memory) * 1024 * 1024,
    }
    const started = new Promise<ChildProcess>((resolve, reject) => {
      const child = fork(fileURLToPath(host), [JSON.stringify(options)], {
        execArgv: [],
        env: {},
        serialization: 'advanced',
        // Without the trace that V8 prints when memory runs out.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      const fail = () => reject(new Error(`The process of ${name} ended while it started.`))
      child.once('message', (first: HostMessage<unknown>) => ('fault' in first ? fail() : resolve(child)))
      child.on('error', reject)
      child.once('exit', (_, signal) => {
        if (this.#child === started) this.#child = null
        // One that was killed says nothing about its program: the task ends as if it had been killed later.
        if (signal === null) fail()
        else resolve(child)
      })
    })
    return started
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function outcomeOf<Message, Result>(
  child: ChildProcess,
  task: Serializable,
  { deadline, total, take }: Asking<Message, Result>,
): Promise<Outcome<Result>> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome<Result>) => {
      clearTimeout(timer)
      clearTimeout(totalTimer)
      child.off('message', onMessage).off('exit', onExit)
      resolve(outcome)
    }
    const onMessage = (told: HostMessage<Message>) => {
      timer.refresh()
      if ('fault' in told) return end({ fault: told.fault })
      const result = take(told.message)
      if (result !== undefined) end({ result })
    }
    const onExit = (_: unknown, signal: NodeJS.Signals | null) =>
      // V8 aborts the process when memory runs out. Whoever kills it gives no reason.
      end({ fault: signal === null || signal === 'SIGKILL' ? 'ended' : 'memory' })
    const timer = setTimeout(() => end({ fault: 'late' }), deadline * clockFactor)
    const totalTimer = total === undefined ? undefined : setTimeout(() => end({ fault: 'lateInTotal' }), total)
    child.on('message', onMessage).on('exit', onExit)
    if (hasEnded(child) || !child.connected) return end({ fault: 'ended' })
    order(child, { task, deadline })
  })
}

/** If it fails, `exit` follows. */
function order(child: ChildProcess, what: HostOrder): void {
  child.send({ order: what }, undefined, undefined, () => undefined)
}
