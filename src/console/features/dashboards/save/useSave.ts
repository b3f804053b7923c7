import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { alerts as alertEndpoints } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { call } from '#console/api/call.ts'
import { type ApiFailure, asFailure } from '#console/api/failure.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
import type { Side } from '#console/ui/form/conflict.ts'
import type { ReadBack } from '../model/changes.ts'
import { planSave, type SavePlan } from './plan.ts'
import { dashboardAccess, planSaving, readBackOf } from './planSaving.ts'

type SaveState =
  | { step: 'reading' }
  | { step: 'failed'; failure: ApiFailure }
  /** `again`: the plan replaces one whose save was refused, because somebody else saved meanwhile. */
  | { step: 'plan'; plan: SavePlan; current: Dashboard; failure: ApiFailure | null; again: boolean }
  | { step: 'writing'; plan: SavePlan; current: Dashboard }
  | ({ step: 'saved' } & Saved)
  /** The response to the write was lost, and the stored dashboard is neither the old nor the new one. */
  | { step: 'unknown'; now: Dashboard | null }

/** The deployment's dashboard after a save. */
export interface Saved {
  dashboard: Dashboard
  readBack: ReadBack
  /** Its dashboard before. */
  before: Dashboard
  /** Alerts were deleted with their tiles: a save of the dashboard as it was does not bring them back. */
  deletedAlerts: boolean
}

export interface Save {
  state: SaveState
  choose: (conflict: string, side: Side) => void
  choices: ReadonlyMap<string, Side>
  write: () => void
  reread: () => void
}

/** The stored dashboard, the base of a plan. */
type Reading = { step: 'reading' } | { step: 'failed'; failure: ApiFailure } | { step: 'read'; current: Dashboard }

/** A save from plan to read-back. A plan with an outdated base is not written, but made again. */
export function useSave(connection: Connection, base: Dashboard, draft: Dashboard): Save {
  const params = useMemo(() => ({ dashboardId: base.id }), [base.id])
  const { reading, setCurrent, reread } = useReading(connection.id, params)
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  const alerts = useQuery({ ...q(connection.id, alertEndpoints.list, {}), staleTime: 0 })
  const sources = useQuery(q(connection.id, sourceEndpoints.list, {}))

  const current = reading.step === 'read' ? reading.current : null
  const plan = useMemo(
    () =>
      current && !alerts.isLoading
        ? planSave({ base, draft, current, choices, alerts: alerts.data, sources: sources.data })
        : null,
    [base, draft, current, choices, alerts.data, alerts.isLoading, sources.data],
  )

  const guarded = useGuardedSave<Dashboard>({
    checksAtOnce: true,
    onSaved: (dashboard) =>
      current &&
      plan &&
      setSaved({
        dashboard,
        readBack: readBackOf(current, plan.target, dashboard),
        before: current,
        deletedAlerts: plan.alerts?.some(({ effect }) => effect === 'deleted') ?? true,
      }),
    onNotDone: setCurrent,
    onFailure: setFailure,
  })
  const write = async () => {
    if (!plan?.body || !current || guarded.state.step === 'writing') return
    const access = dashboardAccess(connection.id, params)
    setFailure(null)
    const { body, target } = plan
    await guarded.save({ ...planSaving(access, current, { body, target }), onConflict: setCurrent })
    void invalidate(connection.id, 'alerts')
    void invalidate(connection.id, 'dashboards')
  }

  const stateNow = (): SaveState => {
    const { state } = guarded
    if (saved) return { step: 'saved', ...saved }
    if (state.step === 'lost') return { step: 'unknown', now: state.now }
    if (reading.step === 'failed') return reading
    if (!plan || !current) return { step: 'reading' }
    if (state.step === 'writing') return { step: 'writing', plan, current }
    return { step: 'plan', plan, current, failure, again: state.step === 'conflict' }
  }
  return {
    state: stateNow(),
    choices,
    choose: (conflict, side) => setChoices((before) => new Map(before).set(conflict, side)),
    write: () => void write(),
    reread: () => {
      guarded.clear()
      setFailure(null)
      reread()
    },
  }
}

/** Reads the stored dashboard, past the cache. */
function useReading(connectionId: string, params: { dashboardId: string }) {
  const [reading, setReading] = useState<Reading>({ step: 'reading' })
  const setCurrent = (current: Dashboard) => setReading({ step: 'read', current })
  const read = useCallback(async (): Promise<Reading> => {
    try {
      return { step: 'read', current: await call(connectionId, dashboards.get, { params }, { priority: 'user' }) }
    } catch (error) {
      return { step: 'failed', failure: asFailure(error) }
    }
  }, [connectionId, params])
  useEffect(() => {
    let live = true
    void read().then((result) => live && setReading(result))
    return () => {
      live = false
    }
  }, [read])
  const reread = () => {
    setReading({ step: 'reading' })
    void read().then(setReading)
  }
  return { reading, setCurrent, reread }
}
