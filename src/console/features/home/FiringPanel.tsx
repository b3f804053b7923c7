import { BellRing } from 'lucide-react'
import { paths } from '#console/paths/paths.ts'
import { useAlertName } from '#console/usages/alertNames.ts'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { firingAlerts, type FiringAlert } from './firing.ts'
import { ConnectionSuffix } from './ConnectionSuffix.tsx'
import type { HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

/** Alerts of a connection that are listed; the others are counted. */
const shownOfEach = 5
/** Alerts after which no further connection is listed: the table above has a count for each. */
const maxShown = 60

/** The alerts that fire on all connections. */
export function FiringPanel({ environments }: { environments: readonly HomeEnvironment[] }) {
  const firing = firingAlerts(environments)
  const { groups, others } = groupsOf(firing)
  const unknown = environments.filter((environment) => environment.firingUnknown !== undefined)
  return (
    <Panel
      title="Firing alerts"
      flush
      aside={<StatusChip tone={firing.length > 0 ? 'bad' : 'neutral'}>{firing.length}</StatusChip>}
    >
      <ul className={css.items} aria-label="Firing alerts">
        {groups.flatMap((own) => {
          const [connection] = own[0].connections
          return [
            ...own
              .slice(0, shownOfEach)
              .map((firingAlert) => <FiringItem key={`${connection.id}/${firingAlert.alert.id}`} {...firingAlert} />),
            ...(own.length > shownOfEach
              ? [
                  <li key={connection.id} className={css.item}>
                    <TextLink to={paths.alerts(connection.id)}>
                      {counted(own.length - shownOfEach, 'more alert')} on {visibleText(connection.name)}
                    </TextLink>
                  </li>,
                ]
              : []),
          ]
        })}
        {others.length > 0 && (
          <li className={css.item}>
            {counted(others.flat().length, 'more alert')} on {counted(others.length, 'other connection')}
          </li>
        )}
      </ul>
      {firing.length === 0 && (
        <PanelText>
          {unknown.length > 0 ? 'None known. Some environments could not be read.' : 'Nothing fires.'}
        </PanelText>
      )}
      {unknown.length > 0 && (
        <PanelText>
          What fires on {unknown.map(({ connection }) => visibleText(connection.name)).join(', ')} is not known.
        </PanelText>
      )}
    </Panel>
  )
}

type Group = [FiringAlert, ...FiringAlert[]]

/** The alerts by the first connection that shows them: as many groups as are listed, and the others. */
function groupsOf(firing: readonly FiringAlert[]): { groups: Group[]; others: Group[] } {
  const byConnection = new Map<string, Group>()
  for (const firingAlert of firing) {
    const { id } = firingAlert.connections[0]
    const known = byConnection.get(id)
    if (known) known.push(firingAlert)
    else byConnection.set(id, [firingAlert])
  }
  const all = [...byConnection.values()]
  let shown = 0
  const end = all.findIndex((own) => (shown += Math.min(own.length, shownOfEach)) > maxShown)
  return end < 0 ? { groups: all, others: [] } : { groups: all.slice(0, end), others: all.slice(end) }
}

/** An alert with the connections that show it; its page is that of the first one. */
function FiringItem({ alert, connections }: FiringAlert) {
  const [connection] = connections
  const name = visibleText(useAlertName(connection, alert))
  const page = paths.alert(connection.id, alert.id)
  return (
    <li className={css.item}>
      <BellRing size={15} aria-hidden className={css.bad} />
      <span className={css.itemText}>
        <TextLink to={page} row>
          {name}
        </TextLink>
        {connections.map((connection) => (
          <ConnectionSuffix key={connection.id} connection={connection} />
        ))}
      </span>
      {alert.acknowledged && (
        <StatusChip tone="neutral">
          acknowledged{alert.acknowledged.by && ` by ${visibleText(alert.acknowledged.by)}`}
        </StatusChip>
      )}
      {alert.silenced && <StatusChip tone="neutral">silenced</StatusChip>}
      <LinkButton to={page} aria-label={`View alert ${name}`}>
        View alert
      </LinkButton>
    </li>
  )
}
