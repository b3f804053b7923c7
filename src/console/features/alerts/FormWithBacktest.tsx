import { useMemo, type ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import type { Alert } from '#contract/alerts.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import type { AlertForm } from './alertForm.ts'
import { pastSilences } from './backtest/pastSilences.ts'
import { Backtest } from './backtest/Backtest.tsx'
import type { BacktestFields, NumberField } from './backtest/backtestFields.ts'
import css from './FormWithBacktest.module.css'

interface FormWithBacktestProps {
  form: UseFormReturn<AlertForm>
  /** What is stored, if it is. Its silences count in the backtest. */
  alert?: Alert
  /** The fields of the form. */
  children: ReactNode
}

/** The fields of an alert with its backtest beside them, or below where there is no room. */
export function FormWithBacktest({ form, alert, children }: FormWithBacktestProps) {
  return (
    <div className={css.formWithBacktest}>
      <Column>{children}</Column>
      <div className={css.backtest}>
        <WatchedBacktest form={form} alert={alert} />
      </div>
    </div>
  )
}

/** A typed key renders the backtest, not the fields again. */
function WatchedBacktest({ form, alert }: { form: UseFormReturn<AlertForm>; alert: Alert | undefined }) {
  const values = useWatch({ control: form.control, compute: (all: AlertForm) => all })
  const changes = useMemo((): Omit<BacktestFields, 'values' | 'silences'> => {
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
  const silences = useMemo(() => pastSilences(alert), [alert])
  return <Backtest fields={{ values, silences, ...changes }} />
}
