import { useMutation } from '@tanstack/react-query'
import { Check, Circle, CircleAlert, LoaderCircle, RotateCcw, Trash2, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { actOnRotation, refreshRotated, type RotationAction } from '#console/api/gateway/apiKeys.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import type { ApiKeyRotation } from '#contract/console/apiKeyRotations.ts'
import { shownSteps, rotationStatusText, type StepState } from './rotationSteps.ts'
import * as css from '../organization.module.css'

const titles: Record<ApiKeyRotation['phase'], string> = { rotate: 'Rotation', undo: 'Undo', finish: 'End' }

/** The steps of a rotation, what stands, and what can be done next. */
export function RotationProgress({ rotation }: { rotation: ApiKeyRotation }) {
  const { id: connectionId } = useConnection()
  const { state, phase, done, problem, oldKey, newKey } = rotation
  /** Changes when steps have ended. */
  const settled = state === 'running' ? '' : `${phase} ${done}`
  useEffect(() => {
    if (settled !== '') void refreshRotated(connectionId)
  }, [connectionId, settled])
  return (
    <Column gap={16}>
      <Panel title={titles[phase]}>
        <Column gap={12}>
          <ol className={css.rotationSteps} aria-label="Steps">
            {shownSteps(rotation).map(({ step, label, state: stepState }) => (
              <li key={step} className={css.rotationStep} data-state={stepState}>
                <StepIcon state={stepState} />
                <span>{label}</span>
                <span className={css.stepState}>{stateLabels[stepState]}</span>
              </li>
            ))}
          </ol>
          {state === 'failed' && (
            <Notice tone="error" role="alert">
              {problem}
            </Notice>
          )}
          {state === 'interrupted' && (
            <Notice tone="warning" role="status">
              The console was stopped during this step. Continue: what is done already is found, and not done again.
            </Notice>
          )}
          <p className={css.standing} role="status">
            {rotationStatusText(rotation)}
          </p>
          <Actions rotation={rotation} />
        </Column>
      </Panel>
      <Panel title="Keys">
        <DescriptionList
          rows={[
            ['Old key', <KeyName key="old" name={oldKey.name} suffix={oldKey.suffix} />],
            ['New key', <KeyName key="new" name={newKey.name} suffix={newKey.suffix} />],
            ['New key expires', newKey.expireAt ? <Timestamp key="expires" iso={newKey.expireAt} /> : 'Never'],
            ['Started', <Timestamp key="started" iso={rotation.startedAt} />],
            ['By', formatBrowser(rotation.actor)],
          ]}
        />
      </Panel>
    </Column>
  )
}

const stateLabels: Record<StepState, string> = {
  done: 'done',
  running: 'under way',
  failed: 'failed',
  interrupted: 'interrupted',
  waiting: 'waiting',
}

function StepIcon({ state }: { state: StepState }) {
  if (state === 'done') return <Check size={16} aria-hidden />
  if (state === 'running') return <LoaderCircle size={16} aria-hidden className={css.spinning} />
  if (state === 'waiting') return <Circle size={16} aria-hidden />
  return <CircleAlert size={16} aria-hidden />
}

function KeyName({ name, suffix }: { name: string; suffix: string }) {
  return (
    <>
      {name} <code>…{suffix}</code>
    </>
  )
}

function Actions({ rotation }: { rotation: ApiKeyRotation }) {
  const connection = useConnection()
  const { id, phase, state, endedAt, oldKey, newKey, connections } = rotation
  const act = useMutation({
    mutationFn: (action: RotationAction) => actOnRotation(connection.id, id, action),
    onError: toastFailure,
  })
  if (endedAt || state === 'running') return null
  const reason = lockReason(connection)
  const isStopped = state === 'failed' || state === 'interrupted'
  const isKept = phase === 'undo' && isStopped && !connections.some(({ uses }) => uses === 'old')
  const undo = async () => {
    const sure = await confirm({
      title: 'Undo rotation?',
      body: `${oldKey.name} is enabled, the connections get it back, and ${newKey.name} is deleted.`,
      action: 'Undo rotation',
    })
    if (sure) act.mutate('undo')
  }
  const finish = async () => {
    const sure = await confirm({
      title: `Delete API key ${oldKey.name}?`,
      body: 'A deleted key cannot be restored, and the rotation can no longer be undone.',
      action: 'Delete old key',
      danger: true,
      irreversible: true,
    })
    if (sure) act.mutate('finish')
  }
  return (
    <Row>
      {isStopped && (
        <DisabledReason reason={reason}>
          <Button
            variant="contained"
            color="primary"
            disabled={reason !== undefined}
            loading={act.isPending}
            startIcon={<RotateCcw size={14} aria-hidden />}
            onClick={() => act.mutate('resume')}
          >
            Continue
          </Button>
        </DisabledReason>
      )}
      {phase !== 'undo' && (
        <DisabledReason reason={reason}>
          <Button
            disabled={reason !== undefined || act.isPending}
            startIcon={<Undo2 size={14} aria-hidden />}
            onClick={() => void undo()}
          >
            Undo
          </Button>
        </DisabledReason>
      )}
      {(state === 'done' || isKept) && (
        <DisabledReason reason={reason}>
          <Button
            color="error"
            disabled={reason !== undefined || act.isPending}
            startIcon={<Trash2 size={14} aria-hidden />}
            onClick={() => void finish()}
          >
            Delete old key
          </Button>
        </DisabledReason>
      )}
    </Row>
  )
}
