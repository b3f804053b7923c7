import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sources as sourceEndpoints } from '#contract/sources.ts'
import { stringifyJson } from '#contract/json.ts'
import { type Outcome, runBulk } from '#console/api/bulk.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { OutcomeList } from '#console/shell/OutcomeList.tsx'
import { download } from '#console/ui/download.ts'
import { exportName, exportText } from '../model/importExport.ts'
import { parseJson } from '#contract/json.ts'
import { type BulkKind, deleteOne, type TagChange, tagOne } from './bulk.ts'
import type { DashboardRow } from './rows.ts'

interface BulkDialogProps {
  kind: BulkKind
  rows: readonly DashboardRow[]
  onClose: () => void
}

const titles: Record<BulkKind, (count: string) => string> = {
  delete: (count) => `Delete ${count}?`,
  tag: (count) => `Tag ${count}`,
  export: (count) => `Export ${count}`,
}
const buttons: Record<BulkKind, string> = { delete: 'Delete', tag: 'Change tags', export: 'Export' }

/** Asks, does it one by one, and shows what became of each. */
export function BulkDialog({ kind, rows, onClose }: BulkDialogProps) {
  const { id: connectionId } = useConnection()
  const sources = useQuery(q(connectionId, sourceEndpoints.list, {}))
  const [tags, setTags] = useState<TagChange>({ add: [], remove: [] })
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const started = outcomes.size > 0
  const failed = rows.filter(({ id }) => ['failed', 'left'].includes(outcomes.get(id)?.state ?? ''))
  const done = rows.filter(({ id }) => outcomes.get(id)?.state === 'done').length
  const count = rows.length === 1 ? `“${rows[0]?.name}”` : `${rows.length} dashboards`

  const run = async (chosen: readonly DashboardRow[]) => {
    if (kind === 'export') {
      exportAll(rows)
      onClose()
      return
    }
    setRunning(true)
    abort.current = new AbortController()
    const task = (id: string) => (kind === 'delete' ? deleteOne(connectionId, id) : tagOne(connectionId, id, tags))
    await runBulk(
      chosen.map(({ id }) => id),
      task,
      (id, outcome) => setOutcomes((before) => new Map(before).set(id, outcome)),
      abort.current.signal,
    )
    setRunning(false)
    void invalidate(connectionId, 'dashboards')
    if (kind === 'delete') void invalidate(connectionId, 'alerts')
  }
  const exportAll = (all: readonly DashboardRow[]) => {
    const texts = all.map(({ dashboard }) => exportText(dashboard, sources.data ?? []))
    const [only] = all
    if (all.length === 1 && only && texts[0]) return download(exportName(only), 'application/json', texts[0])
    download('dashboards.json', 'application/json', stringifyJson(texts.map(parseJson), 2))
  }
  const nothingChosen = kind === 'tag' && tags.add.length + tags.remove.length === 0
  return (
    <Dialog open onClose={running ? undefined : onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">{titles[kind](count)}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
        {kind === 'delete' && <DeleteWords rows={rows} />}
        {kind === 'tag' && <TagFields rows={rows} tags={tags} onTags={setTags} disabled={started} />}
        {kind === 'tag' && rows.length > 1 && (
          <Typography variant="caption" color="textSecondary">
            {rows.length * 2} requests: each dashboard is read right before it is written.
          </Typography>
        )}
        {started && (
          <>
            <Typography role="status">
              {done} of {rows.length} done{failed.length > 0 && !running && `, ${failed.length} not`}
            </Typography>
            <OutcomeList rows={rows} outcomes={outcomes} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        {running ? (
          <Button onClick={() => abort.current.abort()}>Stop after this one</Button>
        ) : (
          <Button onClick={onClose}>{started ? 'Close' : 'Cancel'}</Button>
        )}
        {(!started || failed.length > 0) && (
          <Button
            variant="contained"
            color={kind === 'delete' ? 'error' : 'primary'}
            loading={running}
            disabled={nothingChosen}
            onClick={() => void run(started ? failed : rows)}
          >
            {started ? `Try the ${failed.length} again` : buttons[kind]}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function DeleteWords({ rows }: { rows: readonly DashboardRow[] }) {
  const tiles = rows.reduce((sum, row) => sum + row.tiles, 0)
  const alerts = rows.reduce((sum, row) => sum + row.alerts.length, 0)
  return (
    <Typography>
      {tiles} {tiles === 1 ? 'tile' : 'tiles'} and {alerts} {alerts === 1 ? 'alert' : 'alerts'} go with{' '}
      {rows.length === 1 ? 'it' : 'them'}. Export first if you may want {rows.length === 1 ? 'it' : 'them'} back.
    </Typography>
  )
}

interface TagFieldsProps {
  rows: readonly DashboardRow[]
  tags: TagChange
  onTags: (tags: TagChange) => void
  disabled: boolean
}

function TagFields({ rows, tags, onTags, disabled }: TagFieldsProps) {
  const present = [...new Set(rows.flatMap((row) => row.tags))]
  return (
    <>
      <Autocomplete
        multiple
        freeSolo
        disabled={disabled}
        options={[]}
        value={[...tags.add]}
        onChange={(_, add) => onTags({ ...tags, add })}
        renderInput={(input) => <TextField {...input} label="Add tags" helperText="Enter after each" />}
      />
      <Autocomplete
        multiple
        disabled={disabled}
        options={present}
        value={[...tags.remove]}
        onChange={(_, remove) => onTags({ ...tags, remove })}
        renderInput={(input) => <TextField {...input} label="Take tags away" />}
      />
    </>
  )
}
