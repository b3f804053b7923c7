import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tile } from '#contract/dashboards.ts'
import { chartVariables } from '#console/ui/series/palette.ts'
import type { Span } from '#console/ui/time/range.ts'
import { tileName } from '../model/diff.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileBody } from './TileBody.tsx'

interface FullScreenTileProps {
  tile: Tile
  data: TileData
  onZoom: (span: Span) => void
  onClose: () => void
  /** The range picker, so that it can be changed from here. */
  controls: ReactNode
}

/** One tile that fills the window. */
export function FullScreenTile({ tile, data, onZoom, onClose, controls }: FullScreenTileProps) {
  const name = tileName(tile)
  return (
    <Dialog open fullScreen onClose={onClose} aria-label={name} slotProps={{ paper: { sx: { borderRadius: 0 } } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, px: 4, py: 2 }}>
        <Typography variant="h2" sx={{ flexGrow: 1 }}>
          {name}
        </Typography>
        {controls}
        <IconButton aria-label="Exit full screen" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </Box>
      <Box
        sx={(theme) => ({
          ...chartVariables(theme),
          flexGrow: 1,
          minHeight: 0,
          display: 'flex',
          flexDirection: 'column',
          px: 2,
          pb: 2,
        })}
      >
        <TileBody config={tile.config} label={name} data={data} near view="chart" onZoom={onZoom} />
      </Box>
    </Dialog>
  )
}
