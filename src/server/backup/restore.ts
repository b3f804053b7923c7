/**
 * `npm run restore -- FOLDER [--replace] [--keys FOLDER]`: restores the backup in FOLDER into `DATA_DIR` and the servers of
 * the configuration. No console may be running on them.
 */
import { parseArgs } from 'node:util'
import { readConfig } from '#stack/config.ts'
import { readSettings, StartError } from '../serverSettings.ts'
import { restoreBackup } from './restoreBackup.ts'
import { runCommand } from './runCommand.ts'

const usage = 'Usage: restore FOLDER [--replace] [--keys FOLDER]. FOLDER is a backup, with its manifest.json.'

await runCommand(usage, async (say) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean' }, keys: { type: 'string' } },
  })
  const [from] = positionals
  if (from === undefined || positionals.length > 1) throw new StartError(usage)
  const remarks = await restoreBackup({
    settings: readSettings(process.env),
    config: readConfig(process.env),
    from,
    keysFrom: values.keys,
    replace: values.replace === true,
    say,
  })
  return [...remarks, 'The backup is restored. Start the console.']
})
