import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { paths } from '#console/paths/paths.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { changeRequestCountsQuery } from '#console/api/gateway/changeRequestCounts.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { useFiringCount } from './firingAlerts.ts'
import { entryPath, type NavEntry } from './navigation.ts'
import * as css from './navigation.module.css'

interface NavigationLinkProps {
  entry: NavEntry
  /** Whether the open page belongs to it, also where its address does not say so. */
  isOpen: boolean
  /** The icon alone, the name as a tooltip. */
  collapsed?: boolean
  /** Why the page is of no use here. */
  reason?: string | undefined
}

/** An entry of the navigation, with what there is to see behind it. */
export function NavigationLink({ entry, isOpen, collapsed = false, reason }: NavigationLinkProps) {
  const { icon: Icon, title } = entry
  const { connection } = useFrameConnection()
  const count = useFiringCount(connection?.id)
  const waiting = useWaitingCount(entry.countsWaiting === true)
  const firing = entry.countsFiring && !reason && count ? `${count} firing` : undefined
  const hintText = collapsed ? [title, firing, reason].filter(Boolean).join('. ') : (reason ?? '')
  return (
    <Link
      {...hint(hintText, 'right')}
      to={entryPath(entry, connection?.id)}
      // Every address begins like that of Home.
      activeOptions={{ exact: entry.template === paths.home(), includeSearch: false }}
      {...(isOpen && { 'aria-current': 'true' })}
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

/** A dot beside the icon, for an entry with news. The entry's description says which. */
function Dot() {
  return <span className={css.dot} />
}

/** @param enabled whether the number is shown. It is read only where a connection has two-person approval */
function useWaitingCount(enabled: boolean): number {
  const { connections } = useFrameConnection()
  const isWanted = enabled && connections.some(({ twoPersonApproval }) => twoPersonApproval)
  const { data } = useQuery({ ...changeRequestCountsQuery, enabled: isWanted })
  return isWanted && data ? Object.values(data.waiting).reduce((sum, count) => sum + count, 0) : 0
}
