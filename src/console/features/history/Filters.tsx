import { kindLabel } from '#console/shell/recordKinds.tsx'
import { historyResources } from '#contract/stack/recordKinds.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { capitalized } from '#domain/text/words.ts'
import { changeCauses, changeOutcomes } from '#contract/console/history.ts'
import { causeLabels, outcomeLabels } from './historyLabels.ts'
import type { HistoryState } from './historyState.ts'

interface FiltersProps {
  state: HistoryState
  actors: readonly string[]
  onChange: (patch: Record<string, string | undefined>) => void
}

/** Which changes are listed. */
export function Filters({ state, actors, onChange }: FiltersProps) {
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
