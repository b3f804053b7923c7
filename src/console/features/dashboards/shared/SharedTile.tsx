import { useId, useMemo, useState } from 'react'
import { Info, Table2 } from 'lucide-react'
import type { SharedView, ViewedChart, ViewedTile } from '#contract/sharedLinks.ts'
import { readRow } from '#console/telemetry/rows/columns.ts'
import { withUniqueKeys } from '#console/telemetry/rows/readRows.ts'
import { firstTotal, tileLines } from '#console/telemetry/tiles/tileData.ts'
import { isTotal } from '#console/telemetry/tiles/tileQuery.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import card from '#console/ui/base/card.module.css'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { chartLook, seriesOf } from '../view/tiles/chartLook.ts'
import { MarkdownTile } from '../view/tiles/MarkdownTile.tsx'
import { NoData } from '../view/tiles/NoData.tsx'
import { RowTable } from '../view/tiles/RowTable.tsx'
import { TotalDrawing } from '../view/tiles/TotalDrawing.tsx'
import { counted } from '#domain/text/words.ts'
import { drawnChart } from './viewedPlan.ts'
import rowsTile from '../view/tiles/RowsTile.module.css'
import table from '../view/tiles/tileTable.module.css'
import frame from '../view/TileCard.module.css'
import css from './shared.module.css'

/** A tile of a shared link: its name, and what was read. */
export function SharedTile({ tile, view }: { tile: ViewedTile; view: SharedView }) {
  const { name, description, content } = tile
  const titleId = useId()
  const [shown, setShown] = useState<'chart' | 'table'>('chart')
  const notes = [description, ...(content.kind === 'chart' ? content.notes : [])].filter(Boolean).join(' ')
  const hasTableView = content.kind === 'chart' && content.config['displayType'] !== 'table'
  return (
    <section aria-labelledby={titleId} className={`${card.card} ${frame.tileCard}`}>
      <div className={frame.header}>
        <Text id={titleId} variant="h3" component="h2" className={frame.title} title={name}>
          {name}
        </Text>
        <div className={frame.spacer} />
        {notes && (
          <span {...hint(notes)} role="img" aria-label={notes} className={frame.notes}>
            <Info size={14} aria-hidden />
          </span>
        )}
        {hasTableView && (
          <IconButton
            aria-label={shown === 'chart' ? `Show ${name} as table` : `Show ${name} as chart`}
            aria-pressed={shown === 'table'}
            size="small"
            onClick={() => setShown(shown === 'chart' ? 'table' : 'chart')}
          >
            <Table2 size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      <SharedContent content={content} name={name} view={view} shown={shown} />
    </section>
  )
}

interface ContentProps {
  content: ViewedTile['content']
  name: string
  view: SharedView
  shown: 'chart' | 'table'
}

function SharedContent({ content, name, view, shown }: ContentProps) {
  if (content.kind === 'text') return <MarkdownTile text={content.text} />
  if (content.kind === 'none') return <Reason>{content.reason}</Reason>
  if (content.kind === 'rows') return <Rows content={content} name={name} view={view} />
  return <SharedChart chart={content} name={name} view={view} shown={shown} />
}

function Reason({ children }: { children: string }) {
  return (
    <Text color="textSecondary" className={css.reason}>
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
  if (!drawn) return <Reason>The deployment did not say which groups its values are of.</Reason>
  const { config, answers, before, automatic } = drawn
  if (isTotal(config)) {
    const earlier =
      before && config.displayType === 'number' ? firstTotal(config, before.plan, before.points) : undefined
    const same = { config, answers, automatic, label: name, view: shown, stale: false }
    return <TotalDrawing {...same} span={view.range} before={earlier} />
  }
  return (
    <div ref={ref} className={css.chart} style={{ overflow: shown === 'table' ? 'auto' : 'hidden' }}>
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
    <div className={rowsTile.tile} tabIndex={0} role="region" aria-label={`${name}, rows`}>
      <RowTable columns={columns} rows={shown} span={range} zone={zone} />
      {!isAll && <p className={table.note}>The newest {counted(rows.length, 'row')}.</p>}
    </div>
  )
}
