import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useOffer } from '#console/api/offers.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { Connection } from '#contract/connections.ts'
import { useFrameConnection } from '../connection.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { entryPath, useNavEntries, type NavEntry } from '../navigation.ts'
import { navGroups } from '../routeData.ts'
import { setStored } from '../stored.ts'

interface NavigationProps {
  /** Icons alone, names as tooltips. */
  folded: boolean
  foldable?: boolean
  width?: number
}

/** The pages, grouped. What the connection does not offer stays, dimmed, with the reason. */
export function Navigation({ folded, foldable = false, width }: NavigationProps) {
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
          {folded ? (
            at > 0 && <Box sx={{ height: 1, bgcolor: 'divider', my: 2, mx: 1 }} />
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
                    <OfferedEntry entry={entry} needs={entry.needs} connection={connection} folded={folded} />
                  ) : (
                    <NavLink entry={entry} connection={connection} folded={folded} />
                  )}
                </li>
              ))}
          </Box>
        </Box>
      ))}
      <Box sx={{ flexGrow: 1 }} />
      {foldable && <FoldButton folded={folded} />}
    </Box>
  )
}

interface EntryProps {
  entry: NavEntry
  connection: Connection | undefined
  folded: boolean
}

function OfferedEntry({ needs, ...rest }: EntryProps & { needs: NonNullable<NavEntry['needs']> }) {
  const { reason } = useOffer(rest.connection, needs.resource, needs.variants)
  return <NavLink {...rest} reason={reason} />
}

function NavLink({ entry, connection, folded, reason }: EntryProps & { reason?: string | undefined }) {
  const { title, icon: Icon } = entry
  const said = folded ? [title, reason].filter(Boolean).join('. ') : (reason ?? '')
  return (
    <Box
      component={Link}
      {...hint(said, 'right')}
      to={entryPath(entry, connection?.id)}
      activeOptions={{ exact: false, includeSearch: false }}
      {...(folded ? { 'aria-label': title } : {})}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2.25,
        height: 30,
        px: folded ? 0 : 2,
        justifyContent: folded ? 'center' : 'flex-start',
        borderRadius: '6px',
        color: reason ? 'text.secondary' : 'text.primary',
        textDecoration: 'none',
        '& > svg': { opacity: reason ? 0.6 : 0.8 },
        '&:hover': { bgcolor: 'action.hover' },
        '&[aria-current=page]': { bgcolor: 'tone.accentSoft', color: 'tone.accentText', fontWeight: 550 },
      }}
    >
      <Icon size={15} strokeWidth={1.6} aria-hidden />
      {!folded && (
        <>
          <span>{title}</span>
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

function FoldButton({ folded }: { folded: boolean }) {
  const label = folded ? 'Expand navigation' : 'Collapse navigation'
  const Icon = folded ? PanelLeftOpen : PanelLeftClose
  return (
    <IconButton
      {...hint(label, 'right')}
      aria-label={label}
      onClick={() => setStored({ navFolded: !folded })}
      sx={{ alignSelf: folded ? 'center' : 'flex-end' }}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  )
}
