import { useCallback } from 'react'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { useDebouncedText } from '#console/ui/table/useDebouncedText.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { listedKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { EnvironmentsState } from './environmentsState.ts'
import type { Counts } from './matrixRows.ts'
import * as css from './environments.module.css'

interface ToolbarProps {
  state: EnvironmentsState
  baseline: string
  connections: readonly Connection[]
  /** Counts of the rows that are shown; null while a connection is still being compared. */
  counts: Counts | null
  onChange: (change: Partial<Record<'q' | 'kind' | 'baseline' | 'all' | 'row' | 'on', string | undefined>>) => void
}

const everything = 'all'

/** The choices of the matrix: by name or field, by kind, against which baseline, and only what differs. */
export function Toolbar({ state, baseline, connections, counts, onChange }: ToolbarProps) {
  const commit = useCallback((q: string) => onChange({ q }), [onChange])
  const search = useDebouncedText(state.q, commit)
  const options = [
    { value: everything, label: 'All' },
    ...listedKinds.map((kind) => ({ value: kind, label: kindLabel(kind).many })),
  ] satisfies { value: RecordKind | typeof everything; label: string }[]
  return (
    <div className={css.toolbar}>
      <div className={css.search}>
        <SearchInput label="Name or field" value={search.text} onChange={search.change} onBlur={search.commit} />
      </div>
      <div className={css.kinds}>
        <ToggleButtons
          label="Kinds"
          value={state.kind ?? everything}
          options={options}
          onChange={(kind) => onChange({ kind: kind === everything ? undefined : kind })}
        />
      </div>
      <SelectInput
        label="Baseline"
        hiddenLabel
        value={baseline}
        shown={`Baseline: ${connections.find((connection) => connection.id === baseline)?.name ?? baseline}`}
        options={connections.map((connection) => ({ value: connection.id, label: connection.name }))}
        onChange={(value) => onChange({ baseline: value, row: undefined, on: undefined })}
      />
      <span className={css.toolbarToggle}>
        <button
          type="button"
          role="switch"
          aria-checked={!state.all}
          onClick={() => onChange({ all: state.all ? undefined : '1' })}
        >
          <i aria-hidden />
          Differences only
        </button>
      </span>
      <span className={css.toolbarCounts}>{counts ? countText(counts) : 'Comparing…'}</span>
    </div>
  )
}

function countText({ differs, missing, onlyHere, unknown }: Counts): string {
  const unknownText = unknown > 0 ? ` · ${unknown} not comparable` : ''
  return `${differs} differ · ${missing} missing · ${onlyHere} only here${unknownText}`
}
