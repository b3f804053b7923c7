/** Starts programs of the sources in tests: from the bundles of the test run (`src/bundledPrograms.ts`) where there are any. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The file of the program and the options with which Node runs it. */
export function program(source: string): { file: string; execArgv: string[] } {
  const folder = process.env['BUNDLED_PROGRAMS']
  const file = folder ? join(folder, `${basename(source, '.ts')}.js`) : ''
  return existsSync(file) ? { file, execArgv: [] } : { file: source, execArgv: ['--import', 'tsx'] }
}
