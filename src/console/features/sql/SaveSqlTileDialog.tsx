import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useWatch } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { saveTile } from '#console/charting/tiles/saveTile.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { dashboardSummaries, maxDashboardName } from '#contract/stack/dashboards/dashboards.ts'
import { sources } from '#contract/stack/sources.ts'
import type { SqlResult } from '#contract/stack/sql.ts'
import { chartOf } from '#console/charting/sqlResult/resultSeries.ts'

interface SaveSqlTileDialogProps {
  connection: Connection
  statement: string
  columns: SqlResult['columns']
  onClose: () => void
}

/** In place of the ID of a dashboard. IDs have no colon. */
const newId = ':new'

const schema = z
  .object({
    dashboardId: z.string(),
    newName: z.string().trim().max(maxDashboardName),
    kind: z.enum(['table', 'line', 'number']),
    name: z.string().trim().min(1),
  })
  .refine(({ dashboardId, newName }) => dashboardId !== newId || newName !== '', {
    path: ['newName'],
    message: 'Required',
  })

const kinds = [
  { value: 'table', label: 'Table' },
  { value: 'line', label: 'Line' },
  { value: 'number', label: 'Number' },
]

/** Saves the statement as a Raw SQL tile. */
export function SaveSqlTileDialog({ connection, statement, columns, onClose }: SaveSqlTileDialogProps) {
  const navigate = useNavigate()
  const { data: known = [] } = useQuery(q(connection.id, dashboardSummaries, {}))
  const { data: all } = useQuery(q(connection.id, sources.list, {}))
  // The API has no list of connections to databases: sources name those that there are.
  const connectionId = all?.find((source) => source.connection)?.connection
  const overTime = !('refused' in chartOf({ columns, rows: [columns.map(() => '2026-01-01T00:00:00Z')] }))
  const { control, handleSubmit, formState } = useSchemaForm(schema, {
    dashboardId: newId,
    newName: 'SQL',
    kind: overTime ? 'line' : 'table',
    name:
      columns
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 60) || 'SQL',
  })
  const dashboardId = useWatch({ control, name: 'dashboardId' })
  const save = useMutation({
    mutationFn: (values: z.output<typeof schema>) => {
      const config = { configType: 'sql' as const, displayType: values.kind, sqlTemplate: statement, connectionId }
      const target = values.dashboardId === newId ? { newName: values.newName } : { dashboardId: values.dashboardId }
      return saveTile(connection.id, target, { name: values.name, config }, all ?? [])
    },
    onSuccess: ({ dashboard, written }) => {
      onClose()
      toast({
        tone: 'ok',
        text: written
          ? `Tile saved to dashboard ${dashboard.name}`
          : `Dashboard ${dashboard.name} already has this tile.`,
        action: {
          label: 'Open dashboard',
          run: () => void navigate({ to: paths.dashboard(connection.id, dashboard.id) }),
        },
      })
    },
  })
  const send = handleSubmit((values) => save.mutate(values))
  return (
    <FormDialog
      title="Save as tile"
      action="Save tile"
      busy={save.isPending}
      disabled={!formState.isValid || !connectionId}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {save.isError && <SubmitError error={formatError(save.error, location.pathname)} />}
      {all && !connectionId && (
        <Notice tone="warning">No source of this deployment names its database, which a Raw SQL tile needs.</Notice>
      )}
      <PickField
        control={control}
        name="dashboardId"
        label="Dashboard"
        listed
        maxShown={100}
        options={[
          { value: newId, label: 'New dashboard' },
          ...known.map(({ id, name }) => ({ value: id, label: name || 'Untitled dashboard' })),
        ]}
      />
      {dashboardId === newId && (
        <TextField control={control} name="newName" label="New dashboard name" maxLength={maxDashboardName} />
      )}
      <SelectField control={control} name="kind" label="Visualization" options={kinds} />
      <TextField control={control} name="name" label="Tile name" />
      <Text variant="caption" color="textSecondary">
        The statement is stored in the dashboard as it is written. Everybody who may read the dashboard sees it.
      </Text>
    </FormDialog>
  )
}
