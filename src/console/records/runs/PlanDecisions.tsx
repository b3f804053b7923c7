import { useId, useState } from 'react'
import { describedBy, Field } from '#console/ui/base/Field.tsx'
import * as baseCss from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import type { PlanStepView } from '#contract/console/runs.ts'
import { pairsOf, withFields, withSide, type Decisions } from './decisions.ts'
import { formatFieldValue, formatPath } from './fieldPath.ts'
import * as css from './runs.module.css'

interface PlanDecisionsProps {
  steps: readonly PlanStepView[]
  /** Names the two values of a conflict: the one that the plan would write, and the stored one. */
  names: readonly [mine: string, theirs: string]
  /** Since when both sides changed: "the last promotion". */
  since: string
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
}

/**
 * Decisions that a plan needs: a value for each conflict, and fields that deployments never return. Not a form: each
 * choice makes another plan, whose conflicts are then others. The plan is what is submitted.
 */
export function PlanDecisions({ steps, names, since, decisions, onDecide }: PlanDecisionsProps) {
  return (
    <>
      {steps.flatMap((step) =>
        step.conflicts.map((conflict) => (
          <Conflict
            key={`${step.key} ${conflict.key}`}
            step={step}
            conflict={conflict}
            names={names}
            since={since}
            side={decisions.sides[step.key]?.[conflict.key]}
            onSide={(side) => onDecide(withSide(decisions, step.key, conflict.key, side))}
          />
        )),
      )}
      {steps
        .filter(({ unreturned }) => unreturned.length > 0)
        .map((step) => (
          <fieldset key={step.key} className={css.decision}>
            <Text component="legend" className={css.decisionLegend}>
              {step.name}: not returned by the API
            </Text>
            <span className={css.decisionMuted}>
              It may have had these. Enter them again, one “Name: value” on a line, or leave them empty.
            </span>
            <div className={css.decisionSides}>
              {step.unreturned.map((name) => (
                <PairsInput
                  key={name}
                  label={fieldLabels[name]}
                  onPairs={(pairs) => onDecide(withFields(decisions, step.key, { [name]: pairs }))}
                />
              ))}
            </div>
          </fieldset>
        ))}
    </>
  )
}

const fieldLabels: Record<PlanStepView['unreturned'][number], string> = {
  headers: 'Headers',
  queryParams: 'Query parameters',
}

interface ConflictProps {
  step: PlanStepView
  conflict: PlanStepView['conflicts'][number]
  names: PlanDecisionsProps['names']
  since: string
  side: 'mine' | 'theirs' | undefined
  onSide: (side: 'mine' | 'theirs') => void
}

/** A field that both sides changed: one value is kept. */
function Conflict({ step, conflict, names, since, side, onSide }: ConflictProps) {
  const { path, base, mine, theirs } = conflict
  return (
    <fieldset className={css.decision}>
      <Text component="legend" className={css.decisionLegend}>
        {step.name}: {formatPath(path)}
      </Text>
      <span className={css.decisionMuted}>
        was {formatFieldValue(base, path) || 'empty'} {since}; both sides changed it since
      </span>
      <div className={css.decisionSides}>
        {(['mine', 'theirs'] as const).map((version, at) => (
          <label key={version} className={css.decisionSide}>
            <input
              type="radio"
              name={`${step.key} ${conflict.key} ${names[1]}`}
              checked={side === version}
              onChange={() => onSide(version)}
            />
            <b>{formatFieldValue(version === 'mine' ? mine : theirs, path) || 'empty'}</b>
            <span className={css.decisionMuted}>{names[at]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface PairsInputProps {
  label: string
  onPairs: (pairs: Record<string, string>) => void
}

/** Names with values, one on a line. They are taken over when the field is left. */
function PairsInput({ label, onPairs }: PairsInputProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const id = useId()
  const leave = () => {
    const pairs = pairsOf(text)
    setError(pairs ? undefined : 'must be “Name: value” on each line')
    if (pairs) onPairs(pairs)
  }
  return (
    <Field id={id} label={label} error={error} hiddenLabel={false}>
      <textarea
        id={id}
        {...describedBy(id, { label, error })}
        rows={2}
        data-mono=""
        className={baseCss.control}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={leave}
      />
    </Field>
  )
}
