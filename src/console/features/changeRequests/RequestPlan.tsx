import { Fragment } from 'react'
import { formatFieldValue, formatPath, pathText } from '#console/records/runs/fieldPath.ts'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import { formatEstimate } from '#console/ui/time/formatLength.ts'
import * as base from '#console/ui/base/base.module.css'
import { formatOperation } from '#domain/records/formatOperation.ts'
import { counted } from '#domain/text/words.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import type { ChangeRequestDetail, RequestedChange, RequestedPlan } from '#contract/console/changeRequests.ts'
import * as css from './changeRequests.module.css'

const actionTones: Record<RequestedChange['action'], ChipTone> = {
  create: 'ok',
  update: 'warn',
  delete: 'bad',
  operate: 'warn',
}

/** The current effect of the request, or the approved plan: record by record, field by field. */
export function RequestPlan({ request }: { request: ChangeRequestDetail }) {
  const plan = request.plan ?? request.approved
  if (!plan) {
    return (
      <Panel title="Plan" flush>
        <PanelText>
          {request.planProblem ??
            'The plan is worked out while a request waits, and kept once it is approved. This one was not approved.'}
        </PanelText>
      </Panel>
    )
  }
  // The approved plan tells nothing about the deployment as it is now.
  const before = request.plan ? 'Now' : 'Before'
  return (
    <Panel title={request.plan ? 'Plan' : 'Approved plan'} flush aside={<PlanAside plan={plan} />}>
      {plan.changes.length === 0 && <PanelText>Nothing left to change: the target is as requested.</PanelText>}
      {plan.changes.length > 0 && (
        <table className={`${base.table} ${css.requestPlan}`} aria-label="Plan">
          <thead>
            <tr>
              <th>Field</th>
              <th>{before}</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>
            {plan.changes.map((change) => (
              <Fragment key={change.key}>
                <RecordRow change={change} />
                {change.fields.map((field) => (
                  <tr key={pathText(field.path)}>
                    <td className={css.requestValue}>{formatPath(field.path)}</td>
                    <td className={css.requestValue} data-label={before}>
                      <Value field={field} value={field.before} className={css.requestBefore} />{' '}
                      {field.moved && (
                        <StatusChip tone="warn">
                          was {formatFieldValue(field.asked, field.path) || 'empty'} when asked
                        </StatusChip>
                      )}
                    </td>
                    <td className={css.requestValue} data-label="After">
                      <Value field={field} value={field.after} className={css.requestAfter} />
                    </td>
                  </tr>
                ))}
                {change.fieldCount > change.fields.length && (
                  <tr>
                    <td colSpan={3} className={css.muted}>
                      and {counted(change.fieldCount - change.fields.length, 'more field')}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function PlanAside({ plan: { changes, requests, seconds } }: { plan: RequestedPlan }) {
  const fields = changes.reduce((sum, { fieldCount }) => sum + fieldCount, 0)
  return (
    <>
      {counted(fields, 'field')}
      {requests > 0 && ` · ${counted(requests, 'request')}, ${formatEstimate(seconds)}`}
    </>
  )
}

function RecordRow({ change }: { change: RequestedChange }) {
  const { kind, name, action, verb, problem } = change
  return (
    <tr>
      <th scope="rowgroup" colSpan={3} className={css.requestRecord}>
        <span className={css.recordName}>
          <KindIcon kind={kind} />
          <strong>{name}</strong>
          <span className={css.muted}>{kindLabel(kind).one}</span>
          <StatusChip tone={actionTones[action]}>
            {verb === undefined ? action : formatOperation(verb).replace(/ of$/, '')}
          </StatusChip>
          {problem !== undefined && <span className={css.requestProblem}>{problem}</span>}
        </span>
      </th>
    </tr>
  )
}

interface ValueProps {
  field: { path: readonly unknown[] }
  value: unknown
  className: string | undefined
}

function Value({ field, value, className }: ValueProps) {
  const text = formatFieldValue(value, field.path)
  return text === '' ? <span className={css.muted}>empty</span> : <span className={className}>{text}</span>
}
