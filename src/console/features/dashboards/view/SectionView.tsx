import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Tile } from '#contract/dashboards.ts'
import { openTab, type Section, tilesOnTab } from '../model/sections.ts'

interface SectionViewProps {
  section: Section
  folded: boolean
  onFold: (folded: boolean) => void
  tab: string | undefined
  onTab: (tabId: string) => void
  /** To the right of the group's title. */
  actions?: ReactNode
  renderGrid: (tiles: Tile[]) => ReactNode
}

/** A group of tiles under its title, with tabs where it has several; the ungrouped tiles without either. */
export function SectionView({ section, folded, onFold, tab, onTab, actions, renderGrid }: SectionViewProps) {
  const titleId = useId()
  const { container, tabs } = section
  const tiles = tilesOnTab(section, tab)
  if (!container) return tiles.length > 0 ? renderGrid(tiles) : null
  const title = container.title ?? container.id
  const shownTab = openTab(section, tab)
  const mayFold = container.collapsible !== false
  const isFolded = mayFold && folded
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      sx={{
        ...(container.bordered !== false && { border: 1, borderColor: 'divider', borderRadius: '10px' }),
        p: 2,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 32 }}>
        {mayFold && (
          <IconButton
            aria-label={isFolded ? `Expand ${title}` : `Collapse ${title}`}
            aria-expanded={!isFolded}
            onClick={() => onFold(!isFolded)}
            sx={{ width: 24, height: 24 }}
          >
            {isFolded ? <ChevronRight size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
          </IconButton>
        )}
        <Typography id={titleId} variant="h3" component="h2">
          {title}
        </Typography>
        {isFolded && (
          <Typography variant="caption" color="textSecondary">
            {section.tiles.length} {section.tiles.length === 1 ? 'tile' : 'tiles'}
          </Typography>
        )}
        {!isFolded && tabs.length > 0 && (
          <Tabs
            value={shownTab}
            onChange={(_, id: string) => onTab(id)}
            variant="scrollable"
            aria-label={`Tabs of ${title}`}
            sx={{ minHeight: 32, ml: 2, '& .MuiTab-root': { minHeight: 32, minWidth: 0, px: 2, py: 0 } }}
          >
            {tabs.map(({ id, title }) => (
              <Tab key={id} value={id} label={title} />
            ))}
          </Tabs>
        )}
        <Box sx={{ flexGrow: 1 }} />
        {actions}
      </Box>
      {!isFolded && (
        <Box sx={{ mt: 1 }}>
          {tiles.length > 0 ? (
            renderGrid(tiles)
          ) : (
            <Typography color="textSecondary" sx={{ p: 3, textAlign: 'center' }}>
              No tiles.
            </Typography>
          )}
        </Box>
      )}
    </Box>
  )
}
