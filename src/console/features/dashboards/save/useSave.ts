import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { alerts as alertEndpoints } from '#contract/alerts.ts'
import type { Connection } from '#contract/connections.ts'
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/sources.ts'
import { call } from '#console/api/call.ts'
import { type ApiFailure, asFailure } from '#console/api/failure.ts'
import { invalidate, q } from '#console/api/queries.ts'
import type { ReadBack } from '../model/changes.ts'
import type { Side } from '../model/merge.ts'
import { planSave, type SavePlan } from './plan.ts'
import { type DashboardAccess, type Written, writePlan } from './writePlan.ts'

type SaveState =
  | { step: 'reading' }
  | { step: 'failed'; failure: ApiFailure }
  | { step: 'plan'; plan: SavePlan; current: Dashboard; failure: ApiFailure | null; again: boolean }
  | { step: 'writing'; plan: SavePlan; current: Dashboard }
  | { step: 'saved'; dashboard: Dashboard; readBack: ReadBack }
  /** The response to the write was lost, and the stored dashboard is neither the old nor the new one. */
  | { step: 'unknown'; plan: SavePlan; now: Dashboard | null }

export interface Save {
  state: SaveState
  choose: (conflict: string, side: Side) => void
  choices: ReadonlyMap<string, Side>
  write: () => void
  reread: () => void
}

type Progress =
  | { step: 'reading' }
  | { step: 'failed'; failure: ApiFailure }
  | { step: 'plan'; current: Dashboard; failure: ApiFailure | null; again: boolean }
  | { step: 'writing'; current: Dashboard }
  | { step: 'saved'; dashboard: Dashboard; readBack: ReadBack }
  | { step: 'unknown'; current: Dashboard; now: Dashboard | null }

/**
 * A save from plan to read-back. The dashboard is read for the plan, and the gateway reads it again in the same step as
 * the write: a plan with an outdated base is not written.
 */
export function useSave(connection: Connection, base: Dashboard, draft: Dashboard): Save {
  const [progress, setProgress] = useState<Progress>({ step: 'reading' })
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const alerts = useQuery({ ...q(connection.id, alertEndpoints.list, {}), staleTime: 0 })
  const sources = useQuery(q(connection.id, sourceEndpoints.list, {}))
  const params = useMemo(() => ({ dashboardId: base.id }), [base.id])
  const read = useCallback(
    (priority: 'user' | 'readBack') => call(connection.id, dashboards.get, { params }, { priority }),
    [connection.id, params],
  )

  useEffect(() => {
    let live = true
    void begin(read).then((begun) => live && setProgress(begun))
    return () => {
      live = false
    }
  }, [read])
  const reread = () => {
    setProgress({ step: 'reading' })
    void begin(read).then(setProgress)
  }

  const current = 'current' in progress ? progress.current : null
  const plan = useMemo(
    () =>
      current && !alerts.isLoading
        ? planSave({ base, draft, current, choices, alerts: alerts.data, sources: sources.data })
        : null,
    [base, draft, current, choices, alerts.data, alerts.isLoading, sources.data],
  )

  const write = async () => {
    if (!plan?.body || !current || progress.step !== 'plan') return
    setProgress({ step: 'writing', current })
    const access: DashboardAccess = {
      read,
      write: (body, base) => call(connection.id, dashboards.update, { params, body }, { base }),
    }
    try {
      setProgress(after(current, await writePlan(access, current, { body: plan.body, target: plan.target })))
    } catch (error) {
      setProgress({ step: 'plan', current, failure: asFailure(error), again: false })
    } finally {
      void invalidate(connection.id, 'alerts')
      void invalidate(connection.id, 'dashboards')
    }
  }

  const choose = (conflict: string, side: Side) => setChoices((before) => new Map(before).set(conflict, side))
  return { state: stateOf(progress, plan), choices, choose, write: () => void write(), reread }
}

function after(current: Dashboard, written: Written): Progress {
  switch (written.outcome) {
    case 'saved':
      return { step: 'saved', dashboard: written.dashboard, readBack: written.readBack }
    case 'moved':
      return { step: 'plan', current: written.latest, failure: null, again: true }
    case 'notApplied':
      return { step: 'plan', current: written.latest, failure: null, again: false }
    case 'unknown':
      return { step: 'unknown', current, now: written.now }
  }
}

/** Reads the stored dashboard, the base of a plan. */
async function begin(read: (priority: 'user') => Promise<Dashboard>): Promise<Progress> {
  try {
    return { step: 'plan', current: await read('user'), failure: null, again: false }
  } catch (error) {
    return { step: 'failed', failure: asFailure(error) }
  }
}

function stateOf(progress: Progress, plan: SavePlan | null): SaveState {
  switch (progress.step) {
    case 'plan':
    case 'writing':
    case 'unknown':
      return plan ? { ...progress, plan } : { step: 'reading' }
    default:
      return progress
  }
}
