import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import type { Names } from '#console/usages/alertNames.ts'
import type { Unit } from '#domain/charts/units.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { AlertTestSteps } from './AlertTestSteps.tsx'
import type { AlertTest } from './useAlertTest.ts'

interface AlertTestDialogProps {
  test: AlertTest
  names: Names
  /** The unit of the values. */
  unit: Unit
  /** Sends another one. */
  onAgain: () => void
  onClose: () => void
}

/** The result of a test, over the page of its alert. */
export function AlertTestDialog({ test, names, unit, onAgain, onClose }: AlertTestDialogProps) {
  const id = useId()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>Test of the alert</DialogTitle>
      <DialogContent>
        <Column gap={16}>
          <AlertTestSteps test={test} names={names} unit={unit} />
        </Column>
      </DialogContent>
      <DialogActions>
        <Button onClick={onAgain} loading={test.pending}>
          Test again
        </Button>
        <Button variant="contained" color="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
