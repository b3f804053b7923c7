/** Fails the build if a page has too much JavaScript, or too many files. */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { chunkOf, entryOf, staticClosure } from './chunks.ts'

interface Budget {
  what: string
  /** The file that draws it; null for the frame alone. */
  page: string | null
  /** KiB of gzip JavaScript before the page is usable: what is reached today. */
  limit: number
  /** What is aimed at. */
  aim: number
  /** Files of JavaScript. */
  files: number
}

// The limits lie above the aims while frame and lists still load MUI's style system: lower them with it.
const budgets: readonly Budget[] = [
  { what: 'the frame without a page', page: null, limit: 127, aim: 110, files: 1 },
  { what: 'the alerts page with its frame', page: 'features/alerts/AlertsPage.tsx', limit: 214, aim: 180, files: 3 },
  {
    what: 'the dashboards list with its frame',
    page: 'features/dashboards/DashboardsPage.tsx',
    limit: 217,
    aim: 180,
    files: 4,
  },
  {
    what: 'the explorer with its frame',
    page: 'features/explorer/ExplorerPage.tsx',
    limit: 491,
    aim: 300,
    files: 6,
  },
]

export function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = entryOf(bundle)
      for (const { what, page, limit, aim, files } of budgets) {
        const start = page ? chunkOf(bundle, page) : entry
        if (!entry || !start) this.error(`No chunk was built for ${what}.`)
        const chunks = staticClosure(bundle, [entry.fileName, start.fileName])
        const size = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0) / 1024
        const found = `${what}: ${size.toFixed(1)} KiB of JavaScript (gzip), at most ${limit} (aim ${aim})`
        const inFiles = `in ${chunks.length} files, at most ${files}`
        if (size > limit || chunks.length > files) this.error(`Over the bundle budget: ${found}, ${inFiles}.`)
        this.info(`${found}, ${inFiles}`)
      }
    },
  }
}
