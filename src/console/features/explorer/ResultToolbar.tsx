import { hint } from '#console/ui/hint/hint.ts'
import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartNoAxesColumn,
  Layers,
  Sigma,
  Hash,
  Table2,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { bucketOptions } from '#console/charting/queryBuilder/bucketOptions.ts'
import { type ChartType, chartTypeNames, chartTypes } from '#console/ui/chart/chartTypes.ts'
import { unitName, unitNames } from '#domain/charts/unitNames.ts'
import { type Unit, units } from '#domain/charts/units.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { CompareSelect } from './comparison/CompareSelect.tsx'
import { chartOf } from './query.ts'
import type { ExplorerState } from './state.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import * as css from './explorer.module.css'

const icons: Record<ChartType, LucideIcon> = {
  line: ChartLine,
  area: ChartArea,
  stackedArea: Layers,
  bar: ChartColumn,
  stackedBar: ChartColumnStacked,
}

interface ResultToolbarProps {
  state: ExplorerState
  /** The unit in which the result is shown. */
  unit: Unit
  /** Bucket length of the result, milliseconds. */
  bucketMs: number | undefined
  onChange: (part: Partial<ExplorerState>) => void
  /** Further display options. */
  children: ReactNode
}

/** Display options of the result: chart or table, bucket length, unit, empty buckets, comparison. */
export function ResultToolbar({ state, unit, bucketMs, onChange, children }: ResultToolbarProps) {
  return (
    <div className={css.resultToolbar}>
      <ToggleButtons<ChartType | 'table' | 'number'>
        label="Visualization"
        value={state.view === 'chart' ? chartOf(state) : state.view}
        options={visualizations}
        onChange={(chosen) =>
          onChange(chosen === 'table' || chosen === 'number' ? { view: chosen } : { view: 'chart', chart: chosen })
        }
      />
      {/* A number is of the whole range. */}
      {state.view !== 'number' && (
        <SelectInput
          label="Bucket length"
          hiddenLabel
          value={state.g}
          options={bucketOptions(state.g === 'auto' ? bucketMs : undefined)}
          onChange={(g) => onChange({ g })}
          minWidth={130}
        />
      )}
      {state.groupBy.length > 0 && state.view !== 'number' && (
        <SelectInput
          label="Groups"
          hiddenLabel
          value={String(state.top)}
          options={[...new Set([0, 5, 8, 10, 20, 50, state.top])].map((top) => ({
            value: String(top),
            label: top === 0 ? 'All groups' : `Top ${top}`,
          }))}
          onChange={(top) => onChange({ top: Number(top) })}
          minWidth={96}
        />
      )}
      <SelectInput
        label="Unit"
        hiddenLabel
        value={state.unit}
        options={[
          {
            value: 'auto' as const,
            label: state.unit === 'auto' && unit !== 'number' ? `Unit: auto, ${unitName(unit)}` : 'Unit: auto',
          },
          ...units.map((value) => ({ value, label: unitNames[value] })),
        ]}
        onChange={(unit) => onChange({ unit })}
        minWidth={110}
      />
      <Switchable
        label="Fill empty buckets with zero"
        short="Zero fill"
        on={state.empty === 'zero'}
        onSwitch={(on) => onChange({ empty: on ? 'zero' : 'gap' })}
        icon={Sigma}
      />
      {state.view === 'chart' && chartOf(state) === 'line' && (
        <Switchable
          label="Logarithmic value axis: zeros are gaps"
          short="Log scale"
          on={state.scale === 'log'}
          onSwitch={(on) => onChange({ scale: on ? 'log' : 'linear' })}
          icon={ChartNoAxesColumn}
        />
      )}
      <CompareSelect value={state.compare} onChange={(compare) => onChange({ compare })} />
      {children}
    </div>
  )
}

const iconOf = (Icon: LucideIcon) => <Icon size={15} aria-hidden />

const visualizations = [
  ...chartTypes.map((type) => ({ value: type, name: chartTypeNames[type], label: iconOf(icons[type]) })),
  { value: 'number' as const, name: 'Number', label: iconOf(Hash) },
  { value: 'table' as const, name: 'Table', label: iconOf(Table2) },
]

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
    <button
      type="button"
      {...hint(label)}
      aria-pressed={on}
      aria-label={`${short}: ${label}`}
      onClick={() => onSwitch(!on)}
      className={css.switch}
    >
      <Icon size={15} aria-hidden />
      {short}
    </button>
  )
}
