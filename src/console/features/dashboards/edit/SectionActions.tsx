import { ArrowDown, ArrowUp, Pencil, PanelTop, Trash2, Ungroup } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray } from 'react-hook-form'
import { z } from 'zod'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameJson } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import * as step from '../model/editing.ts'
import { type Container, type Section, tabsOf } from '#domain/dashboards/sections.ts'
import { AddTileButton } from './AddTileButton.tsx'
import * as css from '../dashboards.module.css'

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

/** Without a title, the one that it has is kept. */
const schema = z.object({
  title: z.string(),
  collapsed: z.boolean(),
  collapsible: z.boolean(),
  bordered: z.boolean(),
  tabs: z.array(z.object({ tabId: z.string(), title: z.string() })),
})

type SectionForm = z.infer<typeof schema>

interface SectionDialogProps {
  container: Container
  edit: (change: (before: Dashboard) => Dashboard) => void
  onClose: () => void
}

/** Title, look and tabs of a group. */
function SectionDialog({ container, edit, onClose }: SectionDialogProps) {
  const before: SectionForm = {
    title: container.title ?? '',
    collapsed: container.collapsed === true,
    collapsible: container.collapsible !== false,
    bordered: container.bordered !== false,
    tabs: tabsOf(container).map(({ id, title }) => ({ tabId: id, title })),
  }
  const { control, handleSubmit } = useSchemaForm(schema, before)
  const { fields, remove } = useFieldArray({ control, name: 'tabs' })
  const apply = handleSubmit((form) => {
    edit((dashboard) => applied(dashboard, container, before, form))
    onClose()
  })
  return (
    <FormDialog title="Edit section" size="xs" action="Apply" onSubmit={() => void apply()} onClose={onClose}>
      <TextField control={control} name="title" label="Title" required maxLength={256} />
      <div className={css.switches}>
        <SwitchField control={control} name="collapsible" label="Collapsible" />
        <SwitchField control={control} name="collapsed" label="Collapsed by default" />
        <SwitchField control={control} name="bordered" label="Border" />
      </div>
      {fields.map((field, index) => (
        <div key={field.id} className={css.sectionTab}>
          <TextField control={control} name={`tabs.${index}.title`} label={`Tab ${index + 1}`} />
          <IconButton aria-label={`Remove tab ${index + 1}`} onClick={() => remove(index)}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </FormDialog>
  )
}

/** The dashboard with the changes of the group; everything else is unchanged. */
function applied(dashboard: Dashboard, container: Container, before: SectionForm, form: SectionForm): Dashboard {
  const keys = ['title', 'collapsed', 'collapsible', 'bordered'] as const
  const changed = keys.filter((key) => form[key] !== before[key] && !(key === 'title' && form.title === ''))
  let next = step.updateContainer(dashboard, container.id, Object.fromEntries(changed.map((key) => [key, form[key]])))
  for (const { tabId } of before.tabs) {
    if (!form.tabs.some((tab) => tab.tabId === tabId)) next = step.removeTab(next, container.id, tabId)
  }
  if (sameJson(form.tabs, before.tabs)) return next
  const titles = new Map(form.tabs.map(({ tabId, title }) => [tabId, title]))
  const now = next.containers?.find(({ id }) => id === container.id)?.tabs
  const tabs = Array.isArray(now) ? now : []
  return step.updateContainer(next, container.id, {
    tabs: tabs.map((tab: unknown) =>
      isPlainObject(tab) ? { ...tab, title: titles.get(String(tab.id)) || tab.title } : tab,
    ),
  })
}
