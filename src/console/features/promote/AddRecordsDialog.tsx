import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useState } from 'react'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { counted } from '#domain/text/words.ts'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { RowCheckbox } from '#console/ui/table/RowCheckbox.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import type { ListedRecord } from './useRecords.ts'
import * as css from './promote.module.css'

interface AddRecordsDialogProps {
  title: string
  records: readonly ListedRecord[]
  chosen: ReadonlySet<string>
  onChoose: (records: ListedRecord[]) => void
  onClose: () => void
}

/** Rows that are drawn: a search finds the others. */
const maxShown = 200

/** Chooses records of a connection by name and kind. */
export function AddRecordsDialog({ title, records, chosen, onChoose, onClose }: AddRecordsDialogProps) {
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState(chosen)
  const words = search.toLowerCase().split(/\s+/)
  const found = records.filter((record) => {
    const text = `${record.name} ${kindLabel(record.kind).one}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const toggle = (key: string, isPicked: boolean) => {
    const next = new Set(picked)
    if (isPicked) next.add(key)
    else next.delete(key)
    setPicked(next)
  }
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="add-records-title">
      <DialogTitle id="add-records-title">{title}</DialogTitle>
      <DialogContent>
        <SearchInput label="Search records" value={search} onChange={setSearch} />
        <ul className={css.records}>
          {found.slice(0, maxShown).map((record) => {
            const key = keyOf(record)
            return (
              <li key={key}>
                <RowCheckbox label={record.name} checked={picked.has(key)} onChange={(on) => toggle(key, on)} />
                <KindIcon kind={record.kind} />
                <span className={css.name}>{record.name}</span>
                <Text variant="caption" color="textSecondary">
                  {kindLabel(record.kind).one}
                </Text>
              </li>
            )
          })}
        </ul>
        {found.length > maxShown && (
          <Text color="textSecondary">and {found.length - maxShown} more: search for their names</Text>
        )}
        {found.length === 0 && <Text color="textSecondary">No record has this name.</Text>}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => setPicked(new Set([...picked, ...found.map(keyOf)]))}>Choose all found</Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="contained"
          color="primary"
          onClick={() => onChoose(records.filter((record) => picked.has(keyOf(record))))}
        >
          Choose {counted(picked.size, 'record')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const keyOf = ({ kind, id }: ListedRecord) => `${kind}/${id}`
