import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { X } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { ProgressPlace } from '#console/charting/progress/progressPlace.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Span } from '#domain/time/span.ts'
import { tileName } from '../model/diff.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileBody } from './TileBody.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from './dashboardView.module.css'

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
  const titleId = useId()
  const [progressPlace, setProgressPlace] = useState<HTMLElement | null>(null)
  return (
    <Dialog
      open
      fullScreen
      onClose={onClose}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { borderRadius: 0 } } }}
    >
      <div className={css.fullScreenHeader}>
        <Text id={titleId} variant="h2" className={css.fullScreenTitle}>
          {name}
        </Text>
        <div ref={setProgressPlace} />
        {controls}
        <IconButton aria-label="Exit full screen" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={css.fullScreenContent}>
        <ProgressPlace value={progressPlace}>
          <TileBody config={tile.config} label={name} data={data} near view="chart" onZoom={onZoom} />
        </ProgressPlace>
      </div>
    </Dialog>
  )
}
