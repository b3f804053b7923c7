/**
 * `npm run backup -- FOLDER [--with-keys] [--without-telemetry]`: writes a backup into a new folder below FOLDER, while the
 * console is running or not. Prints the path of the backup; its progress goes to stderr.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '#stack/config.ts'
import { readSettings, StartError } from '../serverSettings.ts'
import { productVersion } from '../version.ts'
import { makeBackup } from './makeBackup.ts'
import { runCommand } from './runCommand.ts'

const usage = 'Usage: backup FOLDER [--with-keys] [--without-telemetry]. The backup is a new folder in FOLDER.'

await runCommand(usage, async (say) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'with-keys': { type: 'boolean' }, 'without-telemetry': { type: 'boolean' } },
  })
  const [into] = positionals
  if (into === undefined || positionals.length > 1) throw new StartError(usage)
  const path = await makeBackup({
    settings: readSettings(process.env),
    config: readConfig(process.env),
    into,
    withKeys: values['with-keys'] === true,
    withTelemetry: values['without-telemetry'] !== true,
    version: productVersion(),
    say,
    onStopped: (unfinished) => {
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        process.once(signal, () => {
          rmSync(unfinished, { recursive: true, force: true })
          process.exit(code)
        })
      }
    },
  })
  return [path]
})
