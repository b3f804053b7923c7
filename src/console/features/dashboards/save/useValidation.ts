/** Validation of a dashboard by the deployment before it is written: docs/DEPLOYMENTS.md#validation-of-dashboards. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { type FieldChange, diff } from '#domain/json/diff.ts'
import type { SavePlan } from './plan.ts'
import { withoutId } from '#console/features/dashboards/model/changes.ts'
import { copyBody } from '#console/features/dashboards/model/duplicate.ts'
import type { Path } from '#domain/json/json.ts'
import { formatPath } from './formatChanges.ts'

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

/** The body to validate. Deployments validate dashboards as new ones, which have no filter ids. */
export function checkedBody(target: Dashboard) {
  return { ...copyBody(target, target.name), tiles: target.tiles }
}

/** Fields of the request that the deployment would drop. `normalized` is what it would store. */
export function droppedFields(target: Dashboard, normalized: unknown): FieldChange[] {
  if (normalized === null || normalized === undefined) return []
  const sent = { ...checkedBody(target), tiles: target.tiles.map(withoutId) }
  return diff(sent, withoutTileIds(normalized)).filter(
    ({ before, after }) => before !== undefined && before !== null && after === undefined,
  )
}

interface Finding {
  /** The place in words, such as a tile; empty if it concerns the whole dashboard. */
  where: string
  message: string
}

/** The problems found, with tiles by name instead of place. `path`: `tiles.0.config.select`. */
export function findingsOf(errors: readonly { path: string; message: string }[], target: Dashboard): Finding[] {
  return errors.map(({ path, message }) => ({ where: formatPath(stepsOf(path, target), target), message }))
}

function stepsOf(path: string, target: Dashboard): Path {
  const lists = { tiles: target.tiles, filters: target.filters, containers: target.containers ?? [] }
  const steps = path === '' ? [] : path.split('.')
  return steps.map((step, index) => {
    if (!/^\d+$/.test(step)) return step
    const list = index === 1 ? steps[0] : undefined
    const id =
      list === 'tiles' || list === 'filters' || list === 'containers' ? lists[list][Number(step)]?.id : undefined
    return id === undefined ? Number(step) : { id }
  })
}

/** New findings of a save, and those from before it, which a deployment may accept. */
export function sortFindings(now: readonly Finding[], before: readonly Finding[]): { new: Finding[]; old: Finding[] } {
  const isOld = (finding: Finding) =>
    before.some(({ where, message }) => where === finding.where && message === finding.message)
  return { new: now.filter((finding) => !isOld(finding)), old: now.filter(isOld) }
}

function withoutTileIds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tiles' in value) || !Array.isArray(value.tiles)) return value
  return { ...value, tiles: value.tiles.map((tile: object) => withoutId(tile)) }
}
