import { useMemo, type ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import { alertInput, type Alert } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { alertForm } from './alertForm.ts'
import type { AlertForm } from './formFields.ts'
import { useAlertNames } from './alertResource.ts'
import {
  pastSilences,
  type BacktestFields,
  type NumberField,
} from '#console/features/alerts/backtest/backtestFields.ts'
import { Backtest } from './backtest/Backtest.tsx'
import * as css from './alerts.module.css'
import { Send } from 'lucide-react'
import type { Names } from '#console/usages/alertNames.ts'
import type { Unit } from '#domain/charts/units.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { AlertTestSteps } from './test/AlertTestSteps.tsx'
import { useAlertTest, type Trial } from './test/useAlertTest.ts'

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

interface AlertTestPanelProps {
  /** The typed value and its name; null if it breaks a rule, which the form shows. */
  typed: () => Promise<{ trial: Trial; name: string } | null>
  names: Names
  /** The unit of the values. */
  unit: Unit
}

/** Tests the alert as it is in the form, from its query to the answers of its receivers. */
function AlertTestPanel({ typed, names, unit }: AlertTestPanelProps) {
  const test = useAlertTest()
  const send = async () => {
    const input = await typed()
    if (input) await test.start(input.trial, input.name)
  }
  return (
    <Panel title="Test">
      <Column gap={12}>
        <Text color="textSecondary">
          Reads the newest window, compares it with the threshold and sends the message, marked as a test, to all
          channels. Nothing is saved.
        </Text>
        <div>
          <DisabledReason reason={test.blocked}>
            <Button
              startIcon={<Send size={14} aria-hidden />}
              disabled={test.blocked !== undefined}
              loading={test.pending}
              onClick={() => void send()}
            >
              Test alert
            </Button>
          </DisabledReason>
        </div>
        <AlertTestSteps test={test} names={names} unit={unit} />
      </Column>
    </Panel>
  )
}
