import type { Plugin, Rolldown } from 'vite'
import { destination, pages, type PageEntry } from '../console/paths/pages.ts'
import { chunkOf, chunkWith, entryOf, staticClosure } from './chunks.ts'
import type { CompiledConsole } from './compiledConsole.ts'

/**
 * Writes `.pages.json`: for each page its chunks, without those of index.html, and its first reads, those that its
 * file exports and those of the frame. The gateway lists the chunks in the document, so that they load beside the frame
 * and not after it, and sends the reads inside of it. The font is preloaded too.
 */
export function pageManifest({ ask }: CompiledConsole): Plugin {
  return {
    name: 'page-manifest',
    apply: 'build',
    async generateBundle(_, bundle) {
      const entry = entryOf(bundle)
      if (!entry) this.error('The build has no entry.')
      const frame = new Set(staticClosure(bundle, [entry.fileName]).map((chunk) => chunk.fileName))
      const chunksOf = ({ file, parts = [] }: PageEntry) => {
        const starts = [chunkOf(bundle, file), ...parts.map((part) => chunkWith(bundle, part))].map(
          (start) => start ?? this.error(`No chunk was built for ${file} or a part: see src/console/paths/pages.ts.`),
        )
        const names = staticClosure(
          bundle,
          starts.map(({ fileName }) => fileName),
        ).map((chunk) => chunk.fileName)
        return names.filter((name) => !frame.has(name)).map((name) => `/${name}`)
      }
      const byUrl = await ask(({ pageReads, frameReads }) =>
        Promise.all(
          Object.entries<PageEntry>(pages).map(async ([name, page]) => {
            const { url, showsSample = false } = page
            const onConnection = url.startsWith('/c/$connectionId/')
            // The URL of the others has nothing to read from, or redirects.
            const reads = onConnection && destination(url) === url ? await pageReads(name) : []
            const backgroundReads = onConnection ? frameReads(showsSample).filter((read) => !reads.includes(read)) : []
            return [url, { chunks: chunksOf(page), reads, backgroundReads }] as const
          }),
        ),
      )
      this.emitFile({ type: 'asset', fileName: '.pages.json', source: JSON.stringify(Object.fromEntries(byUrl)) })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => /\/inter-[^/]*\.woff2$/.test(file))
        const entry = entryTag.exec(html)
        if (font === undefined || !entry?.[1]) throw new Error('The build has no font or no entry.')
        const link = (attrs: Record<string, string | boolean>) => ({
          tag: 'link',
          injectTo: 'body-prepend' as const,
          attrs: { crossorigin: true, ...attrs },
        })
        return {
          html: withStylesheet(html.replace(entryTag, ''), bundle),
          tags: [
            // First, or the first text would be drawn twice. In the head it would delay the first paint.
            link({ rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}` }),
            // Only loaded: a script in `index.html` starts it.
            link({ rel: 'modulepreload', href: entry[1], 'data-entry': true }),
          ],
        }
      },
    },
  }
}

const entryTag = /<script (?=[^>]*type="module")[^>]*src="([^"]+)"><\/script>/

/** The stylesheet in the document itself: the first paint needs nothing else. */
function withStylesheet(html: string, bundle: Rolldown.OutputBundle): string {
  return html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (link, name: string) => {
    const file = bundle[name]
    return file?.type === 'asset' ? `<style nonce="__CSP_NONCE__">${String(file.source)}</style>` : link
  })
}
