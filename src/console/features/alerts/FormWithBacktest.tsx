import { useMemo, type ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import { alertInput, type Alert } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { alertForm } from './alertForm.ts'
import { type AlertForm } from './formFields.ts'
import { useAlertNames } from './alertResource.ts'
import { pastSilences } from './backtest/pastSilences.ts'
import { Backtest } from './backtest/Backtest.tsx'
import type { BacktestFields, NumberField } from './backtest/backtestFields.ts'
import { AlertTestPanel } from './test/AlertTestPanel.tsx'
import * as css from './alerts.module.css'

interface FormWithBacktestProps {
  form: UseFormReturn<AlertForm>
  /** The stored alert, if there is one. Its silences count in the backtest. */
  alert?: Alert
  /** The fields of the form. */
  children: ReactNode
}

/** The fields of an alert with its backtest and its test beside them, or below where there is no room. */
export function FormWithBacktest({ form, alert, children }: FormWithBacktestProps) {
  const connection = useConnection()
  const { names } = useAlertNames()
  const [source, dashboardId, tileId] = useWatch({
    control: form.control,
    name: ['source', 'dashboardId', 'tileId'],
  })
  const unit = useWatchedUnit(connection, { source, dashboardId, tileId })
  return (
    <div className={css.formWithBacktest}>
      <Column>{children}</Column>
      <div className={css.backtest}>
        <Column>
          <WatchedBacktest form={form} alert={alert} />
          <AlertTestPanel typed={() => typedAlert(form, alert, connection)} names={names} unit={unit} />
        </Column>
      </div>
    </div>
  )
}

/** The alert as it is in the form, to test it; null if it breaks a rule, which the form shows. */
async function typedAlert(form: UseFormReturn<AlertForm>, alert: Alert | undefined, connection: Connection) {
  if (!(await form.trigger())) return null
  const base = alert ?? null
  const body = alertInput.safeParse(alertForm.body(form.getValues(), base, connection, base))
  if (!body.success) return null
  return {
    trial: { ...(alert && { alertId: alert.id }), alert: body.data },
    name: form.getValues('name') || 'this alert',
  }
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
