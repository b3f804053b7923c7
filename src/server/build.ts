/** Builds the page if its sources have changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { StartError } from './serverSettings.ts'

/** The sources of the page. */
const sources = [
  'src/console',
  'src/contract',
  'src/build',
  'public',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

const isTest = (file: string) => /\.spec\.tsx?$/.test(file)

/** Builds the page into `dist` unless it is up to date. @returns the id of the build */
export async function buildPage(root: string, say: (line: string) => void): Promise<string> {
  const fingerprint = fingerprintOf(root)
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

/** A digest of the sources. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesUnder(join(root, source))) {
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
