import { BellRing } from 'lucide-react'
import { paths } from '#console/paths/paths.ts'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { OnConnection } from './OnConnection.tsx'
import type { HomeEnvironment } from './useHome.ts'
import css from './Home.module.css'

/** Alerts of a connection that are listed; the others are counted. */
const shownOfEach = 5

/** The alerts that fire on all connections. */
export function FiringPanel({ environments }: { environments: readonly HomeEnvironment[] }) {
  const firing = environments.flatMap((environment) => environment.firing ?? [])
  const unknown = environments.filter((one) => one.firingUnknown !== undefined)
  return (
    <Panel
      title="Firing alerts"
      flush
      aside={<StatusChip tone={firing.length > 0 ? 'bad' : 'neutral'}>{firing.length}</StatusChip>}
    >
      <ul className={css.items} aria-label="Firing alerts">
        {environments.flatMap(({ connection, firing: own = [] }) => [
          ...own.slice(0, shownOfEach).map((alert) => (
            <li key={`${connection.id}/${alert.id}`} className={css.item}>
              <BellRing size={15} aria-hidden className={css.bad} />
              <span className={css.itemText}>
                <TextLink to={paths.alert(connection.id, alert.id)} row>
                  {visibleText(alert.name || 'Unnamed alert')}
                </TextLink>
                <OnConnection connection={connection} />
              </span>
              {alert.acknowledged && (
                <StatusChip tone="neutral">
                  acknowledged{alert.acknowledged.by && ` by ${visibleText(alert.acknowledged.by)}`}
                </StatusChip>
              )}
              {alert.silenced && <StatusChip tone="neutral">silenced</StatusChip>}
              <LinkButton
                to={paths.alert(connection.id, alert.id)}
                aria-label={`View alert ${visibleText(alert.name || 'Unnamed alert')}`}
              >
                View alert
              </LinkButton>
            </li>
          )),
          ...(own.length > shownOfEach
            ? [
                <li key={connection.id} className={css.item}>
                  <TextLink to={paths.alerts(connection.id)}>
                    {counted(own.length - shownOfEach, 'more alert')} on {visibleText(connection.name)}
                  </TextLink>
                </li>,
              ]
            : []),
        ])}
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
