import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import { type AlertForm, fieldTitles } from './formFields.ts'
import { dashboardOptions, evaluationWarning, tileOptions } from './tileOptions.ts'
import { sourceOptions } from './alertLabels.ts'

interface FieldsProps {
  form: UseFormReturn<AlertForm>
}

/** The name and the query: a dashboard tile, or a saved search. */
export function QueryFields({ form }: FieldsProps) {
  const { control } = form
  const source = useWatch({ control, name: 'source' })
  return (
    <>
      <FieldGrid>
        <TextField
          control={control}
          name="name"
          label={fieldTitles.name}
          maxLength={512}
          placeholder="Default name"
          help="Title of the notification. Handlebars templates: {{value}}, {{group}}."
        />
        <SelectField
          control={control}
          name="source"
          label={fieldTitles.source}
          options={sourceOptions}
          freeText
          onPick={(picked) => clearOtherSource(form, picked)}
        />
        {source === 'saved_search' ? <SavedSearchFields form={form} /> : <TileFields form={form} />}
      </FieldGrid>
      {source === 'tile' && <TileWarning form={form} />}
    </>
  )
}

/** An alert has either a tile or a saved search: choosing one clears the other. */
function clearOtherSource(form: UseFormReturn<AlertForm>, source: string): void {
  const left = source === 'tile' ? (['savedSearchId', 'groupBy'] as const) : (['dashboardId', 'tileId'] as const)
  for (const field of left) form.setValue(field, '', { shouldDirty: true })
}

function SavedSearchFields({ form: { control } }: FieldsProps) {
  const { data, isPending, isError } = useQuery(q(useConnection().id, savedSearches.list, {}))
  return (
    <>
      <PickField
        control={control}
        name="savedSearchId"
        label={fieldTitles.savedSearchId}
        required
        options={(data ?? []).map(({ id, name, where }) => ({ value: id, label: name, detail: where || 'All rows' }))}
        loading={isPending}
        placeholder="Choose a saved search"
        emptyText="There are no saved searches"
        help={isError ? 'The saved searches could not be read: paste the ID.' : undefined}
      />
      <TextField
        control={control}
        name="groupBy"
        label={fieldTitles.groupBy}
        mono
        placeholder="ServiceName"
        help="SQL expressions. Each group is evaluated and notified separately."
      />
    </>
  )
}

function useDashboards() {
  return useQuery(q(useConnection().id, dashboards.list, {}))
}

function TileFields({ form }: FieldsProps) {
  const { control } = form
  const [source, dashboardId] = useWatch({ control, name: ['source', 'dashboardId'] })
  const { data, isPending, isError } = useDashboards()
  const unread = isError ? 'The dashboards could not be read: paste the ID.' : undefined
  return (
    <>
      <PickField
        control={control}
        name="dashboardId"
        label={fieldTitles.dashboardId}
        // The requirements of a query of an unknown kind are not known.
        required={source === 'tile'}
        options={dashboardOptions(data ?? [])}
        loading={isPending}
        placeholder="Choose a dashboard"
        help={unread}
        onPick={() => form.setValue('tileId', '', { shouldDirty: true })}
      />
      <PickField
        control={control}
        name="tileId"
        label={fieldTitles.tileId}
        required={source === 'tile'}
        options={tileOptions(data?.find(({ id }) => id === dashboardId))}
        loading={isPending}
        placeholder="Choose a tile"
        emptyText={dashboardId ? 'This dashboard has no suitable tiles' : 'Choose the dashboard first'}
        help={unread}
      />
    </>
  )
}

function TileWarning({ form: { control } }: FieldsProps) {
  const [dashboardId, tileId] = useWatch({ control, name: ['dashboardId', 'tileId'] })
  const board = useDashboards().data?.find((dashboard) => dashboard.id === dashboardId)
  const warning = evaluationWarning(board?.tiles.find((tile) => tile.id === tileId))
  if (!warning) return null
  return (
    <Notice tone="warning" role="status">
      {warning}
    </Notice>
  )
}
