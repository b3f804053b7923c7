import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import TextField from '@mui/material/TextField'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { seriesName } from '#console/telemetry/seriesNames.ts'
import { paths } from '#console/paths/paths.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/connections.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { dashboards } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'
import { namedSeries } from './lines.ts'
import { type Saved, saveTile, type Target } from './saveTile.ts'
import { type ExplorerState, letters } from './state.ts'
import { kindOf, type SavedKind, savedKinds, tileOf } from './tile.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface SaveTileDialogProps {
  connection: Connection
  state: ExplorerState
  sources: readonly Source[]
  /** An alert watches a tile, so the query is saved as a tile first. */
  purpose: 'tile' | 'alert'
  onClose: () => void
}

/** A dashboard to choose. An empty id is a new one. */
interface Option {
  id: string
  label: string
}

const newDashboard: Option = { id: '', label: 'New dashboard' }
/** Maximum number of options. Typing narrows them. */
const narrowed = createFilterOptions<Option>({ limit: 100 })

const kindLabels: Record<SavedKind, string> = { line: 'Line', stacked_bar: 'Stacked bar', number: 'Number' }

/** Saves the query as a tile; for an alert, continues with its form. */
export function SaveTileDialog({ connection, state, sources, purpose, onClose }: SaveTileDialogProps) {
  const navigate = useNavigate()
  const { data: known = [], error: unread } = useQuery(q(connection.id, dashboards.list, {}))
  const options = [newDashboard, ...known.map(({ id, name }) => ({ id, label: name || 'Untitled dashboard' }))]
  const [target, setTarget] = useState(newDashboard)
  const [kind, setKind] = useState(kindOf(state))
  const many = state.series.length > 1 && !state.formula.trim()
  // An alert watches one value.
  const [only, setOnly] = useState(purpose === 'alert' && many ? 0 : null)
  const tile = tileOf(state, sources, { kind, only })
  const suggested = 'refused' in tile ? '' : tile.name
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? suggested
  const [typedDashboard, setTypedDashboard] = useState<string | null>(null)
  const newName = typedDashboard ?? suggested

  const save = useMutation({
    mutationFn: (to: Target) => {
      if ('refused' in tile) throw new Error(tile.refused)
      return saveTile(connection.id, to, { name: name.trim(), config: tile.config }, sources)
    },
    onSuccess: (saved) => (purpose === 'alert' ? goToAlert(saved) : tell(saved)),
  })
  const goToAlert = ({ dashboard, tileId }: Saved) =>
    navigate({ to: paths.newAlert(connection.id), search: { dashboardId: dashboard.id, tileId } })
  const tell = ({ dashboard, written }: Saved) => {
    onClose()
    toast({
      tone: 'ok',
      text: written
        ? `Tile saved to “${dashboard.name}”.`
        : `“${dashboard.name}” already has this tile. Nothing was changed.`,
      action: {
        label: 'Open dashboard',
        run: () => void navigate({ to: paths.dashboard(connection.id, dashboard.id) }),
      },
    })
  }
  const isNew = target.id === ''
  const incomplete = 'refused' in tile || name.trim() === '' || (isNew && newName.trim() === '')
  const title = purpose === 'alert' ? 'Create alert' : 'Save as tile'
  return (
    <FormDialog
      title={title}
      action={purpose === 'alert' ? 'Continue to alert' : 'Save tile'}
      busy={save.isPending}
      disabled={incomplete}
      onSubmit={() => save.mutate(isNew ? { newName: newName.trim() } : { dashboardId: target.id })}
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
      <Autocomplete
        options={options}
        value={target}
        disableClearable
        filterOptions={narrowed}
        isOptionEqualToValue={(a, b) => a.id === b.id}
        getOptionKey={({ id }) => id}
        onChange={(_, chosen) => setTarget(chosen)}
        renderInput={(params) => <TextField {...params} label="Dashboard" />}
      />
      {isNew && (
        <TextField
          label="New dashboard name"
          value={newName}
          onChange={(event) => setTypedDashboard(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 1024 } }}
        />
      )}
      {many && (
        <SelectInput
          label="Series"
          value={only === null ? 'all' : String(only)}
          options={[
            ...(purpose === 'tile' ? [{ value: 'all', label: 'All series' }] : []),
            ...state.series.map((one, index) => ({
              value: String(index),
              label: `${letters[index]}: ${seriesName(namedSeries(one))}`,
            })),
          ]}
          onChange={(chosen) => setOnly(chosen === 'all' ? null : Number(chosen))}
        />
      )}
      <SelectInput
        label="Visualization"
        value={kind}
        options={savedKinds.map((value) => ({ value, label: kindLabels[value] }))}
        onChange={setKind}
      />
      <TextField label="Tile name" value={name} onChange={(event) => setTyped(event.target.value)} />
      {'refused' in tile ? (
        <Notice tone="warning" role="status">
          {tile.refused}
        </Notice>
      ) : (
        <Text variant="caption" color="textSecondary">
          {tile.notes.join(' ')} {isNew ? 'Uses 1 request of the rate limit.' : 'Uses 2 requests of the rate limit.'}
        </Text>
      )}
    </FormDialog>
  )
}
