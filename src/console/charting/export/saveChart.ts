import { fileStem } from '#domain/text/fileStem.ts'
import type { ChartSnapshot } from '#console/ui/chart/exportChart.tsx'
import { download } from '#console/ui/download.ts'
import { svgToPng } from '#console/ui/svgToPng.ts'
import { toast } from '#console/shell/messages/toasts.tsx'

// Loaded with the first export.
const exportChart = () => import('#console/ui/chart/exportChart.tsx')

/** Hands the person a chart with its title and legend, as vector graphics. */
export async function saveSvg(chart: ChartSnapshot): Promise<void> {
  const { chartSvg } = await exportChart()
  download(chartFileName(chart.title, 'svg'), 'image/svg+xml', chartSvg(chart))
}

/** Hands the person a chart with its title and legend, on white. */
export async function savePng(chart: ChartSnapshot): Promise<void> {
  const { chartSvg } = await exportChart()
  try {
    download(chartFileName(chart.title, 'png'), 'image/png', await svgToPng(chartSvg(chart)))
  } catch {
    toast({ tone: 'bad', text: 'This browser cannot export PNG. Use SVG instead.' })
  }
}

/** `count by SeverityText` -> `count-by-SeverityText.png`. */
export function chartFileName(title: string, ending: string): string {
  return `${fileStem(title, 80, { keepsMarks: true }) || 'chart'}.${ending}`
}
