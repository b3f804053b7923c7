import type { KeyboardEvent, ReactNode } from 'react'
import { hint } from '../hint/hint.ts'
import * as css from './actions.module.css'

interface ToggleButtonsProps<Value extends string> {
  /** Its name for screen readers. */
  label: string
  value: Value
  /** With a `name`, the label is an icon. */
  options: readonly { value: Value; label: ReactNode; name?: string }[]
  onChange: (value: Value) => void
}

/** A choice of few, side by side: one of them is pressed. One tab stop; the arrow keys go from one to the next. */
export function ToggleButtons<Value extends string>({ label, value, options, onChange }: ToggleButtonsProps<Value>) {
  const stop = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  )
  return (
    // The keys are pressed on its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div role="group" aria-label={label} className={css.toggleButtonsGroup} onKeyDown={moveBetweenButtons}>
      {options.map((option, at) => (
        <button
          key={option.value}
          type="button"
          tabIndex={at === stop ? 0 : -1}
          aria-pressed={option.value === value}
          {...(option.name === undefined ? {} : { 'aria-label': option.name, ...hint(option.name) })}
          onClick={() => option.value !== value && onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}

function moveBetweenButtons(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement) // -1 for any other element
  if (step === undefined || at === -1) return
  event.preventDefault()
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}
