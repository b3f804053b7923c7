import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'

interface RowListProps {
  /** Keys of the rows, in order. */
  ids: readonly string[]
  /** One of them: "Column". */
  one: string
  /** The label of the button that adds a row: "Add a column". */
  addLabel: string
  /** Shown while there are no rows. */
  none?: string
  /** The name of a row, for the button that removes it. */
  nameOf: (at: number) => string
  renderRow: (at: number) => ReactNode
  /** Widths of a row's fields where there is room; one under the other where there is not. */
  template: string
  error?: string | undefined
  locked: string | undefined
  onAdd: () => void
  onRemove: (at: number) => void
}

/** Rows of fields that can be added and removed. */
export function RowList(props: RowListProps) {
  const { ids, one, addLabel, none, nameOf, renderRow, template, error, locked, onAdd, onRemove } = props
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {none && ids.length === 0 && <Typography color="textSecondary">{none}</Typography>}
      {ids.map((id, at) => (
        <Box
          key={id}
          role="group"
          aria-label={`${one} ${at + 1}`}
          sx={{
            display: 'grid',
            gap: 2,
            alignItems: 'start',
            gridTemplateColumns: 'minmax(0, 1fr) 30px',
            // One by one: a border by its shorthand in a media query would lose its colour.
            borderBottomStyle: 'solid',
            borderBottomWidth: { xs: '1px', sm: 0 },
            borderColor: 'divider',
            pb: { xs: 3, sm: 0 },
          }}
        >
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              alignItems: 'start',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: template },
            }}
          >
            {renderRow(at)}
          </Box>
          <IconButton
            aria-label={`Remove ${nameOf(at) || `${one.toLowerCase()} ${at + 1}`}`}
            disabled={locked !== undefined}
            onClick={() => onRemove(at)}
            sx={{ mt: '23px' }}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </Box>
      ))}
      {error && (
        <Typography color="error" role="alert">
          {error}
        </Typography>
      )}
      <Button
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={onAdd}
        sx={{ alignSelf: 'flex-start' }}
      >
        {addLabel}
      </Button>
    </Box>
  )
}
