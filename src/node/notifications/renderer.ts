/**
 * Renders notifications in a thread, because a template may loop for a long time or fill the memory. A thread that takes too
 * long is replaced.
 */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'

export interface Renderer {
  /** Notifications are rendered one after another. The body of the result is null if a template is at fault. */
  render(input: NotificationInput): Promise<Notification>
  close(): Promise<void>
}

/** Too many notifications wait already. */
export class RendererBusy extends Error {
  override name = 'RendererBusy'

  constructor() {
    super('Too many templates are being rendered. Try again later.')
  }
}

interface RendererOptions {
  /** Milliseconds that one notification may take. Default 2 s. */
  deadline?: number
  /** Notifications that may wait for others. More are refused with `RendererBusy`. Default: any number. */
  maxWaiting?: number
}

/** Memory of the thread. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
/** Milliseconds for which templates that took too long are not tried again. */
const quarantine = 60_000
const maxQuarantined = 1000

export function createRenderer({ deadline = 2000, maxWaiting = Infinity }: RendererOptions = {}): Renderer {
  let thread: Promise<Worker> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false
  const quarantined = new Map<string, number>()

  async function renderOnce(input: NotificationInput): Promise<Notification | null> {
    const key = templatesKey(input)
    if ((quarantined.get(key) ?? 0) > Date.now()) return null
    if (isClosed) throw new Error('The renderer is closed.')
    thread ??= startThread()
    const worker = await thread.catch((error: unknown) => {
      thread = null
      throw error
    })
    const result = await answerOf(worker, input, deadline)
    if (result) return result
    thread = null
    await worker.terminate()
    if (quarantined.size >= maxQuarantined) quarantined.clear()
    quarantined.set(key, Date.now() + quarantine)
    return null
  }

  async function renderSafely(input: NotificationInput): Promise<Notification> {
    const result = await renderOnce(input)
    if (result) return result
    // Name and message have default texts. A body has none that its receiver is sure to understand.
    const problem = `A template takes too long or too much memory: at most ${deadline / 1000} s.`
    const alert = { ...input.alert, name: null, message: problem }
    const plain = await renderOnce({ ...input, alert })
    const body = plain ?? (await renderOnce({ ...input, alert, body: null }))
    if (!body) throw new Error('The default notification cannot be rendered.')
    return { ...body, payload: plain ? body.payload : null, problems: [problem, ...body.problems] }
  }

  return {
    async render(input) {
      if (waiting >= maxWaiting) throw new RendererBusy()
      waiting++
      const result = last.then(() => renderSafely(input)).finally(() => waiting--)
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      isClosed = true
      await last
      await (await thread?.catch(() => undefined))?.terminate()
    },
  }
}

/** Beside this file, in the bundle (`src/server/bundle.js`) as in the sources. */
const workerFile = new URL(import.meta.url.endsWith('.js') ? 'renderWorker.js' : 'renderWorker.mjs', import.meta.url)

function startThread(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { execArgv: [], resourceLimits, env: {} })
    worker.unref()
    worker.once('message', () => {
      worker.removeListener('error', reject)
      resolve(worker)
    })
    worker.once('error', reject)
  })
}

/** The result; null if the thread takes too long or fails. */
function answerOf(worker: Worker, input: NotificationInput, deadline: number): Promise<Notification | null> {
  return new Promise((resolve) => {
    const end = (result: Notification | null) => {
      clearTimeout(timer)
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      // An error that comes after the result must not end the process.
      worker.on('error', () => undefined)
      resolve(result)
    }
    const timer = setTimeout(end, deadline, null)
    worker.once('message', end)
    worker.once('error', () => end(null))
    worker.once('exit', () => end(null))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(input)
  })
}

function templatesKey({ alert, service, body }: NotificationInput): string {
  return createHash('sha1')
    .update(JSON.stringify([alert.name, alert.message, service, body]))
    .digest('hex')
}
