import type { Plugin } from 'vite'
import { pages } from '../console/paths/pages.ts'
import { chunkOf, entryOf, staticClosure } from './chunks.ts'

/**
 * Writes `.pageChunks.json`: the chunks of each page, without those of index.html. The gateway lists them in the page,
 * so that they load beside the shell and not after it. The font is included.
 */
export function pageChunks(): Plugin {
  return {
    name: 'pageChunks',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = entryOf(bundle)
      if (!entry) this.error('The build has no entry.')
      const frame = new Set(staticClosure(bundle, [entry.fileName]).map((chunk) => chunk.fileName))
      const chunksOf = (file: string) => {
        const start = chunkOf(bundle, file)
        if (!start) this.error(`No chunk was built for ${file}: see src/console/paths/pages.ts.`)
        const names = staticClosure(bundle, [start.fileName]).map((chunk) => chunk.fileName)
        return names.filter((name) => !frame.has(name)).map((name) => `/${name}`)
      }
      const byUrl = Object.values(pages).map(({ url, file }) => [url, chunksOf(file)] as const)
      this.emitFile({
        type: 'asset',
        fileName: '.pageChunks.json',
        source: JSON.stringify(Object.fromEntries(byUrl)),
      })
    },
    // Otherwise the first text would request it, and would be drawn twice.
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /\/inter-[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            injectTo: 'head' as const,
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
          })),
    },
  }
}
