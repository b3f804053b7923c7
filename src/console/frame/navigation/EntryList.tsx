import { NavigationLink } from './NavigationLink.tsx'
import type { NavEntry } from './navigation.ts'
import * as css from './navigation.module.css'

interface EntryListProps {
  entries: readonly NavEntry[]
  /** The one that is listed for the open page. */
  open: NavEntry | undefined
  collapsed?: boolean
}

export function EntryList({ entries, open, collapsed = false }: EntryListProps) {
  return (
    <ul className={css.entries}>
      {entries.map((entry) => (
        <li key={entry.template}>
          <NavigationLink entry={entry} isOpen={entry === open} collapsed={collapsed} />
        </li>
      ))}
    </ul>
  )
}

/** One line for the entries that are of no use on the connection; it opens their names, with the reason. */
export function UnavailableEntries({
  entries,
  reasonOf,
}: {
  entries: readonly NavEntry[]
  reasonOf: (entry: NavEntry) => string | undefined
}) {
  if (entries.length === 0) return null
  return (
    <details className={css.missing}>
      <summary>{entries.length} not available here</summary>
      <ul className={css.entries}>
        {entries.map((entry) => (
          <li key={entry.template}>
            <NavigationLink entry={entry} isOpen={false} reason={reasonOf(entry)} />
          </li>
        ))}
      </ul>
    </details>
  )
}
