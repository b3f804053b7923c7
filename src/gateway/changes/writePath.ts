/** The way of a change to a deployment, whoever makes it: a page, a run, an approved request, or work in the background. */
import { defaultRetries, Deployments, type Retries } from '#node/upstream/deployments.ts'
import type { Budgets } from '#node/upstream/budgets.ts'
import type { Upstream } from '#node/upstream/upstream.ts'
import type { OpenApprovals } from '../approvals/openApprovals.ts'
import type { Consoles } from '../cluster/openConsoles.ts'
import type { OpenJournal } from '../history/openHistory.ts'

interface WritePathDependencies {
  upstream: Upstream
  budgets: Budgets
  retries: Retries | undefined
  approvals: OpenApprovals
  journal: OpenJournal
  consoles: Consoles
}

/**
 * After the lock and the comparison of its record, every write passes, in this order:
 * 1. Approval: a write of a protected deployment that nobody approved is refused.
 * 2. Journal: the write is stored before it is sent, so that a kill leaves an entry whose outcome the next start finds out.
 * 3. Rate limit: the write waits for its turn.
 * 4. Presence: a console that was taken for ended while the write waited sends nothing any more.
 * 5. The request, sent once. If its response is lost, the record is read to find out what became of it.
 * 6. Journal and audit log: the outcome is stored, and told to the audit log.
 */
export function openWritePath({
  upstream,
  budgets,
  retries,
  approvals,
  journal,
  consoles,
}: WritePathDependencies): Deployments {
  return new Deployments(upstream, budgets, retries ?? defaultRetries, {
    guard: (target, operation) => approvals.twoPersonApproval.check(target, operation),
    journal: journal.history,
    refuseLate: () => consoles.presence.refuseIfReplaced(),
    counts: consoles.writeCounts,
  })
}
