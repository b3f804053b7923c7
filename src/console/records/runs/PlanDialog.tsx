import { visibleText } from '#domain/text/visibleText.ts'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useState, type ReactNode } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { TargetPlan } from '#contract/console/runs.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { allowWrites } from '#console/shell/stage/readOnly.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import type { Decisions } from './decisions.ts'
import { PlanDecisions } from './PlanDecisions.tsx'
import { PlanSummary } from './PlanSummary.tsx'
import { PlanTable } from './PlanTable.tsx'

interface PlanDialogProps {
  title: string
  connection: Connection
  plan: TargetPlan | undefined
  error: unknown
  onRetry: () => void
  /** The label of the button: "Restore". */
  action: string
  /** Starts the run. */
  onStart: (plan: TargetPlan) => Promise<void>
  onClose: () => void
  /** Names the value that the plan would write, in a conflict: "before the run". */
  mine: string
  /** Names the time since which others may have changed something: "after the run". */
  since: string
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
  /** Another plan is being made. */
  isPending?: boolean
  /** The text of a plan that changes nothing. */
  nothingToDo?: string
  /** More about the error, under it. */
  errorDetails?: ReactNode
  children?: ReactNode
}

/** A plan before it is carried out: each record, what happens to it, the requests and how long they take. */
export function PlanDialog(props: PlanDialogProps) {
  const { title, connection, plan, error, onRetry, action, onStart, onClose, isPending = false, children } = props
  const { nothingToDo = 'Nothing to do: the connection is as it was.', errorDetails } = props
  const [starting, setStarting] = useState(false)
  const changes = plan ? plan.counts.create + plan.counts.update + plan.counts.delete : 0
  const reason = lockReason(connection) ?? (plan && reasonOf(plan, changes))
  const start = async () => {
    if (!plan || !(await isSure(connection, plan, action))) return
    setStarting(true)
    try {
      await onStart(plan)
    } catch (failure) {
      toastFailure(failure)
      onRetry()
    } finally {
      setStarting(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth="md"
      fullWidth
      aria-labelledby="plan-title"
      aria-busy={isPending || (!plan && !error)}
    >
      <DialogTitle id="plan-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <ConnectionLine connection={connection} />
        {children}
        {error !== null && error !== undefined && (
          <>
            <QueryError error={error} onRetry={onRetry} />
            {errorDetails}
          </>
        )}
        {!plan && !error && <Text color="textSecondary">Comparing with what the connection has now…</Text>}
        {plan && <PlanSummary plan={plan} />}
        {plan && changes === 0 && <Text>{nothingToDo}</Text>}
        {plan && changes > 0 && <PlanTable steps={plan.steps} label="Plan" />}
        {plan && (
          <PlanDecisions
            steps={plan.steps}
            names={[props.mine, `on ${visibleText(connection.name)} now`]}
            since={props.since}
            decisions={props.decisions}
            onDecide={props.onDecide}
          />
        )}
      </DialogContent>
      <DialogActions>
        {connection.readOnly && !connection.writesRefused && changes > 0 && (
          <Button onClick={() => void allowWrites(connection)}>Allow writes…</Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <DisabledReason reason={reason}>
          <Button
            variant="contained"
            color="primary"
            loading={starting}
            disabled={!plan || isPending || reason !== undefined}
            onClick={() => void start()}
          >
            {action}
          </Button>
        </DisabledReason>
      </DialogActions>
    </Dialog>
  )
}

function reasonOf(plan: TargetPlan, changes: number): string | undefined {
  if (changes === 0) return 'There is nothing to do.'
  if (plan.ready) return undefined
  if (plan.steps.some(({ undecided }) => undecided > 0)) {
    return 'Somebody changed the same fields since. Choose a value for each.'
  }
  return plan.steps.some(({ blocked }) => blocked !== undefined)
    ? 'A record cannot be written. The plan says why.'
    : 'A record needs another one that does not exist here. The plan says which.'
}

/** "2 created, 1 deleted". */
function formatCounts({ create, update, delete: deleted }: TargetPlan['counts']): string {
  const parts = [
    create > 0 && `${create} created`,
    update > 0 && `${update} changed`,
    deleted > 0 && `${deleted} deleted`,
  ]
  return `Records: ${parts.filter((part) => part !== false).join(', ')}`
}

/** On production, and wherever records are deleted, somebody confirms. */
async function isSure(connection: Connection, plan: TargetPlan, action: string): Promise<boolean> {
  // A change that waits for approval is confirmed by somebody else.
  if (connection.twoPersonApproval && !connection.breakGlass?.isMine) return true
  if (connection.stage !== 'production' && plan.counts.delete === 0) return true
  return confirm({
    title: `${action}?`,
    body: `${formatCounts(plan.counts)}. The run can be stopped, and undone afterwards.`,
    action,
    danger: plan.counts.delete > 0,
    irreversible: plan.counts.delete > 1,
    connection,
  })
}
