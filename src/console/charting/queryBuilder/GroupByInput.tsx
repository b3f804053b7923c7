import { completedField, type Field, groupFields } from '#console/charting/fields.ts'
import { NamesInput } from '#console/ui/suggest/NamesInput.tsx'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import * as css from '../charting.module.css'

interface GroupByInputProps {
  names: readonly string[]
  /** Columns of the source. */
  fields: readonly Field[]
  error?: string | undefined
  onChange: (names: string[]) => void
}

/** By which values the series are split. */
export function GroupByInput({ names, fields, error, onChange }: GroupByInputProps) {
  const suggestions = groupFields(fields)
  const complete = (name: string) =>
    names.includes(name) || fields.some((field) => field.name === name) ? name : completedField(name, suggestions)
  return (
    <div className={css.groupBy}>
      <span aria-hidden className={css.word}>
        by
      </span>
      <NamesInput
        label="Group by"
        hiddenLabel
        names={names}
        suggestions={suggestions}
        placeholder="no grouping"
        error={error}
        // Several that are typed or pasted together are parted.
        onChange={(chosen) => onChange([...new Set(chosen.flatMap(splitExpressions).map(complete))])}
        className={css.queryWide}
      />
    </div>
  )
}
