import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useState } from 'react'
import { matchRecords } from '#console/api/gateway/environments.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { kindLabel } from '#console/shell/runs/kinds.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import type { Cell, MatrixRow } from './matrix.ts'
import type { Environment } from './useEnvironments.ts'
import css from './MatchDialog.module.css'

/** Records that are listed: a search finds the others. */
const maxShown = 100

interface MatchDialogProps {
  row: MatrixRow
  cell: Cell
  baseline: Environment
  other: Environment
  onClose: () => void
}

/** Says that a record has another name elsewhere. */
export function MatchDialog({ row, cell, baseline, other, onClose }: MatchDialogProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | undefined>()
  const [saving, setSaving] = useState(false)
  // The baseline's record stays, if it has one: its counterpart is chosen.
  const isKept = cell.baselineId !== undefined
  const [kept, open] = isKept ? [baseline, other] : [other, baseline]
  const candidates = (other.column.comparison?.rows ?? []).flatMap(({ kind, name, id, baselineId }) => {
    const candidate = isKept ? id : baselineId
    return kind === row.kind && candidate !== undefined ? [{ id: candidate, name }] : []
  })
  const found = candidates.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const save = async () => {
    const keptId = isKept ? cell.baselineId : cell.id
    if (chosen === undefined || keptId === undefined) return
    setSaving(true)
    try {
      await matchRecords({
        kind: row.kind,
        name: row.name,
        records: [
          { connectionId: kept.connection.id, id: keptId },
          { connectionId: open.connection.id, id: chosen },
        ],
      })
      onClose()
    } catch (error) {
      toastFailure(error)
      setSaving(false)
    }
  }
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="match-title">
      <DialogTitle id="match-title">
        What {row.name} of {kept.connection.name} is on {open.connection.name}
      </DialogTitle>
      <DialogContent>
        <Text color="textSecondary">
          Both are compared from now on, whatever they are called. Nothing changes on the connections.
        </Text>
        <div className={css.search}>
          <SearchInput label="Search records" value={search} onChange={setSearch} />
        </div>
        <div role="radiogroup" aria-label="Records" className={css.records}>
          {found.slice(0, maxShown).map(({ id, name }) => (
            <label key={id} className={css.record}>
              <input type="radio" name="match" value={id} checked={chosen === id} onChange={() => setChosen(id)} />
              {name}
            </label>
          ))}
        </div>
        {found.length > maxShown && (
          <Text color="textSecondary">and {found.length - maxShown} more: search for their names</Text>
        )}
        {found.length === 0 && (
          <Text color="textSecondary">
            {open.connection.name} has no {kindLabel(row.kind).one} of this name.
          </Text>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="contained"
          color="primary"
          disabled={chosen === undefined}
          loading={saving}
          onClick={() => void save()}
        >
          Match
        </Button>
      </DialogActions>
    </Dialog>
  )
}
