import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { deletedQuery } from '#console/api/gateway/history.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { historyResources } from '#contract/stack/recordKinds.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { capitalized } from '#domain/text/words.ts'
import { changeCauses, changeOutcomes } from '#contract/console/history.ts'
import { causeLabels, outcomeLabels } from './historyLabels.ts'
import type { HistoryState } from './historyState.ts'
import * as css from './history.module.css'

interface HistoryFiltersProps {
  state: HistoryState
  /** The authors of the listed changes. */
  actors: readonly string[]
  /** The name of the record whose changes alone are listed. */
  recordName: string | undefined
  onChange: (patch: Record<string, string | undefined>) => void
}

/** Which changes are listed, or the deleted records. */
export function HistoryFilters({ state, actors, recordName, onChange }: HistoryFiltersProps) {
  const connection = useConnection()
  return (
    <div className={css.historyFilters}>
      <ToggleButtons
        label="Show"
        value={state.view}
        options={[
          { value: 'changes', label: 'Changes' },
          { value: 'deleted', label: <DeletedLabel connectionId={connection.id} /> },
        ]}
        onChange={(view) => onChange({ view: view === 'changes' ? undefined : view })}
      />
      <Spacer />
      {state.view === 'changes' && <Choices state={state} actors={actors} onChange={onChange} />}
      {state.from !== undefined && state.to !== undefined && (
        <Button startIcon={<X size={13} aria-hidden />} onClick={() => onChange({ from: undefined, to: undefined })}>
          {formatMoment(state.from)} to {formatMoment(state.to)}
        </Button>
      )}
      {state.record !== undefined && (
        <Button
          startIcon={<X size={13} aria-hidden />}
          onClick={() => onChange({ record: undefined, kind: undefined })}
        >
          Only {recordName || 'one record'}
        </Button>
      )}
    </div>
  )
}

function DeletedLabel({ connectionId }: { connectionId: string }) {
  const { data } = useQuery(deletedQuery(connectionId))
  return <>Deleted{data && data.length > 0 ? ` ${data.length}` : ''}</>
}

function Choices({ state, actors, onChange }: Omit<HistoryFiltersProps, 'recordName'>) {
  const who = [
    { value: '', label: 'Anyone' },
    ...changeCauses.map((cause) => ({ value: `cause:${cause}`, label: capitalized(causeLabels[cause]) })),
    ...actors.map((actor) => ({ value: `actor:${actor}`, label: formatBrowser(actor) })),
  ]
  const chosen =
    state.actor !== undefined ? `actor:${state.actor}` : state.cause !== undefined ? `cause:${state.cause}` : ''
  return (
    <>
      <SelectInput
        label="By"
        value={chosen}
        options={who}
        shown={who.find(({ value }) => value === chosen)?.label ?? chosen}
        onChange={(value) => {
          const [what, ...rest] = value.split(':')
          const text = rest.join(':')
          onChange({ actor: what === 'actor' ? text : undefined, cause: what === 'cause' ? text : undefined })
        }}
      />
      <SelectInput
        label="Kind"
        value={state.kind ?? ''}
        shown={state.kind === undefined ? 'All kinds' : kindLabel(state.kind).many}
        options={[
          { value: '', label: 'All kinds' },
          ...historyResources.map((kind) => ({ value: kind, label: kindLabel(kind).many })),
        ]}
        onChange={(kind) => onChange({ kind: kind || undefined, record: undefined })}
      />
      <SelectInput
        label="Outcome"
        value={state.outcome ?? ''}
        shown={state.outcome === undefined ? 'Any outcome' : capitalized(outcomeLabels[state.outcome])}
        options={[
          { value: '', label: 'Any outcome' },
          ...changeOutcomes.map((outcome) => ({ value: outcome, label: capitalized(outcomeLabels[outcome]) })),
        ]}
        onChange={(outcome) => onChange({ outcome: outcome || undefined })}
      />
    </>
  )
}
