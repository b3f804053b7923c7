import { visibleText } from '#domain/text/visibleText.ts'
import { formatValue } from '#domain/charts/units.ts'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import * as css from './suggest.module.css'
import { optionId } from './useSuggestions.ts'

interface SuggestionListProps {
  /** The ID of the input. */
  id: string
  /** None while they are loading. */
  options: readonly string[]
  /** With those that are not listed. */
  total: number
  active: string | undefined
  /** If several can be chosen: those that are. */
  chosen?: readonly string[]
  onActivate: (option: string) => void
  onChoose: (option: string) => void
}

/** Suggestions below an input. The focus stays in the input. */
export function SuggestionList({ id, options, total, active, chosen, onActivate, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => placeBelow(list.current, id))
  useEffect(() => {
    const place = () => placeBelow(list.current, id)
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
    }
  }, [id])
  useEffect(() => {
    if (active !== undefined) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return createPortal(
    // A press must not take the focus from the input.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={list}
      id={`${id}-list`}
      role={options.length > 0 ? 'listbox' : 'status'}
      tabIndex={-1}
      {...(chosen && options.length > 0 ? { 'aria-multiselectable': true } : {})}
      aria-labelledby={`${id}-label`}
      onMouseDown={(event) => event.preventDefault()}
      className={css.suggestionList}
    >
      {options.map((option, at) => (
        // The keys are pressed in the input.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={option}
          id={optionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={chosen ? chosen.includes(option) : option === active}
          {...(option === active ? { 'data-active': '' } : {})}
          onMouseMove={() => option !== active && onActivate(option)}
          onClick={() => onChoose(option)}
        >
          {visibleText(option)}
        </div>
      ))}
      {total > options.length && (
        <div role="option" aria-disabled aria-selected={false} tabIndex={-1}>
          {`The first ${options.length} of ${formatValue(total)}. Type to find others.`}
        </div>
      )}
      {options.length === 0 && <p>Loading…</p>}
    </div>,
    document.body,
  )
}

/** Pixels between the list and its input. */
const gap = 4

/** Below its input, as wide as this; above it where there is more room. */
function placeBelow(list: HTMLElement | null, id: string): void {
  const input = document.getElementById(id)
  if (!list || !input) return
  const at = (input.closest('[data-suggestions]') ?? input).getBoundingClientRect()
  const above = at.bottom + gap + list.offsetHeight > innerHeight && at.top > innerHeight - at.bottom
  const top = above ? at.top - gap - list.offsetHeight : at.bottom + gap
  Object.assign(list.style, { left: `${at.left}px`, top: `${top}px`, width: `${at.width}px` })
}
