import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { versionQuery, versionsQuery } from '#console/api/gateway/history.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { kindLabel, recordName } from '#console/shell/recordKinds.tsx'
import { FieldChanges } from '#console/records/runs/PlanTable.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Change, RecordVersion } from '#contract/console/history.ts'
import { diff } from '#domain/json/diff.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { outcomeLabels, outcomeTones } from './historyLabels.ts'
import * as css from './history.module.css'

const SideBySide = lazyComponent(async () => (await import('./SideBySide.tsx')).SideBySide)

interface ChangeDetailProps {
  change: Change
  /** Restores a version of the record; undefined where its kind cannot be written. */
  onRestore: ((version: RecordVersion) => void) | undefined
}

type View = 'fields' | 'sides' | 'json'

/** The effect of a change: two versions of the record, field by field, side by side, or as JSON. */
export function ChangeDetail({ change, onRestore }: ChangeDetailProps) {
  const { id } = useConnection()
  const [view, setView] = useState<View>('fields')
  const versions = useQuery({
    ...versionsQuery(id, change.kind, change.recordId ?? ''),
    enabled: change.recordId !== null,
  })
  const [left, setLeft] = useState<string | undefined>()
  const all = versions.data ?? []
  const before = left ?? change.before
  const after = change.after
  const chosen = all.find(({ version }) => version === before)
  return (
    <Panel>
      <div className={css.changeDetailTitle}>
        <Text variant="h2" component="h2">
          {recordName(change.kind, change.name)}
        </Text>
        <StatusChip tone="neutral">{kindLabel(change.kind).one}</StatusChip>
        <Spacer />
        <ToggleButtons
          label="View"
          value={view}
          options={[
            { value: 'fields', label: 'Fields' },
            { value: 'sides', label: 'Side by side' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={setView}
        />
      </div>
      {all.length > 0 && before !== undefined && (
        <div className={css.versions}>
          <SelectInput
            label="Compare with"
            value={before}
            options={all.map((change) => ({ value: change.version, label: versionLabel(change) }))}
            onChange={setLeft}
          />
          {chosen && !chosen.isCurrent && onRestore && (
            <Button startIcon={<RotateCcw size={13} aria-hidden />} onClick={() => onRestore(chosen)}>
              Restore this version
            </Button>
          )}
        </div>
      )}
      {change.reason && <Text>{change.reason}</Text>}
      <Versions connectionId={id} before={before} after={after} view={view} />
      <Foot change={change} />
    </Panel>
  )
}

function versionLabel({ number, at, isCurrent }: RecordVersion): string {
  return `Version ${number}, ${formatMoment(at)}${isCurrent ? ' (current)' : ''}`
}

interface VersionsProps {
  connectionId: string
  before: string | undefined
  after: string | undefined
  view: View
}

function Versions({ connectionId, before, after, view }: VersionsProps) {
  const left = useQuery({ ...versionQuery(connectionId, before ?? ''), enabled: before !== undefined })
  const right = useQuery({ ...versionQuery(connectionId, after ?? ''), enabled: after !== undefined })
  const [earlier, later] = [left.data?.document, right.data?.document]
  const changes = useMemo(() => {
    if (!isPlainObject(earlier) && !isPlainObject(later)) return []
    return diff(earlier ?? {}, later ?? {}).filter(({ path }) => path[0] !== 'updatedAt')
  }, [earlier, later])
  const error = left.error ?? right.error
  if (error) return <QueryError error={error} onRetry={() => void Promise.all([left.refetch(), right.refetch()])} />
  if (left.isLoading || right.isLoading) return <LoadingPanels heights={[120]} />
  if (before === undefined && after === undefined) {
    return <Text color="textSecondary">What was stored before and after is not known.</Text>
  }
  switch (view) {
    case 'fields':
      if (after === undefined)
        return <Text color="textSecondary">The record was deleted. Its last version can be restored.</Text>
      if (changes.length === 0) return <Text color="textSecondary">Both versions are the same.</Text>
      return <FieldChanges changes={changes} documents={[earlier, later]} />
    case 'sides':
      return <SideBySide before={printed(earlier)} after={printed(later)} />
    case 'json':
      return <JsonView text={printed(later ?? earlier)} />
  }
}

function printed(document: unknown): string {
  return document === undefined ? '' : JSON.stringify(document, null, 2)
}

/** The request and its outcome. */
function Foot({ change }: { change: Change }) {
  const { outcome, request, status, duration, requestId } = change
  return (
    <div className={css.foot}>
      <StatusChip tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusChip>
      {request ? (
        <code>
          {request.method} {request.path}
        </code>
      ) : (
        'Detected outside this console.'
      )}
      {status !== undefined && <span>{status}</span>}
      {duration !== undefined && <span>{duration} ms</span>}
      {requestId && (
        <span>
          Request ID <code>{requestId}</code>
        </span>
      )}
    </div>
  )
}
