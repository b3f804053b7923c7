import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useOffer } from '#console/api/offers.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { Connection } from '#contract/connections.ts'
import { useFrameConnection } from '../connection.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { useFiringCount } from './firingAlerts.ts'
import { entryPath, useNavEntries, type NavEntry } from '../navigation.ts'
import { navGroups } from '../routeData.ts'
import { setBrowserSettings } from '../browserSettings.ts'

interface NavigationProps {
  /** Icons alone, names as tooltips. */
  collapsed: boolean
  collapsible?: boolean
  width?: number
}

/** The pages, grouped. What the connection does not offer stays, dimmed, with the reason. */
export function Navigation({ collapsed, collapsible = false, width }: NavigationProps) {
  const entries = useNavEntries()
  const { connection } = useFrameConnection()
  return (
    <Box
      component="nav"
      aria-label="Pages"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        width,
        p: '10px 8px',
        bgcolor: 'background.paper',
        borderRight: 1,
        borderColor: 'divider',
        overflow: 'hidden auto',
      }}
    >
      {navGroups.map((group, at) => (
        <Box key={group} component="section" aria-label={group}>
          {collapsed ? (
            at > 0 && <Box sx={{ height: '1px', bgcolor: 'divider', my: 2, mx: 1 }} />
          ) : (
            <Box
              component="h2"
              sx={{ typography: 'overline', color: 'text.secondary', m: 0, px: 2, pt: at > 0 ? 3.5 : 1, pb: 1 }}
            >
              {group}
            </Box>
          )}
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.template}>
                  {entry.needs ? (
                    <OfferedEntry entry={entry} needs={entry.needs} connection={connection} collapsed={collapsed} />
                  ) : (
                    <NavLink entry={entry} connection={connection} collapsed={collapsed} />
                  )}
                </li>
              ))}
          </Box>
        </Box>
      ))}
      <Box sx={{ flexGrow: 1 }} />
      {collapsible && <CollapseButton collapsed={collapsed} />}
    </Box>
  )
}

interface EntryProps {
  entry: NavEntry
  connection: Connection | undefined
  collapsed: boolean
}

function OfferedEntry({ needs, ...rest }: EntryProps & { needs: NonNullable<NavEntry['needs']> }) {
  const { reason } = useOffer(rest.connection, needs.resource, needs.variants)
  return <NavLink {...rest} reason={reason} />
}

function NavLink({ entry, connection, collapsed, reason }: EntryProps & { reason?: string | undefined }) {
  const { title, icon: Icon } = entry
  const count = useFiringCount(connection?.id)
  const firing = entry.countsFiring && !reason && count ? `${count} firing` : undefined
  const said = collapsed ? [title, firing, reason].filter(Boolean).join('. ') : (reason ?? '')
  return (
    <Box
      component={Link}
      {...hint(said, 'right')}
      to={entryPath(entry, connection?.id)}
      activeOptions={{ exact: false, includeSearch: false }}
      {...(collapsed ? { 'aria-label': title } : {})}
      // Not part of the name: it changes while somebody looks for the link.
      aria-description={firing}
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: 2.25,
        height: 30,
        px: collapsed ? 0 : 2,
        justifyContent: collapsed ? 'center' : 'flex-start',
        borderRadius: '6px',
        color: reason ? 'text.secondary' : 'text.primary',
        textDecoration: 'none',
        '& > svg': { opacity: reason ? 0.6 : 0.8 },
        '&:hover': { bgcolor: 'action.hover' },
        '&[aria-current=page]': { bgcolor: 'tone.accentSoft', color: 'tone.accentText', fontWeight: 550 },
      }}
    >
      <Icon size={15} strokeWidth={1.6} aria-hidden />
      {collapsed && firing && <Dot />}
      {!collapsed && (
        <>
          <span>{title}</span>
          {firing && (
            <Box component="span" aria-hidden sx={{ ml: 'auto' }}>
              <StatusChip tone="bad">{firing}</StatusChip>
            </Box>
          )}
          {reason && (
            <Box component="span" aria-hidden sx={{ ml: 'auto', fontSize: 11 }}>
              not offered
            </Box>
          )}
        </>
      )}
      {reason && <VisuallyHidden>{reason}</VisuallyHidden>}
    </Box>
  )
}

/** Beside an icon: there is something to see. The entry's description says what. */
function Dot() {
  return (
    <Box
      component="span"
      sx={{ position: 'absolute', top: 4, right: 6, width: 8, height: 8, borderRadius: '50%', bgcolor: 'error.main' }}
    />
  )
}

function CollapseButton({ collapsed }: { collapsed: boolean }) {
  const label = collapsed ? 'Expand navigation' : 'Collapse navigation'
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <IconButton
      {...hint(label, 'right')}
      aria-label={label}
      onClick={() => setBrowserSettings({ navFolded: !collapsed })}
      sx={{ alignSelf: collapsed ? 'center' : 'flex-end' }}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  )
}
