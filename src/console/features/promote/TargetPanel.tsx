import { formatFieldValue, formatPath } from '#console/shell/runs/fieldPath.ts'
import { PlanSummary } from '#console/shell/runs/PlanSummary.tsx'
import { PlanTable } from '#console/shell/runs/PlanTable.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/connections.ts'
import type { PlanStepView, TargetPlan } from '#contract/runs.ts'
import css from './TargetPanel.module.css'

interface TargetPanelProps {
  from: Connection
  connection: Connection
  plan: TargetPlan
  sideOf: (step: string, field: string) => 'mine' | 'theirs' | undefined
  onSide: (step: string, field: string, side: 'mine' | 'theirs') => void
}

/** What a promotion would do on one connection. */
export function TargetPanel({ from, connection, plan, sideOf, onSide }: TargetPanelProps) {
  const changes = plan.counts.create + plan.counts.update + plan.counts.delete
  const conflicts = plan.steps.filter((step) => step.conflicts.length > 0)
  return (
    <Panel title={`Plan for ${connection.name}`} aside={<PlanSummary plan={plan} />} flush>
      {plan.problem !== undefined && <PanelText>{plan.problem}</PanelText>}
      {plan.problem === undefined && changes === 0 && conflicts.length === 0 && (
        <PanelText>Nothing to do: everything is the same there.</PanelText>
      )}
      {changes > 0 && <PlanTable steps={plan.steps} label={`Plan for ${connection.name}`} />}
      {conflicts.flatMap((step) =>
        step.conflicts.map((conflict) => (
          <Conflict
            key={`${step.key} ${conflict.key}`}
            step={step}
            conflict={conflict}
            names={[from.name, connection.name]}
            side={sideOf(step.key, conflict.key)}
            onSide={(side) => onSide(step.key, conflict.key, side)}
          />
        )),
      )}
    </Panel>
  )
}

interface ConflictProps {
  step: PlanStepView
  conflict: PlanStepView['conflicts'][number]
  names: readonly [mine: string, theirs: string]
  side: 'mine' | 'theirs' | undefined
  onSide: (side: 'mine' | 'theirs') => void
}

/** A field that both sides changed since the last promotion: one value is kept. */
function Conflict({ step, conflict, names, side, onSide }: ConflictProps) {
  const { path, base, mine, theirs } = conflict
  const field = `${step.name}: ${formatPath(path)}`
  return (
    <fieldset className={css.conflict}>
      <Text component="legend" className={css.legend}>
        {field}
      </Text>
      <span className={css.muted}>
        was {formatFieldValue(base) || 'empty'} at the last promotion; both sides changed it since
      </span>
      <div className={css.sides}>
        {(['mine', 'theirs'] as const).map((one, at) => (
          <label key={one}>
            <input
              type="radio"
              name={`${step.key} ${conflict.key} ${names[1]}`}
              checked={side === one}
              onChange={() => onSide(one)}
            />
            <b>{formatFieldValue(one === 'mine' ? mine : theirs) || 'empty'}</b>
            <span className={css.muted}>{names[at]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
