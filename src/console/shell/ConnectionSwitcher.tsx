import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronDown, LockKeyhole, Plus, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { paths } from '#console/paths.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'
import { useFrameConnection } from './connection.tsx'
import { useSwitchConnection } from './useSwitchConnection.ts'

/** The connection chip: name, variant, colour and word, lock. Opens the list; switching keeps the page and its filters. */
export function ConnectionSwitcher() {
  const { connection } = useFrameConnection()
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const switchTo = useSwitchConnection()
  const navigate = useNavigate()
  const close = () => setAnchor(null)

  if (!connection) {
    return (
      <Button onClick={() => void navigate({ to: paths.newConnection() })} startIcon={<Plus size={14} aria-hidden />}>
        Add a connection
      </Button>
    )
  }
  return (
    <>
      <Button
        aria-label={`Connection: ${spoken(connection)}. Switch`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ gap: 2, px: 2.5, minWidth: 0, maxWidth: { xs: 230, md: 420 }, flexShrink: { xs: 1, md: 0 } }}
      >
        <Dot color={connection.color} />
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {connection.name}
        </Box>
        <Box
          component="span"
          sx={{ display: { xs: 'none', sm: 'inline' }, color: 'text.secondary', fontSize: 11, fontWeight: 450 }}
        >
          {variantWord(connection)}
        </Box>
        <Marks connection={connection} />
        <ChevronDown size={14} aria-hidden style={{ flexShrink: 0 }} />
      </Button>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        slotProps={{ list: { 'aria-label': 'Connections' } }}
      >
        <ListSubheader role="presentation">Connections</ListSubheader>
        {connections.map((one) => (
          <MenuItem
            key={one.id}
            selected={one.id === connection.id}
            aria-current={one.id === connection.id}
            onClick={() => {
              close()
              switchTo(one.id)
            }}
          >
            <Dot color={one.color} />
            <Box component="span" sx={{ flexGrow: 1 }}>
              {one.name}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
              {variantWord(one)}
            </Box>
            <Marks connection={one} />
            <Box component="span" sx={{ width: 14 }}>
              {one.id === connection.id && <Check size={14} aria-hidden />}
            </Box>
          </MenuItem>
        ))}
        <Divider sx={{ my: 1 }} />
        <MenuItem
          onClick={() => {
            close()
            void navigate({ to: paths.connections() })
          }}
        >
          <Settings2 size={14} aria-hidden />
          Manage connections
        </MenuItem>
      </Menu>
    </>
  )
}

export const variantWord = (connection: Pick<Connection, 'variant'>) =>
  connection.variant === 'managed' ? 'managed' : 'open source'

function spoken(connection: Connection): string {
  const { name, environment, readOnly } = connection
  return [name, variantWord(connection), environment, readOnly ? 'read-only' : ''].filter(Boolean).join(', ')
}

function Dot({ color }: { color: Connection['color'] }) {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{ width: 8, height: 8, borderRadius: 9, flexShrink: 0, bgcolor: `tone.connection.${color}` }}
    />
  )
}

function Marks({ connection }: { connection: Connection }) {
  return (
    <>
      {connection.environment && (
        <StatusChip tone={connection.color === 'red' ? 'bad' : 'neutral'}>{connection.environment}</StatusChip>
      )}
      {connection.readOnly && <LockKeyhole size={13} aria-label="read-only" style={{ flexShrink: 0 }} />}
    </>
  )
}
