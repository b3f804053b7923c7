/** Builds the page if its sources have changed since the last build. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprintOf } from './fingerprint.js'
import { StartError } from './serverSettings.ts'

/** The sources of the page. */
export const pageSources = [
  'src/console',
  'src/contract',
  'src/domain',
  'src/build',
  'public',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the page into `dist` unless it is up to date, as in a package, which has no sources. @returns the id of the build */
export async function buildPage(root: string, say: (line: string) => void): Promise<string> {
  const stamp = join(root, 'dist/.stamp')
  if (!existsSync(join(root, 'src/console'))) return readFileSync(stamp, 'utf8')
  const fingerprint = fingerprintOf(root, pageSources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return fingerprint
  say('Building the page. This happens once for each version.')
  try {
    // In a process of its own: a build takes close to a gigabyte of memory, which the server would keep.
    await run(process.execPath, [vite(), 'build', '--logLevel', 'error'], { cwd: root })
  } catch (error) {
    throw new StartError(`Failed to build the page: ${outputOf(error)}`)
  }
  writeFileSync(stamp, fingerprint)
  return fingerprint
}

const run = promisify(execFile)

/** Vite's command. */
const vite = () => join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

/** The output of a failed command, or why it could not be started. */
function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'stderr' in error && typeof error.stderr === 'string' && error.stderr !== ''
    ? error.stderr.trim()
    : error.message
}
