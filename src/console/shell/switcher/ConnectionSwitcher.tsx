import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { ChevronDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '../connection.tsx'
import { StageDot } from '../stage/StageChip.tsx'
import { ConnectionBadges, formatVariant } from './ConnectionBadges.tsx'
import { Link } from '@tanstack/react-router'

const ConnectionMenu = lazyComponent(async () => (await import('./ConnectionMenu.tsx')).ConnectionMenu)

/** The connection chip: name, variant, colour and word, lock. Opens the list of connections. */
export function ConnectionSwitcher() {
  const { connection } = useFrameConnection()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  if (!connection) {
    return (
      <Button component={Link} to={paths.newConnection()} startIcon={<Plus size={14} aria-hidden />}>
        Add a connection
      </Button>
    )
  }
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={ConnectionMenu.preload}
        onFocus={ConnectionMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          gap: 2,
          px: 2.5,
          minWidth: 0,
          justifyContent: 'flex-start',
          overflow: 'hidden',
          maxWidth: { xs: 230, md: 420 },
          flexShrink: { xs: 1, md: 0 },
        }}
      >
        <VisuallyHidden>Connection:</VisuallyHidden>
        <StageDot stage={connection.stage} />
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 20 }}>
          {connection.name}
        </Box>
        <Box
          component="span"
          sx={{ display: { xs: 'none', sm: 'inline' }, color: 'text.secondary', fontSize: 11, fontWeight: 450 }}
        >
          {formatVariant(connection)}
        </Box>
        <ConnectionBadges connection={connection} compact />
        <ChevronDown size={14} aria-hidden style={{ flexShrink: 0 }} />
      </Button>
      {anchor && <ConnectionMenu connection={connection} anchor={anchor} close={() => setAnchor(null)} />}
    </>
  )
}
