import { Download, FileImage, FileSpreadsheet, FileType2 } from 'lucide-react'
import type { RefObject } from 'react'
import { chartFileName, savePng, saveSvg } from '#console/charting/export/saveChart.ts'
import { downloadCsv, frameLines, type CsvLines } from '#console/ui/series/csv.ts'
import type { ChartSnapshot } from '#console/ui/chart/exportChart.tsx'
import { frameOf, type Series } from '#console/ui/series/series.ts'
import type { ChartHandle } from '#console/ui/chart/TimeSeriesChart.tsx'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import type { ExplorerState } from './state.ts'
import type { ExplorerData } from './useExplorerData.ts'

interface ExportMenuProps {
  chart: RefObject<ChartHandle | null>
  state: ExplorerState
  data: ExplorerData
  lines: readonly Series[]
}

/** Exports the chart as an image, or its values as a file. */
export function ExportMenu({ chart, state, data, lines }: ExportMenuProps) {
  const noChart = state.view === 'number' ? 'Only charts can be exported: choose a line, area or bar chart' : undefined
  const drawn = (save: (chart: ChartSnapshot) => unknown) => () => {
    const now = chart.current?.snapshot()
    return now && save(now)
  }
  return (
    <MenuButton
      icon={Download}
      label="Export"
      choices={[
        {
          icon: FileImage,
          label: 'Chart as PNG',
          detail: 'with title and legend, on white',
          disabled: noChart,
          run: drawn(savePng),
        },
        {
          icon: FileType2,
          label: 'Chart as SVG',
          detail: 'vector graphics',
          disabled: noChart,
          run: drawn(saveSvg),
        },
        {
          icon: FileSpreadsheet,
          label: 'Visible series as CSV',
          detail: 'without hidden series',
          disabled: noChart,
          run: drawn((now) => downloadCsv(chartFileName(now.title, 'csv'), frameLines(now.frame))),
        },
        {
          icon: FileSpreadsheet,
          label: 'All data as CSV',
          detail: 'all series and buckets',
          run: () => downloadCsv('explorer.csv', allLines(lines, data)),
        },
      ]}
    />
  )
}

function allLines(lines: readonly Series[], { request, readAt }: ExplorerData): CsvLines {
  return frameLines(
    frameOf(lines, 'gap', {
      from: request.span.from,
      to: Math.min(request.span.to, readAt),
      bucketMs: request.bucketMs,
      zone: request.zone,
    }),
  )
}
