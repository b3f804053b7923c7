import type { ReactNode } from 'react'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { openTab, type Section, sectionsOf } from '#domain/dashboards/sections.ts'
import { SectionView } from './SectionView.tsx'
import { containerState, type ContainerStates } from './viewState.ts'
import * as css from './dashboardView.module.css'

interface BoardProps {
  dashboard: Pick<Dashboard, 'tiles' | 'containers'>
  state: ContainerStates
  onState: (patch: Record<string, string | undefined>) => void
  renderGrid: (tiles: readonly Tile[]) => ReactNode
  /** Beside the title of a group, with the tab that is open. */
  renderActions?: (section: Section, tabId: string | undefined) => ReactNode
}

/** All tiles of a dashboard, section by section. Which groups are folded and which tabs are open is in the address. */
export function Board({ dashboard, state, onState, renderGrid, renderActions }: BoardProps) {
  return (
    <div className={css.board}>
      {sectionsOf(dashboard).map((section) => {
        const id = section.container?.id ?? ''
        const fold = containerState(state, 'fold', id)
        return (
          <SectionView
            key={id}
            section={section}
            folded={fold === undefined ? section.container?.collapsed === true : fold === '1'}
            onFold={(folded) => onState({ [`fold.${id}`]: folded ? '1' : '0' })}
            tab={containerState(state, 'tab', id)}
            onTab={(tab) => onState({ [`tab.${id}`]: tab })}
            actions={section.container && renderActions?.(section, openTab(section, containerState(state, 'tab', id)))}
            renderGrid={renderGrid}
          />
        )
      })}
    </div>
  )
}
