/** The menu of a tile in view mode. */
import { useNavigate } from '@tanstack/react-router'
import {
  Bell,
  ChartSpline,
  Copy,
  Database,
  Expand,
  FileImage,
  FileSpreadsheet,
  Link2,
  Pencil,
  Rows3,
  Split,
} from 'lucide-react'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { explorerLink } from '#console/charting/search/explorerLink.ts'
import { lineId } from '#console/charting/series/seriesNames.ts'
import { distinctSeries, tileEvents } from '#console/charting/search/tileEvents.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { planTile, type QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import { canAlert } from '../model/alertsAtRisk.ts'
import type { TileData } from '../model/dataScope.ts'
import { tileName } from '../model/diff.ts'
import { isZeroWithoutRows } from './tiles/chartLook.ts'
import type { TileExport } from './tiles/tileExport.ts'
import type { ScreenProps } from './viewState.ts'

interface TileMenu extends ScreenProps {
  tile: Tile
  data: TileData
  onShowSql: () => void
}

/** Loaded with the first use. */
const runs = () => import('./tileRuns.ts')

/** @returns the actions of a tile, from what it draws when its menu opens */
export function useTileMenu(menu: TileMenu): (drawn: TileExport | null) => Action[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const { problem, open } = useViewEvents(menu.data.connectionId, menu.data.zone)
  return (drawn) => {
    const { tile, data, dashboard, state, onState } = menu
    const { id, config } = tile
    if (!id) return []
    const expand: Action = { label: 'Full screen', icon: Expand, key: 'f', run: () => onState({ full: id }, push) }
    const editing: Action[] = [
      { label: 'Edit', icon: Pencil, key: 'e', run: () => onState({ edit: '1', tile: id }, push) },
    ]
    const copying: Action[] = [
      {
        label: 'Duplicate',
        icon: Copy,
        key: 'd',
        startsGroup: true,
        run: () => void runs().then((run) => run.duplicate(connection.id, dashboard, id, () => edit(onState))),
      },
      { label: 'Copy link', icon: Link2, key: 'l', run: () => void copyText(linkTo(id), 'Link') },
    ]
    if (config?.displayType === 'markdown') return [...editing, ...copying, { ...expand, startsGroup: true }]
    const asked = questionOf(config, data)
    const range = { from: state.from, to: state.to, ...zoneOf(data) }
    const explored = asked.plan
      ? explorerLink(asked.config, asked.plan, { ...range, empty: emptyOf(asked.config, asked.plan) })
      : { search: {}, problem: asked.problem }
    const alert = lockReason(connection) ?? (canAlert(tile) ? undefined : 'Alerts watch line, bar and number tiles.')
    return [
      ...editing,
      {
        label: 'Explore',
        icon: ChartSpline,
        key: 'x',
        run: () => void navigate({ to: paths.explorer(data.connectionId ?? ''), search: explored.search ?? {} }),
        disabled: explored.problem,
      },
      {
        label: 'Alert on this',
        icon: Bell,
        key: 'a',
        run: () =>
          void navigate({ to: paths.newAlert(connection.id), search: { dashboardId: dashboard.id, tileId: id } }),
        disabled: alert,
      },
      ...eventsOf(asked, data, problem, open),
      {
        label: 'Explain a range',
        icon: Split,
        key: 'i',
        run: () => drawn?.explain?.choose(),
        disabled: drawn ? (drawn.explain ? drawn.explain.problem : 'Only charts over time can be explained.') : noData,
      },
      {
        label: 'Show SQL',
        icon: Database,
        run: menu.onShowSql,
        disabled: config?.configType === 'sql' ? undefined : asked.problem,
      },
      ...copying,
      ...downloadsOf(tile, drawn),
      expand,
    ]
  }
}

/** Why a tile that draws nothing can neither be explained nor downloaded. */
const noData = 'The tile shows no data.'

function downloadsOf(tile: Tile, drawn: TileExport | null): Action[] {
  const noPicture = drawn?.snapshot ? undefined : 'Only charts over time can be saved as a picture.'
  return [
    {
      label: 'Download PNG',
      icon: FileImage,
      key: 'p',
      startsGroup: true,
      run: () => void runs().then(({ savePng }) => savePng(drawn?.snapshot?.())),
      disabled: drawn ? noPicture : noData,
    },
    {
      label: 'Download CSV',
      icon: FileSpreadsheet,
      key: 'c',
      run: () => void runs().then(({ saveCsv }) => saveCsv(tileName(tile), drawn?.lines())),
      disabled: drawn ? undefined : noData,
    },
  ]
}

const push = { push: true }
/** How a tile draws buckets without rows. */
const emptyOf = ({ fillNulls }: TileConfig, { aggFns }: QueryPlan) =>
  fillNulls !== false && isZeroWithoutRows(aggFns) ? 'zero' : undefined
const edit = (onState: ScreenProps['onState']) => onState({ edit: '1' }, push)
const zoneOf = ({ zone }: TileData) => ({ tz: zone === 'local' ? undefined : zone })

type Question = { config: TileConfig; plan: QueryPlan; problem?: undefined } | { plan?: undefined; problem: string }

/** The query of a tile, or why there is none. */
function questionOf(config: TileConfig | undefined, { reason, scope }: TileData): Question {
  if (reason !== null) return { problem: reason }
  if (!scope) return { problem: 'The sources are still loading.' }
  if (config?.configType === 'sql') return { problem: 'A Raw SQL tile has no condition to search for.' }
  const plan = planTile(config, scope)
  if (plan.kind === 'query' && config) return { config, plan }
  return { problem: plan.kind === 'none' ? plan.reason : 'This tile has no query.' }
}

type ViewEvents = ReturnType<typeof useViewEvents>

/** The ways to the rows of a tile: one for each condition of its series. */
function eventsOf(
  { plan, problem }: Question,
  { scope, sources }: TileData,
  noSearch: ViewEvents['problem'],
  open: ViewEvents['open'],
): Action[] {
  const viewEvents = { label: 'View events', icon: Rows3, key: 'v' }
  if (!plan || !scope) return [{ ...viewEvents, run: () => {}, disabled: problem }]
  const range = absoluteRange(scope.span)
  const series = distinctSeries(plan)
  return series.map(({ index, where }, at) => {
    const link = tileEvents(plan, index === 0 ? null : lineId(index, []), range, sources)
    const { label, key, icon } = viewEvents
    return {
      label: series.length > 1 ? `${label} of ${where || 'all rows'}` : label,
      icon,
      ...(at === 0 && { key }),
      run: () => open(link),
      disabled: noSearch ?? link.problem,
    }
  })
}

/** The address of the page with the tile in full screen. */
function linkTo(tileId: string): string {
  const url = new URL(location.href)
  url.searchParams.delete('wall')
  url.searchParams.set('full', tileId)
  return url.href
}
