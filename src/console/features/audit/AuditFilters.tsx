import { useFrameConnection } from '#console/shell/connection.tsx'
import { capitalized } from '#domain/text/words.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { auditOutcomes } from '#contract/console/audit.ts'
import { areaLabel, outcomeLabels } from '#console/records/audit/auditLabels.ts'
import { periods, type AuditState } from './auditState.ts'

interface AuditFiltersProps {
  state: AuditState
  /** The areas that there are entries of. */
  areas: readonly string[]
  onChange: (patch: Record<string, string | undefined>) => void
}

const periodLabels: Record<(typeof periods)[number], string> = {
  today: 'Today',
  week: 'Last 7 days',
  month: 'Last 30 days',
  all: 'Any time',
}

/** Which entries are listed. */
export function AuditFilters({ state, areas, onChange }: AuditFiltersProps) {
  const { connections } = useFrameConnection()
  const nameOf = (id: string) => connections.find((connection) => connection.id === id)?.name ?? 'A deleted connection'
  return (
    <>
      <SearchInput label="Who or what" value={state.q ?? ''} onChange={(q) => onChange({ q })} />
      <SelectInput
        label="Event"
        hiddenLabel
        value={state.area ?? ''}
        shown={state.area === undefined ? 'All events' : areaLabel(state.area)}
        options={[
          { value: '', label: 'All events' },
          ...areas.map((area) => ({ value: area, label: areaLabel(area) })),
        ]}
        onChange={(area) => onChange({ area })}
      />
      <SelectInput
        label="Connection"
        hiddenLabel
        value={state.connection ?? ''}
        shown={state.connection === undefined ? 'All connections' : nameOf(state.connection)}
        options={[
          { value: '', label: 'All connections' },
          ...connections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(connection) => onChange({ connection })}
      />
      <SelectInput
        label="Outcome"
        hiddenLabel
        value={state.outcome ?? ''}
        shown={state.outcome === undefined ? 'Any outcome' : capitalized(outcomeLabels[state.outcome])}
        options={[
          { value: '', label: 'Any outcome' },
          ...auditOutcomes.map((outcome) => ({ value: outcome, label: capitalized(outcomeLabels[outcome]) })),
        ]}
        onChange={(outcome) => onChange({ outcome })}
      />
      <SelectInput
        label="Approval"
        hiddenLabel
        value={state.mark ?? ''}
        options={[
          { value: '', label: 'With and without break-glass' },
          { value: 'break-glass', label: 'Break-glass' },
        ]}
        onChange={(mark) => onChange({ mark })}
      />
      <SelectInput
        label="Time"
        hiddenLabel
        value={state.period}
        options={periods.map((period) => ({ value: period, label: periodLabels[period] }))}
        onChange={(period) => onChange({ period })}
      />
    </>
  )
}
