import { useState } from 'react'
import { lockReason } from '#console/shell/lockReason.ts'
import { allowWrites } from '#console/shell/stage/readOnly.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { formatEstimate } from '#console/ui/time/formatLength.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { counted } from '#domain/text/words.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { BottomBar } from '#console/ui/layout/BottomBar.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { TargetPlan } from '#contract/console/runs.ts'
import * as css from './promote.module.css'

interface PromoteBarProps {
  targets: readonly { connection: Connection; plan: TargetPlan }[]
  /** The decisions that are left. */
  left: readonly string[]
  isPlanning: boolean
  onStart: (continueOnFailure: boolean) => Promise<void>
}

/** The changes to send, the decisions that are left, and the start. */
export function PromoteBar({ targets, left, isPlanning, onStart }: PromoteBarProps) {
  const [onFailure, setOnFailure] = useState<'stop' | 'continue'>('stop')
  const [starting, setStarting] = useState(false)
  const requests = targets.reduce((sum, { plan }) => sum + plan.requests, 0)
  const seconds = Math.max(...targets.map(({ plan }) => plan.seconds))
  const locked = targets.find(
    ({ connection, plan }) => plan.requests > 0 && lockReason(connection) !== undefined,
  )?.connection
  const reason = locked
    ? `${locked.name}: ${lockReason(locked)}`
    : left.length > 0
      ? `Left to decide: ${left.join('; ')}`
      : undefined
  const start = async () => {
    const production = targets.filter(({ connection }) => connection.stage === 'production')
    for (const { connection, plan } of production) {
      const body = `${counted(plan.counts.create, 'record')} created and ${counted(plan.counts.update, 'record')} changed. The run can be stopped, and undone afterwards.`
      if (!(await confirm({ title: `Promote to connection ${connection.name}?`, body, action: 'Promote', connection })))
        return
    }
    setStarting(true)
    await onStart(onFailure === 'continue')
    setStarting(false)
  }
  return (
    <BottomBar label="Promotion">
      <div className={css.promoteBar}>
        <span>
          {counted(requests, 'request')}, {formatEstimate(seconds)}
        </span>
        {locked && (
          <span className={css.promoteLeft}>
            {locked.writesRefused ? `no writes on ${locked.name}` : `${locked.name} is read-only`}
          </span>
        )}
        {locked && !locked.writesRefused && <Button onClick={() => void allowWrites(locked)}>Allow writes…</Button>}
        {left.length > 0 && <span className={css.promoteLeft}>left to decide: {left.slice(0, 3).join(' and ')}</span>}
        <div className={css.promoteSpacer} />
        <SelectInput
          label="On failure"
          hiddenLabel
          value={onFailure}
          options={[
            { value: 'stop', label: 'On failure: stop' },
            { value: 'continue', label: 'On failure: continue' },
          ]}
          onChange={setOnFailure}
        />
        <DisabledReason reason={reason}>
          <Button
            variant="contained"
            color="primary"
            loading={starting || isPlanning}
            disabled={reason !== undefined}
            onClick={() => void start()}
          >
            Promote
          </Button>
        </DisabledReason>
      </div>
    </BottomBar>
  )
}
