import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { entryPath, useNavEntries, useOpenPlace, useUnavailable } from './navigation.ts'
import * as css from './navigation.module.css'

/** Above a page: the other pages of its section as tabs; on a phone, the way back to the list of Settings. */
export function SectionBar({ phone }: { phone: boolean }) {
  const { entry: open, listed, inSettings } = useOpenPlace()
  const { connection } = useFrameConnection()
  const reasonOf = useUnavailable()
  const tabs = useNavEntries()
    .filter((entry) => entry.section !== undefined && entry.section === open?.section)
    .filter((entry) => entry === open || reasonOf(entry) === undefined)
    // The one that is listed leads.
    .toSorted((a, b) => Number(b === listed) - Number(a === listed))
  const leadsBack = phone && inSettings && listed?.group !== 'Settings'
  if (tabs.length < 2 && !leadsBack) return null
  return (
    <div className={css.sectionBar}>
      {leadsBack && (
        <Link to={paths.settings()} className={css.sectionTab}>
          <ChevronLeft size={14} aria-hidden />
          Settings
        </Link>
      )}
      {tabs.length > 1 && (
        <nav aria-label={open?.section} className={css.sectionTabs}>
          {tabs.map((tab) => (
            <Link
              key={tab.template}
              to={entryPath(tab, connection?.id)}
              activeOptions={{ exact: tab !== open, includeSearch: false }}
              {...(tab === open && { 'aria-current': 'page' })}
              className={css.sectionTab}
            >
              {tab.tab ?? tab.title}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}
