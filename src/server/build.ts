/** Builds the page if its sources have changed since the last build. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintOf } from './fingerprint.js'
import { StartError } from './serverSettings.ts'

/** The sources of the page. */
export const pageSources = [
  'src/console',
  'src/contract',
  'src/build',
  'public',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the page into `dist` unless it is up to date. @returns the id of the build */
export async function buildPage(root: string, say: (line: string) => void): Promise<string> {
  const fingerprint = fingerprintOf(root, pageSources)
  const stamp = join(root, 'dist/.stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return fingerprint
  say('Building the page. This happens once for each version.')
  try {
    // Imported only here, because Vite is large and most starts have nothing to build.
    const { build } = await import('vite')
    await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error', clearScreen: false })
  } catch (error) {
    throw new StartError(`Failed to build the page: ${error instanceof Error ? error.message : String(error)}`)
  }
  writeFileSync(stamp, fingerprint)
  return fingerprint
}
