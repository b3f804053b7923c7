/** The sentence that tells who acknowledged a firing alert. */
import type { Alert } from '#contract/stack/alerts.ts'
import { visibleText, visibleSentence } from '#domain/text/visibleText.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'

/** "Ada acknowledged it at 08:30: looking into the deployment."; null if nobody did. */
export function formatAcknowledgement({ acknowledged }: Pick<Alert, 'acknowledged'>): string | null {
  if (!acknowledged) return null
  const { at, by, note } = acknowledged
  const when = at === undefined ? '' : ` at ${formatRecent(at, Date.now())}`
  const what = by ? `${visibleText(by)} acknowledged it${when}` : `It was acknowledged${when}`
  return note ? `${what}: ${visibleSentence(note)}${/[.!?]$/.test(note) ? '' : '.'}` : `${what}.`
}
