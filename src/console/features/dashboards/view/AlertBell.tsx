import { Bell, BellMinus, BellRing } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { paths } from '#console/paths/paths.ts'
import { lastRunFailed, neverEvaluated, problemsBeside } from '#console/references/alertStatus.ts'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import { counted } from '#domain/text/words.ts'
import { stateWord, worstState } from '../model/alertStates.ts'
import css from './alertLink.module.css'

/** How many alerts watch a tile and the worst of their states; leads to it. */
export function AlertBell({ alerts, tile }: { alerts: readonly Alert[]; tile: Tile }) {
  const { id: connectionId } = useConnection()
  const worst = worstState(alerts, [tile])
  const [first] = alerts
  if (!first) return null
  const problems = new Set(alerts.flatMap((alert) => problemsBeside(alert, tile)))
  const words = [`${counted(alerts.length, 'alert')}, ${stateWord(worst)}`, ...problems].join('. ')
  const firing = worst === 'ALERT'
  const doubtful = problems.size > 0 || worst === lastRunFailed || worst === neverEvaluated
  const Icon = firing ? BellRing : doubtful ? BellMinus : Bell
  return (
    <span {...hint(words)} className={css.alertLink}>
      <TextLink
        to={alerts.length === 1 ? paths.alert(connectionId, first.id) : paths.alerts(connectionId)}
        aria-label={words}
        className={css.link}
        style={{ color: firing ? 'var(--bad)' : doubtful ? 'var(--warn)' : 'var(--muted)' }}
      >
        <Icon size={14} aria-hidden />
      </TextLink>
    </span>
  )
}
