import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState, type RefObject } from 'react'
import { ConditionHelp } from '#console/shell/telemetry/ConditionHelp.tsx'
import { languages } from '#console/telemetry/conditions.ts'
import { completions } from '#console/telemetry/fields.ts'
import { useKnownFields } from '#console/telemetry/useKnownFields.ts'
import { ConditionInput } from '#console/ui/ConditionInput.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { isSearchable, type SearchState } from './state.ts'
import { useFacet } from './useCounts.ts'
import { fieldBefore, valueCompletions } from './valueCompletions.ts'

interface QueryBarProps {
  connection: Connection
  sources: readonly Source[]
  source: Source
  state: SearchState
  editor: RefObject<HTMLInputElement | null>
  /** Why the deployment refused the condition. */
  error: string | undefined
  onRun: (patch: Partial<SearchState>) => void
}

/** Source and condition. The condition takes effect when it is run. */
export function QueryBar({ connection, sources, source, state, editor, error, onRun }: QueryBarProps) {
  const applied = `${state.lang} ${state.q}`
  const [draft, setDraft] = useState({ applied, q: state.q, lang: state.lang })
  // The URL changed under the draft: a filter, the back button.
  if (draft.applied !== applied) setDraft({ applied, q: state.q, lang: state.lang })
  const [active, setActive] = useState(false)
  const fieldsOf = useKnownFields(connection.id, sources, active ? [source.id] : [])
  const field = fieldBefore(draft.q, fieldsOf(source.id), draft.lang)
  const values = useFacet(connection.id, { ...state, q: '' }, source, field ?? '', field !== null && active).data
  const complete = (typed: string, cursor: number) =>
    field !== null && values && cursor === typed.length && fieldBefore(typed, fieldsOf(source.id), draft.lang) === field
      ? valueCompletions(typed, values, draft.lang)
      : completions(typed, cursor, fieldsOf(source.id), draft.lang)
  const dirty = draft.q !== state.q || draft.lang !== state.lang
  const run = () => onRun({ q: draft.q.trim(), lang: draft.lang })
  return (
    <Box onFocus={() => setActive(true)} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}>
      <SelectInput
        label="Source"
        value={source.id}
        options={sources.filter(isSearchable).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => onRun({ source: id, cols: '', widths: '', order: '', saved: '', facets: '' })}
        minWidth={110}
      />
      <SelectInput
        label="Language"
        value={draft.lang}
        options={languages}
        onChange={(lang) => setDraft({ ...draft, lang })}
        minWidth={104}
      />
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <ConditionInput
          label="Condition"
          value={draft.q}
          placeholder={draft.lang === 'sql' ? "e.g. SeverityText = 'error'" : 'e.g. payment ServiceName:checkout'}
          complete={complete}
          error={dirty ? undefined : error}
          onChange={(q) => setDraft({ ...draft, q })}
          onEnter={run}
          inputRef={editor}
        />
      </Box>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', mt: '23px' }}>
        <Button variant={dirty ? 'contained' : 'outlined'} color={dirty ? 'primary' : 'inherit'} onClick={run}>
          Run
        </Button>
        <ConditionHelp />
      </Box>
    </Box>
  )
}
