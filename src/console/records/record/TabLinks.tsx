import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import * as css from '../records.module.css'

interface TabLinksProps {
  label: string
  /** `isCurrent`: shown whatever else the page keeps in the query string, such as a range. Otherwise the address says it exactly. */
  tabs: readonly { label: string; to: string; search?: Record<string, string>; isCurrent?: boolean }[]
}

/** Links to the pages and views of a record. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const list = useRef<HTMLDivElement | null>(null)
  // Where the window is narrow, the current one may be out of sight.
  useEffect(() => {
    // Its result in newer browsers, a promise, is no cleanup.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <nav aria-label={label} className={css.tabLinks} ref={list}>
      {tabs.map(({ label: title, to, search = {}, isCurrent }) => (
        <Link
          key={title}
          to={to}
          search={search}
          activeOptions={{ exact: true }}
          {...(isCurrent && { 'aria-current': 'page' })}
          className={css.tabLink}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
