import { visibleText } from '#domain/text/visibleText.ts'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { describedBy, Field } from '../base/Field.tsx'
import * as css from './suggest.module.css'
import { SuggestionList } from './SuggestionList.tsx'
import { useSuggestions } from './useSuggestions.ts'

interface NamesInputProps {
  label: string
  /** The label is only for assistive technology. */
  hiddenLabel?: boolean
  names: readonly string[]
  /** Others can be typed. */
  suggestions: readonly string[]
  onChange: (names: string[]) => void
  /** Shown while there are no names. */
  placeholder: string
  error?: string | undefined
  help?: ReactNode
  className?: string | undefined
  /** The list also shows the chosen names, and stays open to choose or remove several. */
  several?: boolean
  /** How many names are shown while the focus is elsewhere; all by default. */
  maxShown?: number
  onOpen?: () => void
  /** Suggestions are on their way. */
  loading?: boolean
}

/** A list of names, outside of a form. Enter adds what was typed; Backspace removes the last one. */
export function NamesInput(props: NamesInputProps) {
  const { label, hiddenLabel = false, names, suggestions: all, onChange, placeholder, error, help, className } = props
  const { several = false, maxShown = Infinity, onOpen, loading = false } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [open, setOpenTo] = useState(false)
  const [focused, setFocused] = useState(false)
  const options = open ? matching(all, several ? [] : names, typed) : []
  const shown = focused ? names : names.slice(0, maxShown)
  const setOpen = (next: boolean) => {
    if (next && !open) onOpen?.()
    setOpenTo(next)
  }
  const put = (next: readonly string[]) => {
    onChange([...new Set(next.map((name) => name.trim()).filter(Boolean))])
    setTyped('')
    setOpen(several && open)
  }
  const suggestions = useSuggestions({
    id,
    typed,
    options,
    onChoose: (name) => put(names.includes(name) ? names.filter((other) => other !== name) : [...names, name]),
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
  })
  const remove = (at: number) => {
    onChange(names.filter((_, index) => index !== at))
    input.current?.focus()
  }
  const pressInput = (event: KeyboardEvent<HTMLInputElement>) => {
    if (suggestions.press(event)) return
    if (event.key === 'Enter' && typed !== '') {
      event.preventDefault()
      put([...names, typed])
    } else if (event.key === 'Backspace' && typed === '' && names.length > 0) remove(names.length - 1)
    else if (event.key === 'ArrowLeft' && event.currentTarget.selectionEnd === 0) focusName(names.length - 1)
  }
  const focusName = (at: number) =>
    (box.current?.querySelectorAll<HTMLElement>('[data-name]')[at] ?? input.current)?.focus()

  return (
    <Field {...{ id, label, hiddenLabel, error, help }} className={className}>
      {/* A click beside the names is one into the input. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={box}
        data-suggestions=""
        data-invalid={error === undefined ? undefined : true}
        onClick={({ target, currentTarget }) => target === currentTarget && input.current?.focus()}
        onFocus={() => setFocused(true)}
        onBlur={({ relatedTarget, currentTarget }) => setFocused(currentTarget.contains(relatedTarget))}
        className={css.namesInputBox}
      >
        {shown.map((name, at) => (
          <span key={name} className={css.namesInputName}>
            <span className={css.namesInputText}>{visibleText(name)}</span>
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Remove ${visibleText(name)}`}
              data-name=""
              onClick={() => remove(at)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowLeft') focusName(Math.max(at - 1, 0))
                else if (event.key === 'ArrowRight') focusName(at + 1)
                else if (event.key === 'Backspace' || event.key === 'Delete') remove(at)
                else return
                event.preventDefault()
              }}
            >
              <svg aria-hidden viewBox="0 0 24 24">
                <path d="M12 2C6.47 2 2 6.47 2 12s4.47 10 10 10 10-4.47 10-10S17.53 2 12 2zm5 13.59L15.59 17 12 13.41 8.41 17 7 15.59 10.59 12 7 8.41 8.41 7 12 10.59 15.59 7 17 8.41 13.41 12z" />
              </svg>
            </button>
          </span>
        ))}
        {shown.length < names.length && <span className={css.namesInputMore}>+{names.length - shown.length}</span>}
        <input
          ref={input}
          type="text"
          {...suggestions.input}
          id={id}
          value={typed}
          placeholder={names.length > 0 ? '' : placeholder}
          {...describedBy(id, { label, error, help })}
          onChange={({ target }) => {
            setTyped(target.value)
            setOpen(true)
          }}
          onClick={() => setOpen(typed === '' ? !open : true)}
          onKeyDown={pressInput}
          onBlur={suggestions.close}
        />
        {(names.length > 0 || typed !== '') && (
          <button
            type="button"
            tabIndex={-1}
            aria-label="Clear"
            // The focus stays in the input.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              put([])
              input.current?.focus()
            }}
            className={css.clear}
          >
            <X size={18} aria-hidden />
          </button>
        )}
      </div>
      {(options.length > 0 || (open && loading)) && (
        <SuggestionList {...suggestions.list} {...(several ? { chosen: names } : {})} />
      )}
    </Field>
  )
}

function matching(options: readonly string[], names: readonly string[], typed: string): readonly string[] {
  const lower = typed.toLowerCase()
  return options.filter((option) => !names.includes(option) && option.toLowerCase().includes(lower))
}
