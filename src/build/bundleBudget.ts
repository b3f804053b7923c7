/** Fails the build if a page has too much JavaScript. */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { chunkOf, entryOf, staticClosure } from './chunks.ts'

/** The limits before a page is usable, in KiB of gzip JavaScript. */
const budgets = [
  { what: 'the frame without a page', page: null, limit: 170 },
  { what: 'the alerts page with its frame', page: 'features/alerts/AlertsPage.tsx', limit: 300 },
]

export function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = entryOf(bundle)
      for (const { what, page, limit } of budgets) {
        const start = page ? chunkOf(bundle, page) : entry
        if (!entry || !start) this.error(`No chunk was built for ${what}.`)
        const chunks = staticClosure(bundle, [entry.fileName, start.fileName])
        const size = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0) / 1024
        const said = `${what}: ${size.toFixed(1)} KiB of JavaScript (gzip), at most ${limit}`
        if (size > limit) this.error(`Over the bundle budget: ${said}.`)
        this.info(said)
      }
    },
  }
}
