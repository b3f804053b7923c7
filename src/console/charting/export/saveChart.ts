import { fileStem } from '#domain/text/fileStem.ts'
import type { ChartSnapshot } from '#console/ui/chart/exportChart.tsx'
import { download } from '#console/ui/download.ts'
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

/** An SVG document as a PNG with `density` pixels for one of the screen. Throws if the browser cannot draw it. */
async function svgToPng(svg: string, density = 2): Promise<Blob> {
  const image = new Image()
  // As data and not as a blob: the page's own rules allow images from nowhere else.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * density
  canvas.height = image.naturalHeight * density
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob && context ? done(blob) : fail(new Error('The browser could not create the image.'))),
      'image/png',
    )
  })
}
