/** The audit log: its entries, and the routes that show, export and check it. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { auditPaths, auditQuery, type AuditPage, type AuditVerification } from '#contract/audit.ts'
import type { Database } from '../database/database.ts'
import { parsed } from '../http/requests.ts'
import { AuditLog } from './auditLog.ts'
import { AuditStore } from './auditStore.ts'

/** From now on, every action of the gateway is entered. Register it before the routes. */
export function openAudit(app: FastifyInstance, database: Database): AuditLog {
  const store = new AuditStore(database)
  const log = new AuditLog(store, app.log)
  log.register(app)
  app.get(auditPaths.entries, (request) => page(store, request.query))
  app.get(auditPaths.export, async (request, reply) => {
    const query = parsed(auditQuery, request.query, 'The query')
    await store.settled()
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit.jsonl"')
      .send(Readable.from(lines(store, query)))
  })
  // Whoever looks twice waits for the same check.
  let checking: Promise<AuditVerification> | undefined
  app.get(auditPaths.verification, () => (checking ??= store.verify().finally(() => (checking = undefined))))
  return log
}

async function page(store: AuditStore, given: unknown): Promise<AuditPage> {
  const query = parsed(auditQuery, given, 'The query')
  await store.settled()
  const entries = await store.list({ ...query, limit: query.limit + 1 })
  return {
    entries: entries.slice(0, query.limit),
    hasMore: entries.length > query.limit,
    areas: await store.areas(),
  }
}

async function* lines(store: AuditStore, query: ReturnType<typeof auditQuery.parse>): AsyncGenerator<string> {
  for await (const entry of store.entries(query)) yield `${JSON.stringify(entry)}\n`
}
