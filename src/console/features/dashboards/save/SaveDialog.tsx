import LinearProgress from '@mui/material/LinearProgress'
import { useEffect } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { formatError } from '#console/api/errors.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { ReviewFrame } from '#console/records/record/ReviewDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { FieldTable } from './ChangeList.tsx'
import { PlanButtons } from './PlanButtons.tsx'
import { PlanView } from './PlanView.tsx'
import { isPlainPlan } from './plan.ts'
import { announceSaved } from './announceSaved.ts'
import { type Save, useSave } from './useSave.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface SaveDialogProps {
  base: Dashboard
  draft: Dashboard
  /** Saves at once where there is nothing to decide; otherwise it is reviewed. */
  direct?: boolean
  /** The button that leaves without saving. */
  back?: string
  onClose: () => void
  /** Called with the stored dashboard after the save, once a message has reported it. */
  onSaved: (dashboard: Dashboard) => void
}

/** Shows the effects of a save before it is sent, and its result. */
export function SaveDialog({
  base,
  draft,
  direct = false,
  back = 'Back to editing',
  onClose,
  onSaved,
}: SaveDialogProps) {
  const connection = useConnection()
  const save = useSave(connection, base, draft)
  const { state } = save
  const quietlySaved = state.step === 'saved' && state.readBack.altered.length === 0 && !state.readBack.unread

  useEffect(() => {
    if (!quietlySaved) return
    announceSaved(connection, state)
    onSaved(state.dashboard)
  }, [quietlySaved, state, connection, onSaved])

  const busy = state.step === 'writing'
  const close = () => {
    if (state.step === 'saved') {
      announceSaved(connection, state)
      onSaved(state.dashboard)
    } else if (!busy) onClose()
  }
  return (
    <ReviewFrame
      title={
        state.step === 'saved'
          ? 'Saved'
          : state.step === 'unknown'
            ? 'Outcome unknown'
            : `Save dashboard ${draft.name}?`
      }
      wide
      busy={busy}
      actions={<SaveButtons save={save} direct={direct} back={back} onClose={close} />}
      onClose={close}
    >
      <SaveBody save={save} />
    </ReviewFrame>
  )
}

function SaveBody({ save }: { save: Save }) {
  const { state } = save
  switch (state.step) {
    case 'reading':
      return (
        <>
          <Text role="status">Loading the current version…</Text>
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
            <SubmitError error={formatError(state.failure, location.pathname)} />
          )}
          {state.step === 'plan' && state.again && (
            <Notice tone="warning" role="alert">
              Somebody else just changed this dashboard. Nothing was saved. Review the merged changes below.
            </Notice>
          )}
          <PlanView plan={state.plan} current={state.current} choices={save.choices} onChoose={save.choose} />
          {state.step === 'writing' && <LinearProgress aria-label="Saving" />}
        </>
      )
    case 'saved':
      return state.readBack.unread ? (
        <Notice tone="warning" role="alert">
          The dashboard was saved, but the result could not be verified.
        </Notice>
      ) : (
        <>
          <Notice tone="warning" role="alert">
            The deployment changed some fields while saving.
          </Notice>
          <FieldTable changes={state.readBack.altered} dashboards={[state.dashboard]} />
        </>
      )
    case 'unknown':
      return (
        <Notice tone="warning" role="alert">
          {state.now
            ? 'The response was lost, and the dashboard now matches neither the old nor the new version. Reload it and review your changes again.'
            : 'The response was lost, and the dashboard cannot be loaded. Your draft is kept. Try again when the deployment responds.'}
        </Notice>
      )
  }
}

interface SaveButtonsProps {
  save: Save
  direct: boolean
  back: string
  onClose: () => void
}

function SaveButtons({ save, direct, back, onClose }: SaveButtonsProps) {
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
            Reload
          </Button>
        )}
      </>
    )
  }
  const { plan, current } = state
  const isPlain = state.step === 'plan' && !state.again && state.failure === null && isPlainPlan(plan)
  return <PlanButtons {...{ save, step: state.step, plan, current, back, onClose }} presses={direct && isPlain} />
}
