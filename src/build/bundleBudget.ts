/** Fails the build if a page has too much JavaScript or too many files, or MUI comes with a page that is drawn without. */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { pages, plainPages, type PageEntry } from '../console/paths/pages.ts'
import { chunkOf, chunkWith, entryOf, staticClosure } from './chunks.ts'

interface Budget {
  what: string
  /** The file that draws it, with its parts (`pages.ts`); null for the frame alone. */
  page: string | null
  /** Parts that the page loads on its own right after it is drawn, and that count here. */
  loads?: readonly string[]
  /** KiB of gzip JavaScript before the page is usable: a little more than what is reached. */
  limit: number
  /** The aim. */
  aim: number
  /** Files of JavaScript. */
  files: number
}

// Lower the limits when the sizes fall.
// The part of the frame above its aim is the router: a quarter of it.
const budgets: readonly Budget[] = [
  { what: 'the frame without a page', page: null, limit: 130, aim: 110, files: 1 },
  { what: 'Home with its frame', page: 'features/home/HomePage.tsx', limit: 195, aim: 180, files: 7 },
  { what: 'the alerts page with its frame', page: 'features/alerts/AlertsPage.tsx', limit: 192, aim: 180, files: 5 },
  {
    what: 'the dashboards list with its frame',
    page: 'features/dashboards/DashboardsPage.tsx',
    limit: 192,
    aim: 180,
    files: 5,
  },
  {
    what: 'the explorer with its frame',
    page: 'features/explorer/ExplorerPage.tsx',
    limit: 241.5,
    aim: 300,
    files: 6,
  },
  { what: 'the search with its frame', page: 'features/search/SearchPage.tsx', limit: 262, aim: 300, files: 9 },
  {
    what: 'a dashboard with its frame',
    page: 'features/dashboards/DashboardPage.tsx',
    limit: 270,
    aim: 300,
    files: 9,
  },
  { what: 'a trace with its frame', page: 'features/search/TracePage.tsx', limit: 205.5, aim: 200, files: 6 },
  { what: 'an alert with its frame', page: 'features/alerts/detail/AlertPage.tsx', limit: 297.5, aim: 260, files: 11 },
  { what: 'a pipe with its frame', page: 'features/pipes/PipePage.tsx', limit: 280.5, aim: 300, files: 11 },
  { what: 'a form with its frame', page: 'features/webhooks/WebhookFormPages.tsx', limit: 361, aim: 300, files: 11 },
  {
    what: 'a new webhook with its preview',
    page: 'features/webhooks/WebhookFormPages.tsx',
    loads: ['features/webhooks/form/RequestPanel.tsx', 'features/webhooks/preview/MessagePreview.tsx'],
    limit: 370.5,
    aim: 300,
    files: 16,
  },
  { what: 'a new alert with its frame', page: 'features/alerts/NewAlertPage.tsx', limit: 411.5, aim: 300, files: 14 },
]

export function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = entryOf(bundle)
      for (const { what, page, loads = [], limit, aim, files } of budgets) {
        const start = page ? chunkOf(bundle, page) : entry
        if (!entry || !start) this.error(`No chunk was built for ${what}.`)
        const parts = Object.values<PageEntry>(pages).find(({ file }) => file === page)?.parts ?? []
        const starts = [entry, start, ...[...parts, ...loads].map((part) => chunkWith(bundle, part) ?? start)]
        const chunks = staticClosure(
          bundle,
          starts.map(({ fileName }) => fileName),
        )
        const size = chunks.reduce((sum, chunk) => sum + sizeOf(chunk.code), 0) / 1024
        const line = `${what}: ${size.toFixed(1)} KiB of JavaScript (gzip), at most ${limit} (aim ${aim})`
        const inFiles = `in ${chunks.length} files, at most ${files}`
        if (size > limit || chunks.length > files) this.error(`Over the bundle budget: ${line}, ${inFiles}.`)
        this.info(`${line}, ${inFiles}`)
      }
      for (const name of plainPages()) {
        const start = chunkOf(bundle, pages[name].file)
        const chunks = start ? staticClosure(bundle, [start.fileName]) : []
        const withMui = chunks.find(({ moduleIds }) => moduleIds.some((id) => /[\\/]@mui[\\/]/.test(id)))
        if (withMui) this.error(`The page "${name}" is drawn without MUI, but loads it with ${withMui.fileName}.`)
      }
    },
  }
}

/** Bytes of gzip JavaScript. Placeholders, which Vite replaces later by lists of few numbers, do not compress. */
const sizeOf = (code: string): number => gzipSync(code.replaceAll(/__VITE_PRELOAD__[\da-f]+/g, '[]')).length
