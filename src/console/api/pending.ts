/** Pending requests of this page. While one takes long, the gateway is polled for the state of the rate limit. */
import { clearWaiting, fetchRateLimit } from './rateLimit.ts'

/** Milliseconds after which a response is late. */
const late = 800
/** Milliseconds between two reads of the rate limit. */
const pollInterval = 1000

interface Pending {
  count: number
  timer: ReturnType<typeof setTimeout> | undefined
}

const pending = new Map<string, Pending>()

/** Runs a request and polls the rate limit while there is no response. */
export async function trackPending<T>(connectionId: string, request: () => Promise<T>): Promise<T> {
  const own = pending.get(connectionId) ?? { count: 0, timer: undefined }
  pending.set(connectionId, own)
  own.count += 1
  own.timer ??= setTimeout(() => void poll(connectionId, own), late)
  try {
    return await request()
  } finally {
    own.count -= 1
    if (own.count === 0) {
      clearTimeout(own.timer)
      own.timer = undefined
      clearWaiting(connectionId)
    }
  }
}

async function poll(connectionId: string, own: Pending): Promise<void> {
  await fetchRateLimit(connectionId)
  if (own.count > 0) own.timer = setTimeout(() => void poll(connectionId, own), pollInterval)
  else clearWaiting(connectionId)
}
