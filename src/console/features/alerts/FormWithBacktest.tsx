import Box from '@mui/material/Box'
import { useMemo, type ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import type { AlertForm } from './alertForm.ts'
import { Backtest } from './backtest/Backtest.tsx'
import type { BacktestFields, NumberField } from './backtest/backtestFields.ts'

interface FormWithBacktestProps {
  form: UseFormReturn<AlertForm>
  /** The fields of the form. */
  children: ReactNode
}

/** The fields of an alert with its backtest beside them, or below where there is no room. */
export function FormWithBacktest({ form, children }: FormWithBacktestProps) {
  return (
    <Box sx={layoutSx}>
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}>{children}</Box>
      <Box sx={{ minWidth: 0, position: { lg: 'sticky' }, top: { lg: 12 } }}>
        <WatchedBacktest form={form} />
      </Box>
    </Box>
  )
}

/** A typed key renders the backtest, not the fields again. */
function WatchedBacktest({ form }: { form: UseFormReturn<AlertForm> }) {
  const values = useWatch({ control: form.control, compute: (all: AlertForm) => all })
  const changes = useMemo((): Omit<BacktestFields, 'values'> => {
    const shouldValidate = () => form.formState.isSubmitted
    return {
      setNumber: (field: NumberField, value: number) =>
        form.setValue(field, value, { shouldDirty: true, shouldValidate: shouldValidate() }),
      removeOffset: () => {
        form.setValue('scheduleOffsetMinutes', null, { shouldDirty: true })
        form.setValue('scheduleStartAt', '', { shouldDirty: true })
      },
    }
  }, [form])
  return <Backtest fields={{ values, ...changes }} />
}

const layoutSx = {
  display: 'grid',
  gap: 4,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 880px)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' },
} as const
