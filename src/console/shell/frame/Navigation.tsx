import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useOffers } from '#console/api/offers.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { Connection } from '#contract/connections.ts'
import { useFrameConnection } from '../connection.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { useFiringCount } from './firingAlerts.ts'
import { useWaitingCount } from './waitingCount.ts'
import { entryPath, useNavEntries, type NavEntry } from '../navigation.ts'
import { navGroups } from '../routeData.ts'
import { setBrowserSettings } from '../browserSettings.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import css from './Navigation.module.css'

interface NavigationProps {
  /** Icons alone, names as tooltips. */
  collapsed: boolean
  collapsible?: boolean
  width?: number
}

/** The pages, grouped. Those that the connection does not have are in one line below the others. */
export function Navigation({ collapsed, collapsible = false, width }: NavigationProps) {
  const entries = useNavEntries()
  const { connection } = useFrameConnection()
  const offerOf = useOffers(connection)
  const reasonOf = ({ needs }: NavEntry) => (needs ? offerOf(needs.resource, needs.variants).reason : undefined)
  const available = entries.filter((entry) => reasonOf(entry) === undefined)
  const missing = entries.filter((entry) => reasonOf(entry) !== undefined)
  const groups = navGroups.filter((group) => available.some((entry) => entry.group === group))
  return (
    <nav aria-label="Pages" className={css.navigation} data-collapsed={collapsed} style={{ width }}>
      {!collapsed && (
        <Link to="/" className={css.product}>
          Stack Console
        </Link>
      )}
      {groups.map((group, at) => (
        <section key={group} aria-label={group}>
          {collapsed ? at > 0 && <hr className={css.divider} /> : <h2 className={css.title}>{group}</h2>}
          <ul className={css.entries}>
            {available
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.template}>
                  <NavLink entry={entry} connection={connection} collapsed={collapsed} />
                </li>
              ))}
          </ul>
        </section>
      ))}
      <div className={css.spacer} />
      {!collapsed && missing.length > 0 && (
        <details className={css.missing}>
          <summary>{missing.length} not available here</summary>
          <ul className={css.entries}>
            {missing.map((entry) => (
              <li key={entry.template}>
                <NavLink entry={entry} connection={connection} collapsed={false} reason={reasonOf(entry)} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {collapsible && <CollapseButton collapsed={collapsed} />}
    </nav>
  )
}

interface EntryProps {
  entry: NavEntry
  connection: Connection | undefined
  collapsed: boolean
}

function NavLink({ entry, connection, collapsed, reason }: EntryProps & { reason?: string | undefined }) {
  const { icon: Icon } = entry
  const title = entry.name ?? entry.title
  const count = useFiringCount(connection?.id)
  const waiting = useWaitingCount(entry.countsWaiting === true)
  const firing = entry.countsFiring && !reason && count ? `${count} firing` : undefined
  const said = collapsed ? [title, firing, reason].filter(Boolean).join('. ') : (reason ?? '')
  return (
    <Link
      {...hint(said, 'right')}
      to={entryPath(entry, connection?.id)}
      activeOptions={{ exact: false, includeSearch: false }}
      {...(collapsed ? { 'aria-label': title } : {})}
      // Not part of the name: it changes while somebody looks for the link.
      aria-description={waiting > 0 ? `${waiting} waiting` : firing}
      className={css.entry}
      data-dimmed={reason !== undefined}
    >
      <Icon size={15} strokeWidth={1.6} aria-hidden />
      {collapsed && (firing || waiting > 0) && <Dot />}
      {!collapsed && (
        <>
          <span>{title}</span>
          {firing && (
            <span aria-hidden className={css.aside}>
              <StatusChip tone="bad">{firing}</StatusChip>
            </span>
          )}
          {waiting > 0 && (
            <span aria-hidden className={css.aside}>
              {waiting}
            </span>
          )}
        </>
      )}
      {reason && <VisuallyHidden>{reason}</VisuallyHidden>}
    </Link>
  )
}

/** Beside an icon: there is something to see. The entry's description says what. */
function Dot() {
  return <span className={css.dot} />
}

function CollapseButton({ collapsed }: { collapsed: boolean }) {
  const label = collapsed ? 'Expand navigation' : 'Collapse navigation'
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <IconButton
      {...hint(label, 'right')}
      aria-label={label}
      onClick={() => setBrowserSettings({ navFolded: !collapsed })}
      className={css.collapse}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  )
}
