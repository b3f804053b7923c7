import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { FieldChange } from '#domain/json/diff.ts'
import type { SavePlan } from './plan.ts'
import { checkedBody, droppedFields, type Finding, findingsOf, sortFindings } from './validation.ts'

export type Validation =
  | { step: 'validating' }
  /** The deployment offers no check. */
  | { step: 'unsupported' }
  | { step: 'failed'; message: string }
  | {
      step: 'checked'
      /** Problems that this save adds: it would be refused. */
      new: Finding[]
      /** Earlier problems: a deployment checks new dashboards more strictly than changed ones. */
      old: Finding[]
      /** Fields that it would not keep. */
      lost: FieldChange[]
    }

/** The findings of the deployment about a plan. If there are any, the stored dashboard is checked too. */
export function useValidation({ target, body, undecided }: SavePlan, current: Dashboard): Validation {
  const enabled = body !== null && undecided === 0
  const check = useCheck(target, enabled)
  const before = useCheck(current, enabled && check.data?.valid === false)
  return useMemo((): Validation => {
    if (check.isError) {
      const { code, message } = asFailure(check.error)
      return code === 'notOffered' || code === 'notFound' ? { step: 'unsupported' } : { step: 'failed', message }
    }
    if (!check.data) return { step: 'validating' }
    const { valid, errors, normalized } = check.data
    if (valid) return { step: 'checked', new: [], old: [], lost: droppedFields(target, normalized) }
    if (before.isPending) return { step: 'validating' }
    const findings = sortFindings(findingsOf(errors, target), findingsOf(before.data?.errors ?? [], current))
    return { step: 'checked', ...findings, lost: [] }
  }, [check.isError, check.error, check.data, before.isPending, before.data, target, current])
}

function useCheck(dashboard: Dashboard, enabled: boolean) {
  const { id: connectionId } = useConnection()
  const body = useMemo(() => checkedBody(dashboard), [dashboard])
  return useQuery({
    ...q(connectionId, dashboards.validate, { body }, { priority: 'user' }),
    enabled,
    retry: false,
    gcTime: 0,
  })
}
