import type { KeyboardEvent } from 'react'
import css from './TabList.module.css'

interface TabListProps {
  label: string
  tabs: readonly { id: string; title: string }[]
  selected: string | undefined
  onSelect: (id: string) => void
}

/** Tabs side by side: one tab stop; the arrow keys go from one to the next, Enter selects. */
export function TabList({ label, tabs, selected, onSelect }: TabListProps) {
  return (
    // Its tabs are what the keys are pressed on.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="tablist" aria-label={label} className={css.tabList} onKeyDown={moveBetweenTabs}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

function moveBetweenTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll('button')]
  const at = tabs.findIndex((tab) => tab === document.activeElement)
  const next = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }[event.key]
  if (next === undefined || at === -1) return
  event.preventDefault()
  tabs[next]?.focus()
}
