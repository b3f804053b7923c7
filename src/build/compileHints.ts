import type { Plugin } from 'vite'
import { pages, type PageEntry } from '../console/paths/pages.ts'
import { chunkOf, chunkWith, entryOf, staticClosure } from './chunks.ts'

/** Browsers without this hint ignore it as a comment. It only counts before the first statement. */
const hint = '//# allFunctionsCalledOnLoad\n'

/**
 * Lets the browser compile what a page loads at first while it arrives, on another thread. Without, it skips each function until the
 * first call and then compiles it on the main thread: a sixth of that thread's time until a page is usable. Most of these
 * functions are called then; those of parts that are loaded on demand are not.
 */
export function compileHints(): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    // After Vite has added the list of a chunk's parts at its top.
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const starts = Object.values<PageEntry>(pages).flatMap(({ file, parts = [] }) => [
          chunkOf(bundle, file),
          ...parts.map((part) => chunkWith(bundle, part)),
        ])
        const names = [entryOf(bundle), ...starts].flatMap((chunk) => chunk?.fileName ?? [])
        for (const chunk of staticClosure(bundle, names)) chunk.code = hint + chunk.code
      },
    },
  }
}
