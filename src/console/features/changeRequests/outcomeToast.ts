import type { Toast } from '#console/shell/messages/toasts.tsx'
import { counted } from '#domain/text/words.ts'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'

/** The outcome of a request that was approved, and why it failed if it did. */
export function outcomeToast(request: ChangeRequestDetail): Toast {
  const { number, state, outcomes, approved } = request
  const name = `Change request ${number}`
  if (state === 'carriedOut') return { tone: 'ok', text: `${name} applied` }
  if (state === 'waiting') return { tone: 'bad', text: `${name} was not applied. It waits for approval again.` }
  const failed = outcomes.find((outcome) => outcome.state === 'failed')
  const unknown = outcomes.find((outcome) => outcome.state === 'unknown')
  const first = failed ?? unknown ?? outcomes.find((outcome) => outcome.state !== 'done')
  const done = outcomes.filter((outcome) => outcome.state === 'done').length
  const parts = [
    `${name} ${failed || !unknown ? 'failed' : 'may have failed'}: ${done} of ${counted(outcomes.length, 'change')} done.`,
  ]
  if (first?.reason !== undefined) {
    const record = approved?.changes.find(({ key }) => key === first.key)?.name
    parts.push(record === undefined ? first.reason : `${record}: ${first.reason}`)
  }
  return { tone: failed || !unknown ? 'bad' : 'unknown', text: parts.join(' ') }
}
