import { useState } from 'react'
import { languages } from '#console/telemetry/conditions/conditions.ts'
import { completions, type Field } from '#console/telemetry/fields.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { ConditionInput } from '#console/ui/suggest/ConditionInput.tsx'
import type { Query } from './scope.ts'
import css from './QueryBar.module.css'

interface QueryBarProps {
  query: Query
  onQuery: (query: Query) => void
  /** Columns of the sources that tiles read. */
  fields: readonly Field[]
  /** The field was focused: suggestions are needed. */
  onActivate: () => void
}

/** A condition over all tiles. It applies with Enter or when the field is left. */
export function QueryBar({ query, onQuery, fields, onActivate }: QueryBarProps) {
  const [typed, setTyped] = useState(query.text)
  const [shown, setShown] = useState(query)
  if (shown.text !== query.text || shown.language !== query.language) {
    // The address changed under us.
    setShown(query)
    setTyped(query.text)
  }
  const apply = () => {
    if (typed !== query.text) onQuery({ ...query, text: typed })
  }
  return (
    <div onFocus={onActivate} className={css.queryBar}>
      <ConditionInput
        label="Condition for all tiles"
        hiddenLabel
        value={typed}
        complete={(text, cursor) => completions(text, cursor, fields, query.language)}
        placeholder={query.language === 'sql' ? "e.g. ServiceName = 'api'" : 'e.g. ServiceName:api'}
        onChange={setTyped}
        onEnter={apply}
        onBlur={apply}
      />
      <SelectInput
        label="Condition language"
        hiddenLabel
        value={query.language}
        options={languages}
        onChange={(language) => onQuery({ text: typed, language })}
      />
    </div>
  )
}
