/** The state of the audit log page in its address. */
import { z } from 'zod'
import { auditMarks, auditOutcomes } from '#contract/console/audit.ts'
import type { AuditFilter } from '#console/api/gateway/audit.ts'

const text = z.string().optional().catch(undefined)

export const periods = ['today', 'week', 'month', 'all'] as const

export const auditState = z.object({
  q: text,
  area: text,
  connection: text,
  outcome: z.enum(auditOutcomes).optional().catch(undefined),
  mark: z.enum(auditMarks).optional().catch(undefined),
  period: z.enum(periods).catch('all'),
  /** The entry that is open. */
  entry: z.coerce.number().int().positive().optional().catch(undefined),
})
export type AuditState = z.output<typeof auditState>

const days = { today: 0, week: 7, month: 30 }

/** @param now epoch milliseconds */
export function filterOf({ q, area, connection, outcome, mark, period }: AuditState, now: number): AuditFilter {
  return {
    text: q,
    area,
    connectionId: connection,
    outcome,
    mark,
    ...(period !== 'all' && { from: midnight(now, days[period]) }),
  }
}

/** The start of the day, some days ago, in the time zone of the browser. */
function midnight(now: number, daysAgo: number): string {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysAgo)
  return day.toISOString()
}
