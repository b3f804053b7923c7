import { useMemo, useState } from 'react'
import type {
  SharedView,
  ViewedChart,
  ViewedHeatmap,
  ViewedPatterns,
  ViewedSql,
  ViewedTile,
} from '#contract/console/sharedLinks.ts'
import { readRow } from '#console/charting/rows/columns.ts'
import { withUniqueKeys } from '#console/charting/rows/readRows.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { firstTotal, tileLines } from '#console/charting/tiles/tileData.ts'
import { isTotal } from '#console/charting/tiles/tileQuery.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { TileFrame, type TileView } from '../view/TileFrame.tsx'
import { chartLook, seriesOf } from '../view/tiles/chartLook.ts'
import { MarkdownTile } from '../view/tiles/MarkdownTile.tsx'
import { NoData } from '../view/tiles/NoData.tsx'
import { RowTable } from '../view/tiles/RowTable.tsx'
import { TotalDrawing } from '../view/tiles/TotalDrawing.tsx'
import type { Unit } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { drawnChart } from './viewedPlan.ts'
import * as tiles from '../view/tiles/tiles.module.css'
import * as css from '../dashboards.module.css'

// Few links have them.
const HeatmapDrawing = lazyComponent(async () => (await import('../view/heatmap/HeatmapDrawing.tsx')).HeatmapDrawing)
const SqlDrawing = lazyComponent(async () => (await import('../view/tiles/SqlDrawing.tsx')).SqlDrawing)
const PatternTable = lazyComponent(
  async () => (await import('#console/charting/patterns/PatternTable.tsx')).PatternTable,
)

/** A tile of a shared link: its name, and what was read. */
export function SharedTile({ tile, view }: { tile: ViewedTile; view: SharedView }) {
  const { name, description, content } = tile
  const [shown, setShown] = useState<TileView>('chart')
  const notes = [description, ...('notes' in content ? content.notes : [])].filter(Boolean).join(' ')
  const isDrawn = content.kind === 'chart' || content.kind === 'sql'
  const hasTableView = content.kind === 'heatmap' || (isDrawn && content.config['displayType'] !== 'table')
  return (
    <TileFrame name={name} notes={notes} view={hasTableView ? shown : undefined} onView={setShown}>
      <SharedContent content={content} name={name} view={view} shown={shown} />
    </TileFrame>
  )
}

interface ContentProps {
  content: ViewedTile['content']
  name: string
  view: SharedView
  shown: TileView
}

function SharedContent({ content, name, view, shown }: ContentProps) {
  if (content.kind === 'text') return <MarkdownTile text={content.text} />
  if (content.kind === 'none') return <Reason>{content.reason}</Reason>
  if (content.kind === 'rows') return <Rows content={content} name={name} view={view} />
  if (content.kind === 'patterns') return <Patterns content={content} name={name} />
  if (content.kind === 'sql') return <Sql content={content} name={name} view={view} shown={shown} />
  if (content.kind === 'heatmap') return <Heatmap content={content} name={name} view={view} shown={shown} />
  return <SharedChart chart={content} name={name} view={view} shown={shown} />
}

function Reason({ children }: { children: string }) {
  return (
    <Text color="textSecondary" className={css.sharedReason}>
      <strong>No data.</strong> {children}
    </Text>
  )
}

function SharedChart({ chart, name, view, shown }: Omit<ContentProps, 'content'> & { chart: ViewedChart }) {
  const [ref, { height }] = useElementSize()
  const drawn = useMemo(() => drawnChart(chart, view), [chart, view])
  const series = useMemo(
    () =>
      drawn && !isTotal(drawn.config)
        ? seriesOf(tileLines(drawn.config, drawn.answers.plan, drawn.answers.points, drawn.automatic))
        : [],
    [drawn],
  )
  if (!drawn) return <Reason>The deployment returned values without their groups.</Reason>
  const { config, answers, before, automatic } = drawn
  if (isTotal(config)) {
    const earlier =
      before && config.displayType === 'number' ? firstTotal(config, before.plan, before.points) : undefined
    const same = { config, answers, automatic, label: name, view: shown, stale: false }
    return <TotalDrawing {...same} span={view.range} before={earlier} />
  }
  return (
    <div ref={ref} className={css.sharedChart} style={{ overflow: shown === 'table' ? 'auto' : 'hidden' }}>
      {series.length === 0 && <NoData />}
      {height > 0 && series.length > 0 && (
        <Chart
          {...chartLook(config, answers.plan, series, height)}
          series={series}
          readAt={answers.readAt}
          zone={view.zone}
          label={name}
          view={shown}
          syncId="shared"
        />
      )}
    </div>
  )
}

interface RowsProps {
  content: Extract<ViewedTile['content'], { kind: 'rows' }>
  name: string
  view: SharedView
}

function Rows({ content: { columns, rows, isAll }, name, view: { range, zone } }: RowsProps) {
  if (rows.length === 0) return <NoData />
  const shown = withUniqueKeys(rows.map((row) => readRow(row, columns)))
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={tiles.tile} tabIndex={0} role="region" aria-label={`${name}, rows`}>
      <RowTable columns={columns} rows={shown} span={range} zone={zone} />
      {!isAll && <p className={tiles.tileTableNote}>The newest {counted(rows.length, 'row')}.</p>}
    </div>
  )
}

function Patterns({ content, name }: { content: ViewedPatterns; name: string }) {
  const { patterns, read, isAll } = content
  if (patterns.length === 0) return <NoData />
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={tiles.tile} tabIndex={0} role="region" aria-label={`${name}, patterns`}>
      <PatternTable patterns={{ patterns, read, isSample: !isAll }} renderLink={({ pattern }) => pattern} />
      {!isAll && <p className={tiles.tileTableNote}>Patterns of the newest {counted(read, 'row')}.</p>}
    </div>
  )
}

function Sql({ content, name, view, shown }: Omit<ContentProps, 'content'> & { content: ViewedSql }) {
  const { columns, rows, isTruncated, span, bucketMs, usesInterval } = content
  const result = useMemo(() => ({ columns, rows, isTruncated }), [columns, rows, isTruncated])
  // The creator's page took it from the configuration of a tile, whose unknown fields pass.
  const config = content.config as TileConfig
  return (
    <SqlDrawing
      {...{ config, result, usesInterval }}
      grid={{ span, bucketMs }}
      label={name}
      zone={view.zone}
      view={shown}
      readAt={Date.parse(view.readAt)}
      stale={false}
      syncId="shared"
      renderRefused={(reason) => <Reason>{reason}</Reason>}
    />
  )
}

function Heatmap({ content, name, view, shown }: Omit<ContentProps, 'content'> & { content: ViewedHeatmap }) {
  const { scale, cells, span, bucketMs } = content
  const rows = useMemo(() => cells.map((row) => new Map(row)), [cells])
  if (!scale) return <NoData />
  // A unit of a newer or older page: an unknown one is a plain number.
  const unit = (content.unit ?? 'number') as Unit
  const drawing = { scale, cells: rows, span, bucketMs, unit, zone: view.zone, label: name, isStale: false }
  return <HeatmapDrawing {...drawing} view={shown} />
}
