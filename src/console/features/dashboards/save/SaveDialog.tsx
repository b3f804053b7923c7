import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { curlOf } from '#console/api/curl.ts'
import { errorWords } from '#console/api/errors.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { CopyButton } from '#console/ui/CopyButton.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Reasoned } from '#console/ui/Reasoned.tsx'
import { FieldTable } from './ChangeList.tsx'
import { PlanView } from './PlanView.tsx'
import type { SavePlan } from './plan.ts'
import { type Save, useSave } from './useSave.ts'
import { useVerdict, type Verdict } from './useVerdict.ts'

interface SaveDialogProps {
  base: Dashboard
  draft: Dashboard
  /** The button that leaves without saving. */
  back?: string
  onClose: () => void
  /** What the deployment has after the save. */
  onSaved: (dashboard: Dashboard) => void
}

/** Shows what a save will do before it is done, and what came of it afterwards. */
export function SaveDialog({ base, draft, back = 'Back to editing', onClose, onSaved }: SaveDialogProps) {
  const connection = useConnection()
  const save = useSave(connection, base, draft)
  const { state } = save
  const quietlySaved = state.step === 'saved' && state.readBack.altered.length === 0 && !state.readBack.unread

  useEffect(() => {
    if (quietlySaved) onSaved(state.dashboard)
  }, [quietlySaved, state, onSaved])

  const busy = state.step === 'writing'
  const close = () => {
    if (state.step === 'saved') onSaved(state.dashboard)
    else if (!busy) onClose()
  }
  return (
    <Dialog open onClose={close} maxWidth="md" fullWidth aria-labelledby="save-title" aria-busy={busy}>
      <DialogTitle id="save-title">
        {state.step === 'saved' ? 'Saved' : state.step === 'unknown' ? 'Not known' : 'Save this dashboard?'}
      </DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
        <SaveBody save={save} />
      </DialogContent>
      <DialogActions disableSpacing sx={{ flexWrap: 'wrap', gap: 2, '& > *': { flexShrink: 0 } }}>
        <SaveButtons save={save} back={back} onClose={close} />
      </DialogActions>
    </Dialog>
  )
}

function SaveBody({ save }: { save: Save }) {
  const { state } = save
  switch (state.step) {
    case 'reading':
      return (
        <>
          <Typography role="status">Reading what is there now…</Typography>
          <LinearProgress />
        </>
      )
    case 'failed':
      return <QueryError error={state.failure} onRetry={save.reread} />
    case 'plan':
    case 'writing':
      return (
        <>
          {state.step === 'plan' && state.failure && (
            <SubmitError error={errorWords(state.failure, location.pathname)} />
          )}
          {state.step === 'plan' && state.again && (
            <Notice tone="warning" role="alert">
              It was changed by somebody else just now. Nothing was written; this is the new plan.
            </Notice>
          )}
          <PlanView plan={state.plan} current={state.current} choices={save.choices} onChoose={save.choose} />
          {state.step === 'writing' && <LinearProgress aria-label="Saving" />}
        </>
      )
    case 'saved':
      return state.readBack.unread ? (
        <Notice tone="warning" role="alert">
          The deployment took it, but it could not be read back to compare.
        </Notice>
      ) : (
        <>
          <Notice tone="warning" role="alert">
            The deployment took it, but keeps some fields otherwise than they were sent.
          </Notice>
          <FieldTable changes={state.readBack.altered} dashboards={[state.dashboard]} />
        </>
      )
    case 'unknown':
      return (
        <Notice tone="warning" role="alert">
          {state.now
            ? 'The answer was lost, and what is there now is neither what was there before nor what was sent. Make a new plan from what is there.'
            : 'The answer was lost, and the dashboard cannot be read. Your draft is kept; try again when the deployment answers.'}
        </Notice>
      )
  }
}

function SaveButtons({ save, back, onClose }: { save: Save; back: string; onClose: () => void }) {
  const { state } = save
  if (state.step === 'saved') {
    return (
      <Button variant="contained" color="primary" onClick={onClose}>
        Done
      </Button>
    )
  }
  if (state.step !== 'plan' && state.step !== 'writing') {
    return (
      <>
        <Button onClick={onClose}>{back}</Button>
        {state.step === 'unknown' && (
          <Button variant="contained" color="primary" onClick={save.reread}>
            Read it again
          </Button>
        )}
      </>
    )
  }
  const { plan, current } = state
  return <PlanButtons save={save} step={state.step} plan={plan} current={current} back={back} onClose={onClose} />
}

interface PlanButtonsProps {
  save: Save
  step: 'plan' | 'writing'
  plan: SavePlan
  current: Dashboard
  back: string
  onClose: () => void
}

function PlanButtons({ save, step, plan, current, back, onClose }: PlanButtonsProps) {
  const connection = useConnection()
  const verdict = useVerdict(plan, current)
  const reason = refusal(plan, verdict, connection.readOnly)
  const params = { dashboardId: current.id }
  const command = plan.body && curlOf(connection, dashboards.update, { params, body: plan.body })
  const deletes = plan.alerts?.filter(({ effect }) => effect === 'deleted').length ?? 0
  const label = deletes === 0 ? 'Save' : `Save and lose ${deletes === 1 ? '1 alert' : `${deletes} alerts`}`
  return (
    <>
      {command && <CopyButton text={command} label="Copy as cURL" />}
      <Box sx={{ flexGrow: 1 }} />
      <Button onClick={onClose} disabled={step === 'writing'}>
        {back}
      </Button>
      <Reasoned reason={reason}>
        <Button
          variant="contained"
          color={deletes > 0 ? 'error' : 'primary'}
          loading={step === 'writing'}
          disabled={reason !== undefined}
          onClick={save.write}
        >
          {label}
        </Button>
      </Reasoned>
    </>
  )
}

function refusal(plan: SavePlan, verdict: Verdict, readOnly: boolean): string | undefined {
  if (readOnly) return 'This connection is read-only.'
  if (plan.open > 0) return `${plan.open === 1 ? 'One conflict needs' : `${plan.open} conflicts need`} a choice.`
  if (plan.body === null) return 'There is nothing to save.'
  if (verdict.step === 'asking') return 'The deployment is still checking it.'
  const wrong = verdict.step === 'checked' ? verdict.new.length : 0
  return wrong === 0
    ? undefined
    : `The deployment would refuse it: ${wrong === 1 ? 'one thing' : `${wrong} things`} to mend first.`
}
