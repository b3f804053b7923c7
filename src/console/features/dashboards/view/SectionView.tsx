import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { counted } from '#domain/text/words.ts'
import { openTab, type Section, tilesOnTab } from '#domain/dashboards/sections.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import * as css from './dashboardView.module.css'

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
    <section aria-labelledby={titleId} className={css.section} data-bordered={container.bordered !== false}>
      <div className={css.sectionHeader}>
        {mayFold && (
          <IconButton
            aria-label={isFolded ? `Expand ${title}` : `Collapse ${title}`}
            aria-expanded={!isFolded}
            onClick={() => onFold(!isFolded)}
            size="small"
          >
            {isFolded ? <ChevronRight size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
          </IconButton>
        )}
        <Text id={titleId} variant="h3" component="h2">
          {title}
        </Text>
        {isFolded && (
          <Text variant="caption" color="textSecondary">
            {counted(section.tiles.length, 'tile')}
          </Text>
        )}
        {!isFolded && tabs.length > 0 && (
          <TabList label={`Tabs of ${title}`} tabs={tabs} selected={shownTab} onSelect={onTab} />
        )}
        <Spacer />
        {actions}
      </div>
      {!isFolded && (
        <div className={css.sectionContent}>
          {tiles.length > 0 ? (
            renderGrid(tiles)
          ) : (
            <Text color="textSecondary" className={css.emptyNote}>
              No tiles.
            </Text>
          )}
        </div>
      )}
    </section>
  )
}

interface TabListProps {
  label: string
  tabs: readonly { id: string; title: string }[]
  selected: string | undefined
  onSelect: (id: string) => void
}

/** Tabs side by side: one tab stop; the arrow keys go from one to the next, Enter selects. */
function TabList({ label, tabs, selected, onSelect }: TabListProps) {
  return (
    // The keys are pressed on its tabs.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="tablist" aria-label={label} className={css.tabList} onKeyDown={moveBetweenTabs}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

function moveBetweenTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll('button')]
  const at = tabs.findIndex((tab) => tab === document.activeElement)
  const next = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }[event.key]
  if (next === undefined || at === -1) return
  event.preventDefault()
  tabs[next]?.focus()
}
