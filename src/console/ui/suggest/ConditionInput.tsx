import { type ReactNode, type Ref, useId, useState } from 'react'
import { describedBy, Field } from '../base/Field.tsx'
import * as base from '#console/ui/base/base.module.css'
import { SuggestionList } from './SuggestionList.tsx'
import * as css from './suggest.module.css'
import { useSuggestions } from './useSuggestions.ts'

interface ConditionInputProps {
  label: string
  /** The label is only for assistive technology. */
  hiddenLabel?: boolean
  value: string
  /** Where the word under the cursor starts, and what continues it. */
  complete: (typed: string, cursor: number) => Completion
  onChange: (typed: string) => void
  placeholder?: string
  error?: string | undefined
  help?: ReactNode
  required?: boolean
  /** Enter, without Ctrl. */
  onEnter?: () => void
  /** Escape, without suggestions to close. */
  onEscape?: () => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
}

interface Completion {
  start: number
  names: readonly string[]
}

const nothing: Completion = { start: 0, names: [] }

/** An expression with suggestions for the text at the cursor. Any text is accepted. */
export function ConditionInput(props: ConditionInputProps) {
  const { label, value, complete, onChange, placeholder = '', error, help, required = false } = props
  const { onEnter, onEscape, onBlur, inputRef, hiddenLabel = false } = props
  const id = useId()
  /** Where the person types; null while no suggestions are wanted. They may arrive after the keystroke. */
  const [cursor, setCursor] = useState<number | null>(null)
  const offer = cursor === null ? nothing : complete(value, cursor)
  const suggestions = useSuggestions({
    id,
    typed: value,
    options: offer.names,
    onChoose: (name) => {
      onChange(value.slice(0, offer.start) + name + value.slice(cursor ?? value.length))
      setCursor(null)
    },
    onClose: () => setCursor(null),
  })
  return (
    <Field {...{ id, label, hiddenLabel, error, help, required }} className={css.inputWide}>
      <input
        ref={inputRef}
        type="text"
        {...suggestions.input}
        id={id}
        value={value}
        placeholder={placeholder}
        required={required}
        {...describedBy(id, { label, error, help })}
        onChange={({ target }) => {
          setCursor(target.selectionStart ?? target.value.length)
          onChange(target.value)
        }}
        onKeyDown={(event) => {
          if (suggestions.press(event)) return
          if (event.key === 'Escape') onEscape?.()
          if (event.key !== 'Enter') return
          // With Ctrl the whole page runs.
          if (event.ctrlKey || event.metaKey) return
          suggestions.close()
          onEnter?.()
        }}
        onBlur={() => {
          suggestions.close()
          onBlur?.()
        }}
        className={base.control}
        data-mono=""
      />
      {offer.names.length > 0 && <SuggestionList {...suggestions.list} />}
    </Field>
  )
}
