import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { Plus, Trash2 } from 'lucide-react'
import { PanelPopover } from '../layout/PanelPopover.tsx'
import type { Column } from './columns.ts'
import { operatorsOf } from './filters.ts'
import type { TableFilter } from './tableState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { DateTimeInput } from '../time/DateTimeInput.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from './table.module.css'

interface FilterPanelProps {
  anchor: HTMLElement
  onClose: () => void
  columns: readonly Column<never>[]
  filters: readonly TableFilter[]
  onFilters: (filters: TableFilter[]) => void
}

/** Filters, one a line: column, comparison, value. A row must pass all of them. */
export function FilterPanel({ anchor, onClose, columns, filters, onFilters }: FilterPanelProps) {
  const lines = filters.length > 0 ? filters : [firstFilter(columns)]
  const change = (at: number, filter: TableFilter) =>
    onFilters(lines.map((line, other) => (other === at ? filter : line)))
  return (
    <PanelPopover label="Filters" anchor={anchor} onClose={onClose} className={css.toolbarPanel}>
      <div className={css.filters}>
        {lines.map((filter, at) => (
          <FilterLine
            key={at}
            at={at}
            filter={filter}
            columns={columns}
            onChange={(changed) => change(at, changed)}
            onRemove={() => onFilters(lines.filter((_, other) => other !== at))}
          />
        ))}
        <div>
          <Button
            startIcon={<Plus size={14} aria-hidden />}
            onClick={() => onFilters([...lines, firstFilter(columns)])}
          >
            Add filter
          </Button>
        </div>
      </div>
    </PanelPopover>
  )
}

function firstFilter([column]: readonly Column<never>[]): TableFilter {
  return { column: column?.id ?? '', operator: (column && operatorsOf(column)[0]?.id) ?? 'has', value: '' }
}

interface FilterLineProps {
  at: number
  filter: TableFilter
  columns: readonly Column<never>[]
  onChange: (filter: TableFilter) => void
  onRemove: () => void
}

function FilterLine({ at, filter, columns, onChange, onRemove }: FilterLineProps) {
  const column = columns.find(({ id }) => id === filter.column) ?? columns[0]
  if (!column) return null
  const operators = operatorsOf(column)
  const operator = operators.find(({ id }) => id === filter.operator) ?? operators[0]
  const name = (what: string) => ({ htmlInput: { 'aria-label': `${what} of filter ${at + 1}` } })
  return (
    <div className={css.filterLine}>
      <TextField
        select
        value={column.id}
        onChange={(event) => {
          const next = columns.find(({ id }) => id === event.target.value)
          if (next) onChange(firstFilter([next]))
        }}
        slotProps={name('Column')}
        sx={{ width: 140, flexShrink: 0 }}
      >
        {columns.map((column) => (
          <MenuItem key={column.id} value={column.id}>
            {column.title}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        value={operator?.id ?? ''}
        onChange={(event) => onChange({ ...filter, column: column.id, operator: event.target.value })}
        slotProps={name('Comparison')}
        sx={{ width: 110, flexShrink: 0 }}
      >
        {operators.map((operator) => (
          <MenuItem key={operator.id} value={operator.id}>
            {operator.label}
          </MenuItem>
        ))}
      </TextField>
      <div className={css.filterValue}>
        {operator?.takesValue && (
          <FilterValue
            column={column}
            label={`Value of filter ${at + 1}`}
            value={filter.value}
            onChange={(value) => onChange({ column: column.id, operator: operator.id, value })}
          />
        )}
      </div>
      <IconButton aria-label={`Remove filter ${at + 1}`} onClick={onRemove}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </div>
  )
}

interface FilterValueProps {
  column: Column<never>
  label: string
  value: string
  onChange: (value: string) => void
}

const inputTypes = { number: 'number', text: 'text' } as const
const booleanOptions = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
]

function FilterValue({ column, label, value, onChange }: FilterValueProps) {
  const { type = 'text' } = column
  if (type === 'timestamp') {
    return <DateTimeInput label={label} hiddenLabel value={value} zone="local" onChange={onChange} />
  }
  const shared = {
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    slotProps: { htmlInput: { 'aria-label': label } },
  }
  if (type !== 'choice' && type !== 'boolean') return <TextField {...shared} type={inputTypes[type]} />
  const options = column.type === 'choice' ? column.options : booleanOptions
  return (
    <TextField {...shared} select>
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  )
}
