/** Actions of the menu of a tile that are loaded with their first use. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { chartFileName, savePng as saveChart } from '#console/charting/export/saveChart.ts'
import type { ChartSnapshot } from '#console/ui/chart/exportChart.tsx'
import { downloadCsv, type CsvLines } from '#console/ui/series/csv.ts'
import { loadDraft, storeDraft } from '../model/draftStore.ts'
import { duplicateTile } from '../model/editing.ts'

/** Puts a copy of a tile into the draft of the dashboard, which opens then. Nothing is sent. */
export function duplicate(connectionId: string, dashboard: Dashboard, tileId: string, open: () => void): void {
  const { base, draft } = loadDraft(connectionId, dashboard.id) ?? { base: dashboard, draft: dashboard }
  const isStored = storeDraft(connectionId, dashboard.id, {
    base,
    draft: duplicateTile(draft, tileId),
    at: Date.now(),
  })
  if (isStored) open()
  else
    toast({ tone: 'bad', text: 'This browser cannot store a draft. Edit the dashboard and duplicate the tile there.' })
}

/** @param chart undefined while its code is loading */
export async function savePng(chart: ChartSnapshot | undefined): Promise<void> {
  if (chart) await saveChart(chart)
  else toast(stillLoading)
}

/** @param lines undefined while the code of their chart is loading */
export function saveCsv(name: string, lines: CsvLines | undefined): void {
  if (lines) downloadCsv(chartFileName(name, 'csv'), lines)
  else toast(stillLoading)
}

const stillLoading = { tone: 'unknown', text: 'The chart is still loading. Try again in a moment.' } as const
