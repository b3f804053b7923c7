import { alertName, useNames } from '#console/references/alertNames.ts'
import type { SourceUsers } from '#console/references/usage.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import css from './SourceUseLinks.module.css'

interface SourceUseLinksProps {
  users: SourceUsers
  /** For links inside a question, which stays open. */
  newTab: boolean
}

/** Links to everything that uses a source: dashboards with their tiles and filters, alerts on them, other sources. */
export function SourceUseLinks({ users, newTab }: SourceUseLinksProps) {
  const connection = useConnection()
  const names = useNames(connection)
  const opens = newTab ? { target: '_blank' } : {}
  const boards = new Map(users.uses.map(({ dashboard }) => [dashboard.id, dashboard]))
  return (
    <ul className={css.sourceUseLinks}>
      {[...boards.values()].map((dashboard) => (
        <li key={dashboard.id}>
          Dashboard{' '}
          <TextLink to={paths.dashboard(connection.id, dashboard.id)} underline="always" {...opens}>
            {dashboard.name}
          </TextLink>
          <span className={css.places}>
            :{' '}
            {users.uses
              .filter((use) => use.dashboard === dashboard)
              .map((use) => use.place)
              .join(', ')}
          </span>
        </li>
      ))}
      {users.alerts.map((alert) => (
        <li key={alert.id}>
          Alert{' '}
          <TextLink to={paths.alert(connection.id, alert.id)} underline="always" {...opens}>
            {alertName(alert, names)}
          </TextLink>
        </li>
      ))}
      {users.sources.map((source) => (
        <li key={source.id}>
          Source{' '}
          <TextLink to={paths.source(connection.id, source.id)} underline="always" {...opens}>
            {source.name}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
