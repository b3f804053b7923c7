import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Tooltip from '@mui/material/Tooltip'
import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  History,
  Layers,
  Sigma,
  Hash,
  Table2,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { bucketOptions } from '#console/shell/telemetry/bucketOptions.ts'
import { type ChartType, chartTypeNames, chartTypes } from '#console/ui/chart/chartTypes.ts'
import { unitNames, units } from '#console/ui/units.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { chartOf } from './query.ts'
import type { ExplorerState } from './state.ts'

const icons: Record<ChartType, LucideIcon> = {
  line: ChartLine,
  area: ChartArea,
  stackedArea: Layers,
  bar: ChartColumn,
  stackedBar: ChartColumnStacked,
}

interface ResultToolbarProps {
  state: ExplorerState
  /** Bucket length of the result, milliseconds. */
  bucketMs: number | undefined
  onChange: (part: Partial<ExplorerState>) => void
  /** Further display options. */
  children: ReactNode
}

/** Display options of the result: chart or table, bucket length, unit, empty buckets, comparison. */
export function ResultToolbar({ state, bucketMs, onChange, children }: ResultToolbarProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label="Visualization"
        value={state.view === 'chart' ? chartOf(state) : state.view}
        onChange={(_, chosen: ChartType | 'table' | 'number' | null) => {
          if (chosen === 'table' || chosen === 'number') onChange({ view: chosen })
          else if (chosen) onChange({ view: 'chart', chart: chosen })
        }}
      >
        {chartTypes.map((type) => {
          const Icon = icons[type]
          return (
            <ToggleButton
              key={type}
              value={type}
              aria-label={chartTypeNames[type]}
              title={chartTypeNames[type]}
              sx={button}
            >
              <Icon size={15} aria-hidden />
            </ToggleButton>
          )
        })}
        <ToggleButton value="number" aria-label="Number" title="Number" sx={button}>
          <Hash size={15} aria-hidden />
        </ToggleButton>
        <ToggleButton value="table" aria-label="Table" title="Table" sx={button}>
          <Table2 size={15} aria-hidden />
        </ToggleButton>
      </ToggleButtonGroup>
      {/* A number is of the whole range. */}
      {state.view !== 'number' && (
        <Box sx={quiet}>
          <SelectInput
            label="Bucket length"
            value={state.g}
            options={bucketOptions(state.g === 'auto' ? bucketMs : undefined)}
            onChange={(g) => onChange({ g })}
            minWidth={130}
          />
        </Box>
      )}
      <Box sx={quiet}>
        <SelectInput
          label="Unit"
          value={state.unit}
          options={[
            { value: 'auto' as const, label: 'Unit: auto' },
            ...units.map((value) => ({ value, label: unitNames[value] })),
          ]}
          onChange={(unit) => onChange({ unit })}
          minWidth={110}
        />
      </Box>
      <Switchable
        label="Fill empty buckets with zero"
        short="Zero fill"
        on={state.empty === 'zero'}
        onSwitch={(on) => onChange({ empty: on ? 'zero' : 'gap' })}
        icon={Sigma}
      />
      <Switchable
        label="Compare with the previous period"
        short="Previous"
        on={state.compare === 'previous'}
        onSwitch={(on) => onChange({ compare: on ? 'previous' : 'off' })}
        icon={History}
      />
      {children}
    </Box>
  )
}

const button = { width: 30, height: 30, p: 0 }
/** The value is self-explanatory: its label is for screen readers. */
const quiet = {
  '& .MuiInputLabel-root': { position: 'absolute', clipPath: 'inset(50%)', width: '1px', height: '1px', m: 0 },
}

interface SwitchableProps {
  label: string
  /** The label where there is room for a word. */
  short: string
  on: boolean
  onSwitch: (on: boolean) => void
  icon: LucideIcon
}

function Switchable({ label, short, on, onSwitch, icon: Icon }: SwitchableProps) {
  return (
    <Tooltip title={label}>
      <ToggleButton
        value="on"
        selected={on}
        aria-label={`${short}: ${label}`}
        onChange={() => onSwitch(!on)}
        sx={{ height: 30, px: 2, gap: 1.5 }}
      >
        <Icon size={15} aria-hidden />
        {short}
      </ToggleButton>
    </Tooltip>
  )
}
