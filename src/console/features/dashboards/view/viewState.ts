/** The view state in the URL of a dashboard: range, refresh, query, filter values, tabs, full-screen tile. */
import { z } from 'zod'
import { granularities } from '#contract/stack/charts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { isRangeEnd, resolveRange, type TimeRange } from '#console/ui/time/range.ts'
import { refreshChoices } from '#console/ui/time/refresh.ts'
import { chosenZone } from '#console/shell/browserSettings.ts'
import { isZone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'

const defaultRange: TimeRange = { from: 'now-6h', to: 'now' }

/** Parameters that belong to one filter or container are read unchanged: `f.<id>`, `tab.<id>`, `fold.<id>`. */
export const viewSchema = z.looseObject({
  from: z.string().refine(isRangeEnd).catch(defaultRange.from),
  to: z.string().refine(isRangeEnd).catch(defaultRange.to),
  tz: z.string().refine(isZone).catch(chosenZone).default(chosenZone),
  refresh: z.enum(refreshChoices).catch('off'),
  granularity: z.enum([...granularities, 'auto']).catch('auto'),
  /** Condition for all tiles; absent is the dashboard's own. */
  q: z.string().optional(),
  ql: z.enum(['lucene', 'sql']).optional(),
  /** Id of the tile that fills the window. */
  full: z.string().optional(),
  /** The dashboard fills the window, for a screen on a wall. */
  wall: z.literal('1').optional().catch(undefined),
  edit: z.literal('1').optional().catch(undefined),
  /** ID of the tile whose editor is open when editing begins. */
  tile: z.string().optional(),
})
export type ViewState = z.output<typeof viewSchema>

/** The time range of a view at a time: the default one, with the problem, if the one in the URL cannot be resolved. */
export function viewSpan({ from, to, tz }: ViewState, now: number): { span: Span; problem: string | null } {
  const resolved = resolveRange({ from, to }, { now, zone: tz })
  if (!('problem' in resolved)) return { span: resolved, problem: null }
  const span = resolveRange(defaultRange, { now, zone: tz }) as Span // the default is a range
  return { span, problem: resolved.problem }
}

/** How often a dashboard is refreshed: on a screen on a wall always, as nobody is there to do it. */
export const refreshOf = ({ refresh, wall }: ViewState) => (wall === '1' && refresh === 'off' ? '1m' : refresh)

/** The query string of a dashboard's view and editor. */
export interface ScreenProps {
  dashboard: Dashboard
  state: ViewState
  onState: (patch: Record<string, string | undefined>, how?: { push?: boolean }) => void
}

/** Values chosen for a filter, as its parameter spells them; undefined if nothing was chosen in the address. */
export function filterValues(state: ViewState, filterId: string): string[] | undefined {
  const text = state[`f.${filterId}`]
  if (typeof text !== 'string') return undefined
  try {
    return z.array(z.string()).parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The parameter of selected values. An empty selection is included too, because a dashboard can have defaults. */
export function filterPatch(
  filterId: string,
  values: readonly string[] | undefined,
): Record<string, string | undefined> {
  return { [`f.${filterId}`]: values === undefined ? undefined : JSON.stringify(values) }
}

/** Which tabs are open and which groups are folded, as the address has it: `tab.<container>`, `fold.<container>`. */
export type ContainerStates = Readonly<Record<string, unknown>>

export function containerState(state: ContainerStates, kind: 'tab' | 'fold', containerId: string): string | undefined {
  const text = state[`${kind}.${containerId}`]
  return typeof text === 'string' ? text : undefined
}
