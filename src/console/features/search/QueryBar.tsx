import { useState, type RefObject } from 'react'
import { ConditionHelp } from '#console/charting/conditions/ConditionHelp.tsx'
import { ConditionRow } from '#console/charting/queryBuilder/ConditionRow.tsx'
import { completions } from '#console/charting/fields.ts'
import { useKnownFields } from '#console/charting/useKnownFields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import * as css from './search.module.css'
import { isSearchable, type SearchState } from './query/state.ts'
import { useFacet } from './query/useCounts.ts'
import type { UnknownFields } from './query/useUnknownFields.ts'
import { fieldBefore, valueCompletions } from './valueCompletions.ts'

interface QueryBarProps {
  connection: Connection
  sources: readonly Source[]
  source: Source
  state: SearchState
  editor: RefObject<HTMLInputElement | null>
  unknown: UnknownFields
  /** Why the deployment refused the condition. */
  error: string | undefined
  onRun: (patch: Partial<SearchState>) => void
}

/** Source and condition. The condition takes effect when it is run. */
export function QueryBar({ connection, sources, source, state, editor, unknown, error, onRun }: QueryBarProps) {
  const { q, lang } = state
  const [draft, setDraft] = useState({ applied: { q, lang }, q, lang })
  // The URL changed under the draft: a filter, the back button.
  if (draft.applied.q !== q || draft.applied.lang !== lang) {
    const { from, to } = unknown.rewritten ?? {}
    const isTyping = draft.applied.q === from && q === to && draft.q !== from
    setDraft(isTyping ? { ...draft, applied: { q, lang } } : { applied: { q, lang }, q, lang })
  }
  const [active, setActive] = useState(false)
  const fieldsOf = useKnownFields(connection.id, sources, active ? [source.id] : [])
  const field = fieldBefore(draft.q, fieldsOf(source.id), draft.lang)
  const values = useFacet(connection.id, { ...state, q: '' }, source, field ?? '', field !== null && active).data
  const complete = (typed: string, cursor: number) =>
    field !== null && values && cursor === typed.length && fieldBefore(typed, fieldsOf(source.id), draft.lang) === field
      ? valueCompletions(typed, values, draft.lang)
      : completions(typed, cursor, fieldsOf(source.id), draft.lang)
  const dirty = draft.q !== q || draft.lang !== lang
  const run = () => {
    const typed = draft.q.trim()
    const condition = draft.lang === 'lucene' ? unknown.asText(typed) : typed
    setDraft({ ...draft, q: condition })
    onRun({ q: condition, lang: draft.lang })
  }
  return (
    // Handles keys of all fields inside; it is not a control.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onFocus={() => setActive(true)}
      onKeyDown={(event) => {
        // As in the explorer.
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        run()
      }}
      className={css.queryBar}
    >
      <SelectInput
        label="Source"
        hiddenLabel
        value={source.id}
        options={sources.filter(isSearchable).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => onRun({ source: id, cols: '', widths: '', order: '', saved: '', facets: '' })}
        minWidth={110}
      />
      <ConditionRow
        where={draft.q}
        language={draft.lang}
        complete={complete}
        error={dirty ? undefined : error}
        onChange={(q) => setDraft({ ...draft, q })}
        onLanguage={(lang) => setDraft({ ...draft, lang })}
        onEnter={run}
        // To the keys of the page.
        onEscape={() => editor.current?.blur()}
        inputRef={editor}
      />
      <div className={css.run}>
        <Button variant={dirty ? 'contained' : 'outlined'} color={dirty ? 'primary' : 'inherit'} onClick={run}>
          Run
        </Button>
        <ConditionHelp />
      </div>
    </div>
  )
}
