import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { seriesName } from '#console/charting/series/seriesNames.ts'
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
import type { Source } from '#contract/stack/sources.ts'
import { namedSeries } from './lines.ts'
import { type Saved, saveTile, type Target } from '#console/charting/tiles/saveTile.ts'
import { type ExplorerState, letters } from './state.ts'
import { kindOf, type SavedKind, savedKinds, tileOf } from './tile.ts'

interface SaveTileDialogProps {
  connection: Connection
  state: ExplorerState
  sources: readonly Source[]
  /** An alert watches a tile, so the query is saved as a tile first. */
  purpose: 'tile' | 'alert'
  onClose: () => void
}

/** In place of the ID of a dashboard. IDs have no colon. */
const newId = ':new'
/** In place of the position of a series. */
const allSeries = 'all'
/** Dashboards that are listed: typing finds the others. */
const maxShown = 100

const schema = z
  .object({
    dashboardId: z.string(),
    /** The name of the new dashboard. */
    newName: z.string().trim().max(maxDashboardName),
    series: z.string(),
    kind: z.enum(savedKinds),
    name: z.string().trim().min(1),
  })
  .refine(({ dashboardId, newName }) => dashboardId !== newId || newName !== '', {
    path: ['newName'],
    message: 'Required',
  })

type TileForm = z.infer<typeof schema>

const kindLabels: Record<SavedKind, string> = { line: 'Line', stacked_bar: 'Stacked bar', number: 'Number' }
const kinds = savedKinds.map((value) => ({ value, label: kindLabels[value] }))

/** Saves the query as a tile; for an alert, continues with its form. */
export function SaveTileDialog({ connection, state, sources, purpose, onClose }: SaveTileDialogProps) {
  const { data: known = [], error: unread } = useQuery(q(connection.id, dashboardSummaries, {}))
  const many = state.series.length > 1 && !state.formula.trim()
  const {
    control,
    formState: { isValid },
    handleSubmit,
    reset,
    getValues,
  } = useSchemaForm(schema, {
    dashboardId: newId,
    newName: '',
    // An alert watches one value.
    series: purpose === 'alert' && many ? '0' : allSeries,
    kind: kindOf(state),
    name: '',
  })
  const { dashboardId, series, kind } = useWatch({ control, compute: (all: TileForm) => all })
  const tile = tileOf(state, sources, { kind, only: series === allSeries ? null : Number(series) })
  const suggested = 'refused' in tile ? '' : tile.name
  // Names that nobody typed follow what is chosen.
  useEffect(() => {
    reset({ ...getValues(), name: suggested, newName: suggested }, { keepDirtyValues: true })
  }, [reset, getValues, suggested])

  const save = useSaveTile({ connection, sources, purpose, onClose })
  const send = handleSubmit((values) => {
    if ('refused' in tile) return
    const target = dashboardId === newId ? { newName: values.newName } : { dashboardId }
    save.mutate({ target, tile: { name: values.name, config: tile.config } })
  })
  const isNew = dashboardId === newId
  return (
    <FormDialog
      title={purpose === 'alert' ? 'Create alert' : 'Save as tile'}
      action={purpose === 'alert' ? 'Continue to alert' : 'Save tile'}
      busy={save.isPending}
      disabled={'refused' in tile || !isValid}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {purpose === 'alert' && (
        <Text color="textSecondary">
          Alerts are attached to dashboard tiles. If the dashboard has no tile with this query, one is saved first.
        </Text>
      )}
      {save.isError && <SubmitError error={formatError(save.error, location.pathname)} />}
      {unread && (
        <Notice tone="warning">
          Could not load the dashboards. {formatError(unread).sentence} You can still create a new one.
        </Notice>
      )}
      <PickField
        control={control}
        name="dashboardId"
        label="Dashboard"
        listed
        maxShown={maxShown}
        options={[
          { value: newId, label: 'New dashboard' },
          ...known.map(({ id, name }) => ({ value: id, label: name || 'Untitled dashboard' })),
        ]}
      />
      {isNew && <TextField control={control} name="newName" label="New dashboard name" maxLength={maxDashboardName} />}
      {many && <SeriesField control={control} series={state.series} purpose={purpose} />}
      <SelectField control={control} name="kind" label="Visualization" options={kinds} />
      <TextField control={control} name="name" label="Tile name" />
      <TileNotes tile={tile} isNew={isNew} />
    </FormDialog>
  )
}

interface SeriesFieldProps extends Pick<SaveTileDialogProps, 'purpose'> {
  control: Control<TileForm>
  series: ExplorerState['series']
}

/** Which of several series are saved. An alert watches one. */
function SeriesField({ control, series, purpose }: SeriesFieldProps) {
  return (
    <SelectField
      control={control}
      name="series"
      label="Series"
      options={[
        ...(purpose === 'tile' ? [{ value: allSeries, label: 'All series' }] : []),
        ...series.map((seriesState, index) => ({
          value: String(index),
          label: `${letters[index]}: ${seriesName(namedSeries(seriesState))}`,
        })),
      ]}
    />
  )
}

interface TileNotesProps {
  tile: ReturnType<typeof tileOf>
  /** Whether a dashboard is created with it. */
  isNew: boolean
}

/** Why the query is no tile, or what the tile lacks of it and what saving costs. */
function TileNotes({ tile, isNew }: TileNotesProps) {
  if ('refused' in tile) {
    return (
      <Notice tone="warning" role="status">
        {tile.refused}
      </Notice>
    )
  }
  return (
    <Text variant="caption" color="textSecondary">
      {tile.notes.join(' ')} {isNew ? 'Uses 1 request of the rate limit.' : 'Uses 2 requests of the rate limit.'}
    </Text>
  )
}

/** Saves the tile, and says so or continues with the form of its alert. */
function useSaveTile({ connection, sources, purpose, onClose }: Omit<SaveTileDialogProps, 'state'>) {
  const navigate = useNavigate()
  const goToAlert = ({ dashboard, tileId }: Saved) =>
    navigate({ to: paths.newAlert(connection.id), search: { dashboardId: dashboard.id, tileId } })
  const tell = ({ dashboard, written }: Saved) => {
    onClose()
    toast({
      tone: 'ok',
      text: written
        ? `Tile saved to dashboard ${dashboard.name}`
        : `Dashboard ${dashboard.name} already has this tile. Nothing was changed.`,
      action: {
        label: 'Open dashboard',
        run: () => void navigate({ to: paths.dashboard(connection.id, dashboard.id) }),
      },
    })
  }
  return useMutation({
    mutationFn: ({ target, tile }: { target: Target; tile: Parameters<typeof saveTile>[2] }) =>
      saveTile(connection.id, target, tile, sources),
    onSuccess: (saved) => (purpose === 'alert' ? goToAlert(saved) : tell(saved)),
  })
}
