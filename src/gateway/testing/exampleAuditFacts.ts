import type { AuditFacts } from '#contract/console/audit.ts'

/** The facts of an entry of the audit log. */
export const exampleAuditFacts: AuditFacts = {
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  actor: 'a',
  address: null,
  event: 'alerts.update',
  connectionId: null,
  subject: null,
  outcome: 'done',
  status: 200,
  reason: null,
  request: 'r',
  begun: null,
  changes: [],
  previous: '0',
}
