import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import * as base from '#console/ui/base/base.module.css'
import type { Side } from './conflict.ts'
import * as css from './form.module.css'

/** A value that somebody else changed while it was edited; all values as a person reads them. */
interface ConflictValues {
  key: string
  /** The label: "Name". */
  title: string
  original: string
  theirs: string
  /** Undefined: only they changed it, and their value is kept. */
  mine: string | undefined
}

interface ConflictTableProps {
  rows: readonly ConflictValues[]
  /** The value to keep, where it is chosen. */
  sideOf: (key: string) => Side | undefined
  onChoose: (key: string, side: Side) => void
}

/** Both versions side by side, with the choice which value to keep. */
export function ConflictTable({ rows, sideOf, onChoose }: ConflictTableProps) {
  return (
    <table className={`${base.table} ${css.conflicts}`}>
      <thead>
        <tr>
          <th>Field</th>
          <th>Original</th>
          <th>Theirs</th>
          <th>Yours</th>
          <th>Keep</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, original, theirs, mine }) => (
          <tr key={key}>
            <th scope="row">{title}</th>
            <td data-title="Original">{original}</td>
            <td data-title="Theirs">{theirs}</td>
            <td data-title="Yours">{mine ?? 'not changed'}</td>
            <td data-title="Keep">
              {mine === undefined ? (
                'Theirs'
              ) : (
                <ToggleButtonGroup
                  exclusive
                  size="small"
                  aria-label={`${title}: value to keep`}
                  value={sideOf(key) ?? null}
                  onChange={(_, side: Side | null) => side && onChoose(key, side)}
                >
                  <ToggleButton value="theirs">Theirs</ToggleButton>
                  <ToggleButton value="mine">Yours</ToggleButton>
                </ToggleButtonGroup>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
