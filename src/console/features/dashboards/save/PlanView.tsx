import { type ReactNode, useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { paths } from '#console/paths/paths.ts'
import { alertNamesOn } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RequestCount } from '#console/records/record/ReviewDialog.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Side } from '#console/ui/form/conflict.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { ConflictTable } from '#console/ui/form/ConflictTable.tsx'
import type { Conflict } from '#domain/json/merge.ts'
import type { AlertAtRisk } from '../model/alertsAtRisk.ts'
import type { Loss } from '../model/roundTrip.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { ChangeList } from './ChangeList.tsx'
import { type SavePlan, saveRequests } from './plan.ts'
import { ValidationPart } from './ValidationPart.tsx'
import { formatPath, formatValue } from './formatChanges.ts'
import * as css from '../dashboards.module.css'

interface PlanViewProps {
  plan: SavePlan
  current: Dashboard
  choices: ReadonlyMap<string, Side>
  onChoose: (conflict: string, side: Side) => void
}

/** The review of a plan: conflicts, alerts, losses, fields, requests. */
export function PlanView({ plan, current, choices, onChoose }: PlanViewProps) {
  const changes = plan.changes.settings.length + plan.changes.tiles.length
  return (
    <>
      {plan.changedByOthers && (
        <Notice tone="info">
          Somebody else changed this dashboard while you were editing it. Both sets of changes are merged below.
          {plan.restored.length > 0 && ` Kept because they contain tiles: ${plan.restored.join(', ')}.`}
        </Notice>
      )}
      {plan.conflicts.length > 0 && (
        <Part title={`Conflicts (${plan.conflicts.length})`}>
          <ConflictList
            conflicts={plan.conflicts}
            choices={choices}
            onChoose={onChoose}
            dashboards={[plan.target, current]}
          />
        </Part>
      )}
      <AlertPart alerts={plan.alerts} dashboard={current} />
      <LossPart losses={plan.losses} />
      {plan.body && plan.undecided === 0 && <ValidationPart plan={plan} current={current} />}
      <Part title="Changes">
        {changes === 0 ? (
          <Text color="textSecondary">No changes: the stored dashboard already matches.</Text>
        ) : (
          <ChangeList changes={plan.changes} before={current} after={plan.target} />
        )}
      </Part>
      <RequestCount requests={saveRequests} />
      <Text color="textSecondary">
        Changes by other users of this console are always detected before saving; changes by other clients are detected
        only until the save starts.
      </Text>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Text variant="h3" component="h2" className={css.partTitle}>
        {title}
      </Text>
      {children}
    </section>
  )
}

const effects = {
  deleted: { tone: 'bad', word: 'deleted' },
  redefined: { tone: 'warn', word: 'query changes' },
  orphaned: { tone: 'neutral', word: 'already orphaned' },
} as const

function AlertPart({ alerts, dashboard }: { alerts: AlertAtRisk[] | null; dashboard: Dashboard }) {
  const { id: connectionId } = useConnection()
  if (alerts === null) {
    return (
      <Notice tone="warning">
        Could not load alerts. Saving deletes alerts on tiles that you removed or changed to another type.
      </Notice>
    )
  }
  if (alerts.length === 0) return null
  return (
    <Part title={`Alerts (${alerts.length})`}>
      {alerts.map(({ alert, effect, reason }) => (
        <div key={alert.id} className={css.alert}>
          <StatusChip tone={effects[effect].tone}>{effects[effect].word}</StatusChip>
          <TextLink to={paths.alert(connectionId, alert.id)} target="_blank">
            {alertNamesOn([dashboard], [alert])}
          </TextLink>
          <Text color="textSecondary">{reason}</Text>
        </div>
      ))}
    </Part>
  )
}

/** Notes beyond this many are folded away. */
const shownNotes = 3

function LossPart({ losses }: { losses: readonly Loss[] }) {
  const [all, setAll] = useState(false)
  if (losses.length === 0) return null
  const sorted = losses.toSorted((a, b) => (a.severity === b.severity ? 0 : a.severity === 'warning' ? -1 : 1))
  const shown = all ? sorted : sorted.slice(0, shownNotes)
  return (
    <Part title="API limitations">
      <div className={css.limitations}>
        {shown.map(({ severity, message }) => (
          <Notice key={message} tone={severity === 'warning' ? 'warning' : 'info'}>
            {message}
          </Notice>
        ))}
        {shown.length < sorted.length && (
          <Button onClick={() => setAll(true)} className={css.moreButton}>
            {sorted.length - shown.length} more
          </Button>
        )}
      </div>
    </Part>
  )
}

interface ConflictListProps {
  conflicts: readonly Conflict[]
  choices: ReadonlyMap<string, Side>
  onChoose: (conflict: string, side: Side) => void
  dashboards: Dashboard[]
}

/** Changes of both sides, side by side: one of the two must be chosen. */
function ConflictList({ conflicts, choices, onChoose, dashboards }: ConflictListProps) {
  const names = useSourceNames()
  const sideText = (value: unknown) => (value === undefined ? 'removed' : formatValue(value, names))
  return (
    <ConflictTable
      rows={conflicts.map(({ key, path, base, theirs, mine }) => ({
        key,
        title: formatPath(path, ...dashboards),
        original: formatValue(base, names),
        theirs: sideText(theirs),
        mine: sideText(mine),
      }))}
      sideOf={(conflict) => choices.get(conflict)}
      onChoose={onChoose}
    />
  )
}
