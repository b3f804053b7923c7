/** Product and specs read the time of day from one clock: those that read the machine's differ after a step of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const machineClock = /\bDate\.now\b|\bnew Date\(\)/

/** Files that set the clock, compare clocks, or name files for people. */
const exceptions: readonly string[] = [
  'gateway/identity/oidc/provider.ts',
  'node/clock/wallClock.ts',
  'node/database/databaseTime.ts',
  'node/files/dataLoss.ts',
  'node/testing/clockOffset.spec.ts',
  'server/backup/makeBackup.ts',
  'server/backup/restoreBackup.ts',
  'server/server.spec.ts',
  'stack/collector/abandonedExport.integration.spec.ts',
  'stack/collector/intake.ts',
  'stack/testing/kafka/kafkaProcess.ts',
]
const setsClock = /\bsetSystemTime\b|\buseFakeTimers\b|\bmockImplementation\(\(\) => Date\.now/

test('servers and their specs read the machine clock in no other file', () => {
  const folders = ['gateway', 'node', 'server', 'stack'].map((folder) => join(import.meta.dirname, folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: file.slice(import.meta.dirname.length + 1), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => machineClock.test(text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')) && !setsClock.test(text))
    .map(({ file }) => file)
  expect(found.toSorted(), 'Use currentTime() or currentIsoTime().').toEqual(exceptions)
})
