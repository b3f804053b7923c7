/** Renders notifications in another process, because a template may loop for a long time or fill the memory. */
import { createHash } from 'node:crypto'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import { TaskQueue } from '../concurrency/concurrencyLimits.ts'
import { WorkerProcess } from '../process/workerProcess.ts'

export interface Renderer {
  /** Notifications are rendered one after another. The body of the result is null if a template is at fault. */
  render(input: NotificationInput): Promise<Notification>
  /** Starts the process that renders, which takes longer than rendering. */
  prepare(): Promise<void>
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

const program = { name: 'renderWorker', beside: import.meta.url, memory: 64, idleTime: 60_000 }
/** Milliseconds for which templates that took too long are not tried again. */
const quarantine = 60_000
const maxQuarantined = 1000

export function createRenderer({ deadline = 2000, maxWaiting = Infinity }: RendererOptions = {}): Renderer {
  const worker = new WorkerProcess<NotificationInput, Notification>(program)
  const queue = new TaskQueue(maxWaiting, () => new RendererBusy())
  let isClosed = false
  /** Until when, by `performance.now()`. */
  const quarantined = new Map<string, number>()

  async function renderOnce(input: NotificationInput): Promise<Notification | null> {
    const key = templatesKey(input)
    if ((quarantined.get(key) ?? 0) > performance.now()) return null
    if (isClosed) throw new Error('The renderer is closed.')
    const outcome = await worker.ask(input, { deadline, take: (notification) => notification })
    if ('result' in outcome) return outcome.result
    if (quarantined.size >= maxQuarantined) quarantined.clear()
    quarantined.set(key, performance.now() + quarantine)
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
    render: (input) => queue.run(() => renderSafely(input)),
    prepare: () => (isClosed ? Promise.resolve() : worker.prepare()),
    async close() {
      isClosed = true
      await queue.ended()
      await worker.end()
    },
  }
}

function templatesKey({ alert, service, body }: NotificationInput): string {
  return createHash('sha1')
    .update(JSON.stringify([alert.name, alert.message, service, body]))
    .digest('hex')
}
