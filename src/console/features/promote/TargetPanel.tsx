import type { Decisions } from '#console/shell/runs/decisions.ts'
import { PlanDecisions } from '#console/shell/runs/PlanDecisions.tsx'
import { PlanSummary } from '#console/shell/runs/PlanSummary.tsx'
import { PlanTable } from '#console/shell/runs/PlanTable.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/connections.ts'
import type { TargetPlan } from '#contract/runs.ts'

interface TargetPanelProps {
  from: Connection
  connection: Connection
  plan: TargetPlan
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
}

/** The plan of a promotion on one connection. */
export function TargetPanel({ from, connection, plan, decisions, onDecide }: TargetPanelProps) {
  const changes = plan.counts.create + plan.counts.update + plan.counts.delete
  const isSame = changes === 0 && !plan.steps.some((step) => step.conflicts.length > 0)
  return (
    <Panel title={`Plan for ${connection.name}`} aside={<PlanSummary plan={plan} />} flush>
      {plan.problem !== undefined && <PanelText>{plan.problem}</PanelText>}
      {plan.problem === undefined && isSame && <PanelText>Nothing to do: everything is the same there.</PanelText>}
      {changes > 0 && <PlanTable steps={plan.steps} label={`Plan for ${connection.name}`} />}
      <PlanDecisions
        steps={plan.steps}
        names={[from.name, connection.name]}
        since="at the last promotion"
        decisions={decisions}
        onDecide={onDecide}
      />
    </Panel>
  )
}
