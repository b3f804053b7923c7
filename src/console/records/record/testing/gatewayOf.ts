/** A gateway with webhooks, in the place of `fetch`: it compares revisions as the real one does. */
import { baseRevisionHeader } from '#contract/wire/gatewayWire.ts'
import { webhook, type Webhook } from '#contract/stack/webhooks.ts'

/** The fault of the next write. */
type Fault = 'lost before' | 'lost after'

/** Starts with these webhooks. `written` are the requests that change something, in their order. */
export function gatewayOf(...webhooks: Webhook[]) {
  const stored = new Map(webhooks.map((entry) => [entry.id, entry]))
  const written: string[] = []
  let fault: Fault | undefined
  let dropped: string | undefined

  const write = (method: string, id: string, body: Record<string, unknown>) => {
    written.push(`${method} ${id}`.trim())
    if (method === 'DELETE') stored.delete(id)
    else stored.set(id, webhook.parse({ ...without(body, dropped), id, updatedAt: String(written.length) }))
    return reply(stored.get(id) ?? null)
  }
  const answer = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET' } = init
    const [, resource = '', given] = /\/stack\/(\w+)(?:\/(\w+))?$/.exec(String(input)) ?? []
    if (method === 'GET') return resource === 'webhooks' ? listed([...stored.values()]) : listed([])
    const id = given ?? `new-${written.length}`
    const now = stored.get(id)
    const base = new Headers(init.headers).get(baseRevisionHeader)
    if (given && !now) return refusal(404, { code: 'notFound', message: 'Webhook not found' })
    if (now && base !== null && base !== revisionOf(now)) {
      const current = { result: now, revision: revisionOf(now) }
      return refusal(409, { code: 'conflict', message: 'Somebody else changed it.', current })
    }
    const lost = fault
    fault = undefined
    if (lost === 'lost before') throw new TypeError('connection lost')
    const response = write(method, id, JSON.parse(String(init.body ?? '{}')))
    if (lost === 'lost after') throw new TypeError('connection lost')
    return response
  }
  return {
    answer,
    written,
    stored: (id: string) => stored.get(id),
    /** Somebody else saves. */
    change: (id: string, change: Partial<Webhook>) => {
      const before = stored.get(id)
      if (before) stored.set(id, { ...before, ...change, updatedAt: `${before.updatedAt}+` })
    },
    /** A field that is sent is not stored from now on. */
    drop: (field: string) => {
      dropped = field
    },
    /** The response to the next write is lost, before or after it was done. */
    lose: (next: Fault) => {
      fault = next
    },
  }
}

const without = (body: Record<string, unknown>, field = '') =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== field))
const revisionOf = (record: Webhook) => JSON.stringify(record)
const reply = (result: unknown) => Response.json({ result })
const listed = (records: Webhook[]) => Response.json({ result: records, revisions: records.map(revisionOf) })
const refusal = (status: number, error: object) => Response.json({ status, ...error }, { status })
