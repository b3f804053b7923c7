/** Builds the page when what it is made of has changed since the last time. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { StartError } from './settings.ts'

/** What a page is made of. */
const ingredients = [
  'src/console',
  'src/contract',
  'src/build',
  'public',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

const isTest = (file: string) => /\.spec\.tsx?$/.test(file)

/** Leaves a fresh page in `dist` and returns the build's id. */
export async function buildPage(root: string, say: (line: string) => void): Promise<string> {
  const fingerprint = fingerprintOf(root)
  const stamp = join(root, 'dist/.stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return fingerprint
  say('Building the page, once for this version…')
  try {
    // Loaded here alone: it is large, and most starts have nothing to build.
    const { build } = await import('vite')
    await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error', clearScreen: false })
  } catch (error) {
    throw new StartError(`The page cannot be built: ${error instanceof Error ? error.message : String(error)}`)
  }
  writeFileSync(stamp, fingerprint)
  return fingerprint
}

/** The same as long as no ingredient changes. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  for (const ingredient of ingredients) {
    for (const file of filesUnder(join(root, ingredient))) {
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
