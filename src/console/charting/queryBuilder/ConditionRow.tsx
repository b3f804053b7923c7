import type { Ref } from 'react'
import { type Language, languages } from '#console/charting/conditions/conditions.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { ConditionInput } from '#console/ui/suggest/ConditionInput.tsx'
import * as css from '../charting.module.css'

interface ConditionRowProps {
  where: string
  language: string
  /** Completions of the word under the cursor. */
  complete: (typed: string, cursor: number) => { start: number; names: readonly string[] }
  error?: string | undefined
  onChange: (where: string) => void
  onLanguage: (language: Language) => void
  /** Enter, without Ctrl. */
  onEnter?: (() => void) | undefined
  /** Escape, without suggestions to close. */
  onEscape?: () => void
  inputRef?: Ref<HTMLInputElement>
}

/** Which records: a condition and its language. */
export function ConditionRow(props: ConditionRowProps) {
  const { where, language, complete, error, onChange, onLanguage, onEnter, onEscape, inputRef } = props
  return (
    <div className={css.condition}>
      <span aria-hidden className={css.word}>
        where
      </span>
      <SelectInput<string>
        label="Language"
        hiddenLabel
        value={language}
        options={languages}
        // The options are languages.
        onChange={(chosen) => onLanguage(chosen as Language)}
        minWidth={108}
      />
      <ConditionInput
        label="Condition"
        hiddenLabel
        value={where}
        placeholder={language === 'sql' ? "e.g. SeverityText = 'error'" : 'all records, or e.g. ServiceName:checkout'}
        complete={complete}
        error={error}
        onChange={onChange}
        {...(onEnter && { onEnter })}
        {...(onEscape && { onEscape })}
        {...(inputRef && { inputRef })}
      />
    </div>
  )
}
