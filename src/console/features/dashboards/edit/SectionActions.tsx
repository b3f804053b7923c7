import { ArrowDown, ArrowUp, Pencil, PanelTop, Trash2, Ungroup } from 'lucide-react'
import { useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import * as step from '../model/editing.ts'
import type { Section } from '../model/sections.ts'
import { AddTileButton } from './AddTileButton.tsx'
import { SectionDialog } from './SectionDialog.tsx'

interface SectionActionsProps {
  section: Section
  /** The open tab; undefined if the group has no tabs. */
  tabId: string | undefined
  edit: (change: (before: Dashboard) => Dashboard) => void
  onAdd: (kind: string, home: step.TileLocation) => void
}

/** The actions of a group. */
export function SectionActions({ section, tabId, edit, onAdd }: SectionActionsProps) {
  const [editing, setEditing] = useState(false)
  const { container, tiles } = section
  if (!container) return null
  const { id } = container
  const actions = (): Action[] => [
    { label: 'Edit section…', icon: Pencil, run: () => setEditing(true) },
    { label: 'Add tab', icon: PanelTop, run: () => edit((before) => step.addTab(before, id, 'New tab')) },
    { label: 'Move up', icon: ArrowUp, run: () => edit((before) => step.moveContainer(before, id, -1)) },
    { label: 'Move down', icon: ArrowDown, run: () => edit((before) => step.moveContainer(before, id, 1)) },
    { label: 'Ungroup', icon: Ungroup, run: () => edit((before) => step.removeContainer(before, id, 'keep')) },
    {
      label: tiles.length === 1 ? 'Remove section and its tile' : `Remove section and its ${tiles.length} tiles`,
      icon: Trash2,
      danger: true,
      run: () => edit((before) => step.removeContainer(before, id, 'remove')),
    },
  ]
  return (
    <>
      <AddTileButton quiet onAdd={(kind) => onAdd(kind, { containerId: id, tabId })} />
      <ActionMenu label={`Actions of ${container.title ?? id}`} actions={actions} />
      {editing && <SectionDialog container={container} edit={edit} onClose={() => setEditing(false)} />}
    </>
  )
}
