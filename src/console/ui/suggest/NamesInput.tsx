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
  const { label, hiddenLabel = false, names, onChange, placeholder, error, help, className } = props
  const { several = false, maxShown = Infinity, loading = false } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { typed, type, open, setOpen, put, options, suggestions } = useTypedName(id, props)
  const [focused, setFocused] = useState(false)
  const shown = focused ? names : names.slice(0, maxShown)
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
          <ChosenName
            key={name}
            name={name}
            onRemove={() => remove(at)}
            onStep={(by) => focusName(Math.max(at + by, 0))}
          />
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
          onChange={({ target }) => type(target.value)}
          onClick={() => setOpen(typed === '' ? !open : true)}
          onKeyDown={pressInput}
          onBlur={suggestions.close}
        />
        {(names.length > 0 || typed !== '') && (
          <ClearButton
            onClear={() => {
              put([])
              input.current?.focus()
            }}
          />
        )}
      </div>
      {(options.length > 0 || (open && loading)) && (
        <SuggestionList {...suggestions.list} {...(several ? { chosen: names } : {})} />
      )}
    </Field>
  )
}

/** The typed text with its suggestions. `put` replaces the names, and begins a new text. */
function useTypedName(id: string, { names, suggestions: all, several = false, onChange, onOpen }: NamesInputProps) {
  const [typed, setTyped] = useState('')
  const [open, setOpenTo] = useState(false)
  const options = open ? matching(all, several ? [] : names, typed) : []
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
  const type = (text: string) => {
    setTyped(text)
    setOpen(true)
  }
  return { typed, type, open, setOpen, put, options, suggestions }
}

interface ChosenNameProps {
  name: string
  onRemove: () => void
  /** Goes to the name before it, or to what follows. */
  onStep: (by: -1 | 1) => void
}

function ChosenName({ name, onRemove, onStep }: ChosenNameProps) {
  return (
    <span className={css.namesInputName}>
      <span className={css.namesInputText}>{visibleText(name)}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Remove ${visibleText(name)}`}
        data-name=""
        onClick={onRemove}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') onStep(-1)
          else if (event.key === 'ArrowRight') onStep(1)
          else if (event.key === 'Backspace' || event.key === 'Delete') onRemove()
          else return
          event.preventDefault()
        }}
      >
        <svg aria-hidden viewBox="0 0 24 24">
          <path d="M12 2C6.47 2 2 6.47 2 12s4.47 10 10 10 10-4.47 10-10S17.53 2 12 2zm5 13.59L15.59 17 12 13.41 8.41 17 7 15.59 10.59 12 7 8.41 8.41 7 12 10.59 15.59 7 17 8.41 13.41 12z" />
        </svg>
      </button>
    </span>
  )
}

function ClearButton({ onClear }: { onClear: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Clear"
      // The focus stays in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClear}
      className={css.clear}
    >
      <X size={18} aria-hidden />
    </button>
  )
}

function matching(options: readonly string[], names: readonly string[], typed: string): readonly string[] {
  const lower = typed.toLowerCase()
  return options.filter((option) => !names.includes(option) && option.toLowerCase().includes(lower))
}
