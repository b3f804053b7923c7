/** The audit log: its entries, and the routes that show, export and check it. */
import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { auditPaths, auditQuery, type AuditPage, type AuditVerification } from '#contract/console/audit.ts'
import type { Database } from '../database/database.ts'
import { parsed } from '../http/requests.ts'
import { AuditLog } from './auditLog.ts'
import { AuditStore } from './auditStore.ts'

export interface OpenAudit {
  store: AuditStore
  log: AuditLog
}

export function openAudit(database: Database, logger: FastifyBaseLogger): OpenAudit {
  const store = new AuditStore(database)
  return { store, log: new AuditLog(store, logger) }
}

/** Enters what requests do, and registers the routes. Call it before other routes are registered. */
export function registerAudit(app: FastifyInstance, { store, log }: OpenAudit): void {
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
  // A second request waits for the same check.
  let checking: Promise<AuditVerification> | undefined
  app.get(auditPaths.verification, () => (checking ??= store.verify().finally(() => (checking = undefined))))
}

async function page(store: AuditStore, input: unknown): Promise<AuditPage> {
  const query = parsed(auditQuery, input, 'The query')
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
