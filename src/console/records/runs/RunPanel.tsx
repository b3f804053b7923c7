import { useQuery } from '@tanstack/react-query'
import { Check, CircleX, Clock3, Minus, Play, Square, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isUnderWay, resumeRun, runQuery, stopRun } from '#console/api/gateway/runs.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { counted } from '#domain/text/words.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { RunDetail } from '#contract/console/runs.ts'
import { formatEstimate } from '#console/ui/time/formatLength.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { runTitle, stateTones } from './runLabels.ts'
import * as css from './runs.module.css'

const UndoDialog = lazyComponent(async () => (await import('./UndoDialog.tsx')).UndoDialog)

interface RunPanelProps {
  runId: string
  /** Called with the id of the run that undoes it. */
  onUndo: (runId: string) => void
}

/** A run, step by step, while it is carried out and afterwards. */
export function RunPanel({ runId, onUndo }: RunPanelProps) {
  const { data: run, error, refetch } = useQuery(runQuery(runId))
  const { connections } = useFrameConnection()
  const isDone = run !== undefined && !isUnderWay(run)
  useEffect(() => {
    // Records that a run wrote are read again by every page.
    if (isDone)
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== 'runs' || queryKey.length === 1,
      })
  }, [isDone])
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!run) return null
  const { counts, state, from } = run
  const nameOf = (id: string) => connections.find((connection) => connection.id === id)?.name ?? 'a deleted connection'
  const share = counts.steps === 0 ? 100 : ((counts.done + counts.failed + counts.skipped) / counts.steps) * 100
  return (
    <Panel title={runTitle(run)} aside={<StatusChip tone={stateTones[state]}>{state}</StatusChip>}>
      {from !== undefined && (
        <Text color="textSecondary">
          {nameOf(from)} → {nameOf(run.connectionId)}
        </Text>
      )}
      <Text aria-live="polite">
        {counts.done} of {counted(counts.steps, 'record')}
        {run.requestsLeft > 0 &&
          ` · ${counted(run.requestsLeft, 'request')} to go, ${formatEstimate(run.secondsLeft)} at the rate limit`}
      </Text>
      <div className={css.runProgress}>
        <div className={css.runBar} style={{ width: `${share}%` }} {...(counts.failed > 0 && { 'data-failed': '' })} />
      </div>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ol className={css.runSteps} aria-label="Steps" tabIndex={0}>
        {run.steps.map((step) => (
          <Step key={step.key} step={step} />
        ))}
      </ol>
      {run.damaged ? (
        <Notice tone="warning">{run.damaged.join(' ')} The run can neither be resumed nor undone.</Notice>
      ) : (
        <RunActions run={run} onUndo={onUndo} />
      )}
    </Panel>
  )
}

function Step({ step }: { step: RunDetail['steps'][number] }) {
  const { kind, name, action, state, reason, found, notKept } = step
  return (
    <li data-state={state}>
      <StepIcon state={state} />
      <span className={css.runName} title={`${kindLabel(kind).one} ${name}`}>
        {name}
      </span>
      <span className={css.runMuted}>{state === 'done' ? outcomes[action](found) : words[state]}</span>
      {reason && <span className={css.runReason}>{reason}</span>}
      {notKept && <span className={css.runReason}>This deployment did not keep: {notKept.join(', ')}.</span>}
    </li>
  )
}

const words: Record<RunDetail['steps'][number]['state'], string> = {
  waiting: 'waits',
  running: 'writing…',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
}

const outcomes: Record<RunDetail['steps'][number]['action'], (found: boolean) => string> = {
  create: (found) => (found ? 'was there already' : 'created'),
  update: (found) => (found ? 'was so already' : 'updated'),
  delete: (found) => (found ? 'was gone already' : 'deleted'),
  same: () => 'same',
}

function StepIcon({ state }: { state: RunDetail['steps'][number]['state'] }) {
  switch (state) {
    case 'done':
      return <Check size={14} aria-hidden className={css.runOk} />
    case 'failed':
      return <CircleX size={14} aria-hidden className={css.runBad} />
    case 'running':
      return <Clock3 size={14} aria-hidden />
    case 'waiting':
    case 'skipped':
      return <Minus size={14} aria-hidden className={css.runMuted} />
  }
}

function RunActions({ run, onUndo }: { run: RunDetail; onUndo: (runId: string) => void }) {
  const [undoing, setUndoing] = useState(false)
  const canResume = ['stopped', 'interrupted', 'failed'].includes(run.state)
  const canUndo = !isUnderWay(run) && run.counts.done > 0 && run.undoneBy === undefined
  return (
    <div className={css.runActions}>
      {run.state === 'running' && (
        <Button startIcon={<Square size={13} aria-hidden />} onClick={() => void runWithToast(() => stopRun(run.id))}>
          Stop after this one
        </Button>
      )}
      {canResume && (
        <Button startIcon={<Play size={13} aria-hidden />} onClick={() => void runWithToast(() => resumeRun(run.id))}>
          Resume
        </Button>
      )}
      {canUndo && (
        <Button startIcon={<Undo2 size={13} aria-hidden />} onClick={() => setUndoing(true)}>
          Undo…
        </Button>
      )}
      {run.undoneBy !== undefined && <Text color="textSecondary">Undone</Text>}
      {undoing && (
        <UndoDialog
          run={run}
          onStarted={(runId) => {
            setUndoing(false)
            onUndo(runId)
          }}
          onClose={() => setUndoing(false)}
        />
      )}
    </div>
  )
}
