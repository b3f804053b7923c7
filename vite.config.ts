import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'

/** The modules that every list needs: they arrive as one chunk, with the frame. */
const list = new Set<string>()

const rechartsAndItsOwn =
  /node_modules[\\/](recharts|d3-|victory-vendor|@reduxjs|redux|react-redux|immer|reselect|es-toolkit|decimal|eventemitter3|internmap|tiny-invariant)/

export default defineConfig({
  plugins: [react(), listModules(), bundleBudget(), precompress()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A page of sixty small chunks compresses badly and waits for six connections: its parts come in a few.
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'list', test: (id) => list.has(id), minShareCount: 2, priority: 2 },
            { name: 'recharts', test: rechartsAndItsOwn, minShareCount: 2, priority: 1 },
            // What some pages share, by which of them; crumbs join the group that is nearest.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2_500 },
          ],
        },
        // The bundler names a shared chunk after all of its pages.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  test: { include: ['src/**/*.spec.{ts,tsx}'], testTimeout: 20_000, restoreMocks: true },
})

/** Finds the modules of the alerts page, which has what a list has, and has the browser fetch them beside the frame. */
function listModules(): Plugin {
  return {
    name: 'list-modules',
    apply: 'build',
    buildEnd() {
      const queue = [...this.getModuleIds()].filter((id) => id.endsWith('features/alerts/AlertsPage.tsx'))
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        if (list.has(id)) continue
        list.add(id)
        queue.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === 'chunk' && file.name === 'list')
          .map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          })),
    },
  }
}

/** What may be loaded before the page is usable, in KiB of gzip JavaScript. */
const budgets = [
  { what: 'the frame without a page', page: null, limit: 170 },
  { what: 'the alerts page with its frame', page: 'features/alerts/AlertsPage.tsx', limit: 300 },
]

/** Fails the build when a page has become too heavy: a number in a report is read too late. */
function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      for (const { what, page, limit } of budgets) {
        const start = page ? Object.values(bundle).find((file) => isPage(file, page)) : entry
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

function isPage(file: Rolldown.OutputAsset | Rolldown.OutputChunk, page: string): boolean {
  return file.type === 'chunk' && (file.facadeModuleId?.endsWith(page) ?? false)
}

/** The chunks that arrive with these, dynamic imports left out. */
function staticClosure(bundle: Rolldown.OutputBundle, from: string[]): Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>()
  const queue = [...from]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = bundle[name]
    if (file?.type !== 'chunk' || found.has(name)) continue
    found.set(name, file)
    queue.push(...file.imports)
  }
  return [...found.values()]
}

/** Leaves a .br and a .gz beside every file that is worth it: the gateway serves them as they are. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(?:js|css|svg)$/.test(name))) {
        const content = readFileSync(join(folder, file))
        if (content.length < 1024) continue
        writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }))
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content, { params: brotliLevel }))
      }
    },
  }
}

/** Nine of eleven: the last two cost most of the time for a percent. */
const brotliLevel = { [constants.BROTLI_PARAM_QUALITY]: 9 }
