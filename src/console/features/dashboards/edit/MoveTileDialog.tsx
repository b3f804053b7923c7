import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { clampPosition } from '#domain/dashboards/gridPositions.ts'
import { type Dashboard, gridColumns } from '#contract/stack/dashboards/dashboards.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { tileName } from '../model/diff.ts'
import { moveTile, moveTileToSection } from '../model/editing.ts'
import { sectionsOf } from '#domain/dashboards/sections.ts'

interface MoveTileDialogProps {
  dashboard: Dashboard
  tileId: string
  edit: (step: (before: Dashboard) => Dashboard) => void
  onClose: () => void
}

/** Sizes beyond the grid are made to fit. */
const schema = z.object({ section: z.string(), x: z.number(), y: z.number(), w: z.number(), h: z.number() })

/** Edits a tile's position, size, group and tab: the alternative to dragging. */
export function MoveTileDialog({ dashboard, tileId, edit, onClose }: MoveTileDialogProps) {
  const tile = dashboard.tiles.find(({ id }) => id === tileId)
  const home = JSON.stringify([tile?.containerId ?? '', tile?.tabId ?? ''])
  const { control, handleSubmit } = useSchemaForm(schema, {
    section: home,
    ...clampPosition(tile ?? { x: 0, y: 0, w: 1, h: 1 }),
  })
  const target = useWatch({ control, name: 'section' })
  const homes = sectionsOf(dashboard).flatMap(({ container, tabs }) => {
    if (!container) return [{ value: JSON.stringify(['', '']), label: 'No section' }]
    const title = container.title ?? container.id
    if (tabs.length === 0) return [{ value: JSON.stringify([container.id, '']), label: title }]
    return tabs.map((tab) => ({ value: JSON.stringify([container.id, tab.id]), label: `${title}, ${tab.title}` }))
  })
  const apply = handleSubmit(({ section, ...place }) => {
    edit((before) => {
      const [containerId, tabId] = JSON.parse(section) as [string, string] // written above
      const moved = section === home ? before : moveTileToSection(before, tileId, { containerId, tabId })
      return section === home ? moveTile(moved, tileId, place) : moveTile(moved, tileId, { w: place.w, h: place.h })
    })
    onClose()
  })
  return (
    <FormDialog
      title={`Move ${tileName(tile)}`}
      size="xs"
      action="Move tile"
      onSubmit={() => void apply()}
      onClose={onClose}
    >
      <SelectField control={control} name="section" label="Section" options={homes} />
      <FieldGrid>
        <NumberField
          control={control}
          name="x"
          label="Column"
          help={`0 to ${gridColumns - 1}`}
          disabled={target === home ? undefined : 'The first free position in that section.'}
        />
        <NumberField
          control={control}
          name="y"
          label="Row"
          disabled={target === home ? undefined : 'The first free position in that section.'}
        />
        <NumberField control={control} name="w" label="Width" help={`1 to ${gridColumns} columns`} />
        <NumberField control={control} name="h" label="Height" help="Rows of 32 pixels" />
      </FieldGrid>
    </FormDialog>
  )
}
