import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
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
    async writeBundle(_, bundle) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Files of former builds have been compressed by them.
      const isOurs = (file: string) => !file.startsWith('assets/') || file in bundle
      const compressible = files.filter((name) => /\.(?:js|css|svg)$/.test(name) && isOurs(name))
      await Promise.all(compressible.map((file) => compress(join(folder, file))))
    },
  }
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** At the highest level of brotli, its default: six seconds of processor time for all files, which get 7 % smaller than at level nine. */
async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < 1024) return
  await writeFile(`${path}.gz`, await zip(content, { level: 9 }))
  await writeFile(`${path}.br`, await brotli(content))
}
