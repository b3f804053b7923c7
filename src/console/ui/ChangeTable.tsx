import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { counted, inSentence } from './format.ts'

export interface Change {
  title: string
  /** As it is read: "250 m". Empty is none. */
  before: string
  after: string
}

/** Lists changes by field: the current and the new value. */
export function ChangeTable({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <Table size="small" aria-label={label}>
      <TableHead>
        <TableRow>
          <TableCell>Field</TableCell>
          <TableCell>Current</TableCell>
          <TableCell>New</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {changes.map(({ title, before, after }) => (
          <TableRow key={title}>
            <TableCell component="th" scope="row">
              {title}
            </TableCell>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>{before || 'none'}</TableCell>
            <TableCell sx={{ overflowWrap: 'anywhere', fontWeight: 550 }}>{after || 'none'}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

/** Why an edit cannot be sent without a change; undefined if there is one. */
export function withoutChange(changes: readonly Change[]): string | undefined {
  return changes.length === 0 ? 'No changes yet.' : undefined
}

/** "2 changes: replicas, memory", for the bar of a form. */
export function changeCount(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No changes'
  const titles = changes.map(({ title }) => inSentence(title)).join(', ')
  return `${counted(changes.length, 'change')}: ${titles}`
}
