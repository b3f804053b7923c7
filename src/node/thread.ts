/** Threads for tasks that may take too long or fill the memory. What goes wrong in them does not concern the process. */
import { Worker, type ResourceLimits } from 'node:worker_threads'

/** How a task is done. */
interface Asking<Message, Result> {
  /** Milliseconds that each message may take. */
  deadline: number
  /** Milliseconds that the whole task may take. Default: any number. */
  total?: number
  /** Called with each message. The task ends with the first result. */
  take: (message: Message) => Result | undefined
}

/** Why there is no result: a message or all of it took too long, there was not enough memory, or the thread just ended. */
export type ThreadFault = 'late' | 'lateInTotal' | 'memory' | 'ended'

type Outcome<Result> = { result: Result } | { fault: ThreadFault }

/**
 * A thread that is started with its first task. After a fault the next task gets another one. One task at a time.
 * Its program says anything once it is ready, and gets each task as a message.
 */
export class Thread<Task, Message> {
  private worker: Promise<Worker> | null = null

  /**
   * @param name of the program without its extension
   * @param beside URL of the module that it lies beside, in the bundle (`src/server/bundle.js`) as in the sources
   */
  constructor(
    private readonly name: string,
    private readonly beside: string,
    private readonly resourceLimits: ResourceLimits,
  ) {}

  /** @throws the error that keeps the thread from starting */
  async ask<Result>(task: Task, asking: Asking<Message, Result>): Promise<Outcome<Result>> {
    this.worker ??= this.start()
    const worker = await this.worker.catch((error: unknown) => {
      this.worker = null
      throw error
    })
    const outcome = await outcomeOf(worker, task, asking)
    if ('fault' in outcome) await this.end()
    return outcome
  }

  /** Ends the thread, and with it a task under way. The next task starts another one. */
  async end(): Promise<void> {
    const ending = this.worker
    this.worker = null
    await (await ending?.catch(() => undefined))?.terminate()
  }

  private start(): Promise<Worker> {
    const isBundled = this.beside.endsWith('.js')
    const file = isBundled ? new URL(`${this.name}.js`, this.beside) : new URL('sourceThread.mjs', import.meta.url)
    const workerData = isBundled ? undefined : new URL(`${this.name}.ts`, this.beside).href
    const started = new Promise<Worker>((resolve, reject) => {
      const worker = new Worker(file, { execArgv: [], resourceLimits: this.resourceLimits, env: {}, workerData })
      worker.unref()
      worker.once('message', () => {
        worker.removeListener('error', reject)
        // An error between two tasks must not end the process.
        worker.on('error', () => undefined)
        resolve(worker)
      })
      worker.once('error', reject)
      worker.once('exit', () => {
        if (this.worker === started) this.worker = null
      })
    })
    return started
  }
}

function outcomeOf<Task, Message, Result>(
  worker: Worker,
  task: Task,
  { deadline, total, take }: Asking<Message, Result>,
): Promise<Outcome<Result>> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome<Result>) => {
      clearTimeout(timer)
      clearTimeout(totalTimer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      resolve(outcome)
    }
    const onMessage = (message: Message) => {
      timer.refresh()
      const result = take(message)
      if (result !== undefined) end({ result })
    }
    const onError = (error: Error & { code?: string }) =>
      end({ fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended' })
    const onExit = () => end({ fault: 'ended' })
    const timer = setTimeout(() => end({ fault: 'late' }), deadline)
    const totalTimer = total === undefined ? undefined : setTimeout(() => end({ fault: 'lateInTotal' }), total)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(task)
  })
}
