/**
 * Injects faults for tests of clients: with FAULTS=1 the rules of `DATA_DIR/faults.json` are applied before a request
 * is handled. The file is read again whenever it changes.
 */
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

const rule = z.object({
  /** Method and the beginning of the path, `*` for anything: `PUT /api/v2/alerts`, `* /v1/organizations/…/alerts`. */
  match: z.string().regex(/^(\*|[A-Z]+) \//),
  /** Only requests with this personal access key or this ID of an API key: one client of several that share the stack. */
  key: z.string().optional(),
  status: z.int().min(200).max(599).optional(),
  /** Text is sent unchanged, anything else as JSON. */
  body: z.unknown().optional(),
  contentType: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Keeps the request until the file changes, and then answers with the rest of the rule. */
  hold: z.boolean().optional(),
  /** Closes the connection before or after the handler runs. */
  reset: z.enum(['before', 'after']).optional(),
  /** How many requests the rule applies to. Default: all. */
  times: z.int().min(1).optional(),
})
const rules = z.array(rule)
type Rule = z.output<typeof rule>

/** How often the file is looked at for requests that are held. */
const heldCheckMs = 20

interface ArmedRule extends Rule {
  pattern: RegExp
  left: number
}

/** Hooks into every request of the instance. */
export function injectFaults(app: FastifyInstance, file: string): void {
  const read = watchedRules(file)
  const cut = new WeakSet<FastifyRequest>()

  app.addHook('onRequest', async (request, reply) => {
    const fault = (await read()).find(
      ({ pattern, key, left }) =>
        left > 0 &&
        pattern.test(`${request.method} ${request.url}`) &&
        (key === undefined || key === keyOf(request.headers.authorization)),
    )
    if (!fault) return undefined
    fault.left--
    while (fault.hold && !request.socket.destroyed && (await read()).includes(fault)) await delay(heldCheckMs)
    if (fault.reset === 'after') cut.add(request)
    if (fault.reset === 'before') return hangUp(reply)
    return fault.status === undefined ? undefined : sendFault(reply, fault, fault.status)
  })

  app.addHook('onSend', async (request, reply, payload) => (cut.has(request) ? hangUp(reply) : payload))
}

/** The personal access key, or the ID of the API key, that a request has. */
function keyOf(authorization = ''): string | undefined {
  const [scheme, value = ''] = authorization.split(' ')
  return scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value
}

function sendFault(reply: FastifyReply, fault: Rule, status: number): FastifyReply {
  const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? { message: 'injected fault' })
  const type = fault.contentType ?? (typeof fault.body === 'string' ? 'text/plain' : 'application/json')
  return reply
    .code(status)
    .type(type)
    .headers(fault.headers ?? {})
    .send(text)
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** The current rules of the file; none without a file. Their counts restart when the file changes. */
function watchedRules(file: string): () => Promise<ArmedRule[]> {
  let version = ''
  // A promise, so that requests wait for rules that are being read instead of using the previous ones.
  let armed: Promise<ArmedRule[]> = Promise.resolve([])
  // One look after the other: an older one that is answered later would restart the counts.
  let last: Promise<unknown> = Promise.resolve()
  const look = async () => {
    const found = await stat(file, { bigint: true }).catch(() => undefined)
    const current = found ? `${found.ino} ${found.mtimeNs} ${found.size}` : ''
    if (current !== version) {
      version = current
      armed = found ? readRules(file) : Promise.resolve([])
    }
    return armed
  }
  return () => {
    const looked = last.then(look, look)
    last = looked
    return looked
  }
}

async function readRules(file: string): Promise<ArmedRule[]> {
  return rules.parse(JSON.parse(await readFile(file, 'utf8'))).map(arm)
}

function arm(rule: Rule): ArmedRule {
  const pattern = rule.match.split('*').map(escapePattern).join('.*')
  return { ...rule, pattern: new RegExp(`^${pattern}`), left: rule.times ?? Infinity }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
