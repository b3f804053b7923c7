import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a .br and a .gz beside every compressible file, which the gateway serves. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    // Not at the very end: that also comes after a build that failed, and would hide why it did.
    writeBundle(_, bundle) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Files of former builds have been compressed by them.
      const isOurs = (file: string) => !file.startsWith('assets/') || file in bundle
      for (const file of files.filter((name) => /\.(?:js|css|svg)$/.test(name) && isOurs(name))) {
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
