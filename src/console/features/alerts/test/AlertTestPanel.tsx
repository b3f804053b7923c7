import { Send } from 'lucide-react'
import type { Names } from '#console/usages/alertNames.ts'
import type { Unit } from '#domain/charts/units.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { AlertTestSteps } from './AlertTestSteps.tsx'
import { useAlertTest, type Trial } from './useAlertTest.ts'

interface AlertTestPanelProps {
  /** The typed value and its name; null if it breaks a rule, which the form shows. */
  typed: () => Promise<{ trial: Trial; name: string } | null>
  names: Names
  /** The unit of the values. */
  unit: Unit
}

/** Tests the alert as it is in the form, from its query to the answers of its receivers. */
export function AlertTestPanel({ typed, names, unit }: AlertTestPanelProps) {
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
