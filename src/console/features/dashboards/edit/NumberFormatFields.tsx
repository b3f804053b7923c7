import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { useMetricUnits } from '#console/charting/useMetricUnits.ts'
import { automaticUnit } from '#domain/series/seriesUnits.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import type { Source } from '#contract/stack/sources.ts'
import { numberFormatOutputs } from '#contract/stack/dashboards/tileParts.ts'
import { commonUnit } from '#domain/charts/axisUnits.ts'
import { unitName } from '#domain/charts/unitNames.ts'
import type { Unit } from '#domain/charts/units.ts'
import { numericUnitsOf, takes } from '../model/numberFormatForm.ts'
import type { TileForm } from './tileForm.ts'
import * as css from '../dashboards.module.css'

interface NumberFormatFieldsProps {
  form: UseFormReturn<TileForm>
  /** The source of the tile; undefined while none is chosen, and for SQL. */
  source: Source | undefined
}

const outputNames: Record<(typeof numberFormatOutputs)[number], string> = {
  currency: 'Currency',
  percent: 'Percent (of a share: 0.5 is 50%)',
  byte: 'Data size',
  time: 'Time (h:mm:ss)',
  duration: 'Duration',
  number: 'Number',
  data_rate: 'Data rate',
  throughput: 'Throughput',
}

/** How the numbers of a tile are written. A format takes the place of the automatic unit, and says so. */
export function NumberFormatFields({ form, source }: NumberFormatFieldsProps) {
  const { control } = form
  const output = useWatch({ control, name: 'output' })
  const numericUnit = useWatch({ control, name: 'numericUnit' })
  const automatic = useAutomaticUnit(form, source)
  const name = automatic === 'number' ? 'plain number' : unitName(automatic)
  const units = numericUnitsOf(output)
  return (
    <>
      <FieldGrid columns={3}>
        <SelectField
          control={control}
          name="output"
          label="Number format"
          options={[
            { value: '', label: `Automatic: ${name}` },
            ...numberFormatOutputs.map((value) => ({ value, label: outputNames[value] })),
          ]}
          help={output === '' ? undefined : `Kept with the tile, in place of the automatic unit (${name})`}
        />
        {units.length > 0 && (
          <SelectField
            control={control}
            name="numericUnit"
            label="Values are in"
            options={[{ value: '', label: output === 'byte' ? 'Bytes' : 'No unit' }, ...units]}
          />
        )}
        {takes.unit(output) && <TextField control={control} name="unit" label="Unit or symbol" maxLength={100} />}
        {takes.factor(output) && (
          <NumberField
            control={control}
            name="factor"
            label="Factor"
            help="Length of one unit in seconds, for example 1e-9 for nanoseconds"
          />
        )}
        {takes.mantissa(output) && (
          <NumberField control={control} name="mantissa" label="Decimals" help="Empty for as many as needed" />
        )}
      </FieldGrid>
      {(takes.separators(output) || takes.decimalBytes(output, numericUnit)) && (
        <div className={css.switches}>
          {takes.separators(output) && (
            <>
              <SwitchField control={control} name="thousandSeparated" label="Thousands separators" />
              <SwitchField control={control} name="average" label="Abbreviate (1.5k)" />
            </>
          )}
          {takes.decimalBytes(output, numericUnit) && (
            <SwitchField control={control} name="decimalBytes" label="Use decimal units (1 kB = 1,000 bytes)" />
          )}
        </div>
      )}
    </>
  )
}

/** The unit that the tile has without a format, as far as its series have the same. */
function useAutomaticUnit({ control }: UseFormReturn<TileForm>, source: Source | undefined): Unit {
  const series = useWatch({ control, name: 'series' })
  const units = useMetricUnits(useConnection().id, source)
  return commonUnit(series.map((seriesForm) => automaticUnit(seriesForm, source, units)))
}
