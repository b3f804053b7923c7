import { type ReactNode, useId, useRef, useState } from 'react'
import { describedBy, Field } from '../base/Field.tsx'
import * as base from '#console/ui/base/base.module.css'
import { SuggestionList } from './SuggestionList.tsx'
import * as css from './suggest.module.css'
import { useSuggestions } from './useSuggestions.ts'

interface SuggestInputProps {
  label: string
  /** The label is only for assistive technology. */
  hiddenLabel?: boolean
  value: string
  /** Any text is accepted. */
  suggestions: readonly string[]
  onChange: (value: string) => void
  placeholder?: string
  error?: string | undefined
  help?: ReactNode
}

/** A text with suggestions, outside of a form: column names, metric names. */
export function SuggestInput(props: SuggestInputProps) {
  const { label, hiddenLabel = false, value, suggestions: all, onChange, placeholder = '', error, help } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const options = open ? matching(all, value) : []
  const suggestions = useSuggestions({
    id,
    typed: value,
    options,
    onChoose: (chosen) => {
      onChange(chosen)
      setOpen(false)
    },
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
  })
  return (
    <Field {...{ id, label, hiddenLabel, error, help }} className={css.inputWide}>
      <div className={css.withButton}>
        <input
          ref={input}
          type="text"
          {...suggestions.input}
          id={id}
          value={value}
          placeholder={placeholder}
          {...describedBy(id, { label, error, help })}
          onChange={({ target }) => {
            setOpen(true)
            onChange(target.value)
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onKeyDown={(event) => {
            if (!suggestions.press(event) && event.key === 'Enter') suggestions.close()
          }}
          onBlur={suggestions.close}
          className={base.control}
          data-mono=""
        />
        <button
          type="button"
          tabIndex={-1}
          aria-label={open ? 'Close' : 'Open'}
          // The focus stays in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus()
            setOpen(!open)
          }}
        >
          <svg aria-hidden viewBox="0 0 24 24">
            <path d="M7 10l5 5 5-5z" />
          </svg>
        </button>
      </div>
      {options.length > 0 && <SuggestionList {...suggestions.list} />}
    </Field>
  )
}

/** Opened on an existing value, the list shows all options, not only those with that prefix. */
function matching(options: readonly string[], typed: string): readonly string[] {
  if (options.includes(typed)) return options
  const lower = typed.toLowerCase()
  return options.filter((option) => option.toLowerCase().includes(lower))
}
