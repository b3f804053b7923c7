import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { LockKeyholeOpen } from 'lucide-react'
import type { Connection } from '#contract/connections.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { useFrameConnection } from '../connection.tsx'

/** Loaded on demand, because the shell contains no schemas. */
const ask = async (connection: Connection) => (await import('../stage/readOnly.ts')).allowWrites(connection)

/** On pages of a read-only connection: allows writes. */
export function AllowWritesButton() {
  const { connection, inAddress } = useFrameConnection()
  if (!inAddress || !connection?.readOnly) return null
  return (
    <Button onClick={() => void ask(connection)} sx={{ gap: 2, minWidth: 30, flexShrink: 0 }}>
      <LockKeyholeOpen size={14} aria-hidden />
      <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
        Allow writes
      </Box>
      <Box component="span" sx={{ display: { md: 'none' } }}>
        <VisuallyHidden>Allow writes</VisuallyHidden>
      </Box>
    </Button>
  )
}
