import { visibleText } from '#domain/text/visibleText.ts'
import { useState } from 'react'
import type { PlanStepView } from '#contract/console/runs.ts'
import * as base from '#console/ui/base/base.module.css'
import { counted } from '#domain/text/words.ts'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { formatFieldValue, formatPath, pathText } from './fieldPath.ts'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import * as css from './runs.module.css'

export const actionTones: Record<PlanStepView['action'], ChipTone> = {
  create: 'ok',
  update: 'warn',
  delete: 'bad',
  same: 'neutral',
}

/** The steps of a plan that change something, in their order: what happens to each record, and its fields. */
export function PlanTable({ steps, label }: { steps: readonly PlanStepView[]; label: string }) {
  return (
    <table className={`${base.table} ${css.planSteps}`} aria-label={label}>
      <thead>
        <tr>
          <th>Record</th>
          <th>Action</th>
          <th className={css.requests}>Requests</th>
        </tr>
      </thead>
      <tbody>
        {steps
          .filter(({ action }) => action !== 'same')
          .map((step) => (
            <StepRows key={step.key} step={step} />
          ))}
      </tbody>
    </table>
  )
}

function StepRows({ step }: { step: PlanStepView }) {
  const { kind, name, action, changes, changeCount, requests, missing, blocked, refusals, kept } = step
  const [open, setOpen] = useState(false)
  const problems = [
    ...(blocked === undefined ? [] : [blocked]),
    // Once for all tiles that need it.
    ...new Set(missing.map(({ kind, name }) => `needs the ${kindLabel(kind).one} ${visibleText(name)}`)),
    ...refusals.map((reason) => `expected to be refused: ${visibleText(reason)}`),
  ]
  return (
    <>
      <tr>
        <th scope="row">
          <span className={css.planName}>
            <KindIcon kind={kind} />
            <span>
              {name} <span className={css.planKind}>{kindLabel(kind).one}</span>
            </span>
          </span>
        </th>
        <td>
          <StatusChip tone={actionTones[action]}>{action}</StatusChip>{' '}
          {action === 'update' && changes.length > 0 && (
            <button type="button" className={css.planToggle} aria-expanded={open} onClick={() => setOpen(!open)}>
              {counted(changeCount, 'field')}
            </button>
          )}
          {kept > 0 && ` ${counted(kept, 'edit')} there ${kept === 1 ? 'stays' : 'stay'}`}
          {problems.map((problem) => (
            <div key={problem} className={css.planProblem}>
              {problem}
            </div>
          ))}
        </td>
        <td className={css.requests}>{requests}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={3} className={css.planDetails}>
            <FieldChanges changes={changes} />
            {changeCount > changes.length && `and ${changeCount - changes.length} more`}
          </td>
        </tr>
      )}
    </>
  )
}

interface FieldChangesProps {
  changes: readonly { path: readonly unknown[]; before?: unknown; after?: unknown }[]
  /** Documents that have the names of the items in the paths. */
  documents?: readonly unknown[]
}

/** Changed fields: the value that is there, and the one that takes its place. */
export function FieldChanges({ changes, documents }: FieldChangesProps) {
  return (
    <table className={css.planFields}>
      <thead>
        <tr>
          <th>Field</th>
          <th>Before</th>
          <th>After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={pathText(path)}>
            <th scope="row">{formatPath(path, documents)}</th>
            <td className={formatFieldValue(before, path) ? css.planBefore : css.planKind}>
              {formatFieldValue(before, path) || 'none'}
            </td>
            <td className={css.planAfter}>{formatFieldValue(after, path) || 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
