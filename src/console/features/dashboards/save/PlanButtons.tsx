import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { curlOf } from '#console/api/curl.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewActions } from '#console/records/record/ReviewDialog.tsx'
import { nameToConfirm } from '#console/shell/stage/stageLabels.ts'
import { useTypedConfirmation } from '#console/shell/stage/useTypedConfirmation.tsx'
import { counted } from '#domain/text/words.ts'
import { sameWrite, type SavePlan } from './plan.ts'
import type { Save } from './useSave.ts'
import { useValidation, type Validation } from './useValidation.ts'
import * as css from '../dashboards.module.css'

interface PlanButtonsProps {
  save: Save
  step: 'plan' | 'writing'
  plan: SavePlan
  current: Dashboard
  back: string
  /** Saves without a click, once it is allowed. */
  presses: boolean
  onClose: () => void
}

/** The actions for a plan. Save can be clicked during validation: the dashboard is saved after it. */
export function PlanButtons({ save, step, plan, current, back, presses, onClose }: PlanButtonsProps) {
  const connection = useConnection()
  const validation = useValidation(plan, current)
  const deletes = plan.alerts?.filter(({ effect }) => effect === 'deleted').length ?? 0
  const name = useTypedConfirmation(deletes > 0 ? nameToConfirm(connection) : undefined)
  const reason = lockReason(connection) ?? refusal(plan, validation) ?? name.reason
  const checking = reason === undefined && validation.step === 'validating'
  const { waiting, press } = usePress(plan, checking, reason === undefined, save.write)
  const pressed = useRef(false)
  const pressOnce = useEffectEvent(() => {
    if (pressed.current) return
    pressed.current = true
    press()
  })
  const mayPress = presses && reason === undefined
  useEffect(() => {
    if (mayPress) pressOnce()
  }, [mayPress])
  const params = { dashboardId: current.id }
  const command = plan.body && curlOf(connection, dashboards.update, { params, body: plan.body })
  return (
    <>
      {name.field && <div className={css.confirmation}>{name.field}</div>}
      <ReviewActions
        command={command}
        status={waiting && 'Saving when validation completes'}
        back={back}
        action={deletes === 0 ? 'Save' : `Save and delete ${counted(deletes, 'alert')}`}
        danger={deletes > 0}
        writing={step === 'writing'}
        loading={waiting || step === 'writing'}
        disabled={reason}
        onSend={press}
        onClose={onClose}
      />
    </>
  )
}

/**
 * Saves on click, or when validation ends if it was still running. A click applies to the plan that was shown: a newer
 * plan, or an invalid one, needs another click.
 */
function usePress(plan: SavePlan, checking: boolean, allowed: boolean, write: () => void) {
  const [early, setEarly] = useState<SavePlan | null>(null)
  // One press, one write.
  const written = useRef<SavePlan | null>(null)
  const pressed = early !== null && sameWrite(early, plan)
  const writeIfPressed = useEffectEvent(() => {
    if (!pressed || !allowed || written.current === early) return
    written.current = early
    write()
  })
  useEffect(() => {
    if (!checking) writeIfPressed()
  }, [checking])
  return { waiting: checking && pressed, press: () => (checking ? setEarly(plan) : write()) }
}

function refusal(plan: SavePlan, validation: Validation): string | undefined {
  if (plan.undecided > 0) return `Resolve ${counted(plan.undecided, 'conflict')} first.`
  if (plan.body === null) return 'Nothing to save.'
  const wrong = validation.step === 'checked' ? validation.new.length : 0
  return wrong === 0 ? undefined : `The deployment would reject this. Fix ${counted(wrong, 'problem')} first.`
}
