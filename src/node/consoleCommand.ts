/** The commands of the product, as messages name them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Commands by their script in package.json, with the name that `stack-console` has for them. */
const packagedNames = {
  restore: 'restore-backup',
  'rotate-key': 'rotate-key',
  'move-database': 'move-database',
} as const

/** Both the sources and a bundle of them are two folders below the root. */
const root = join(import.meta.dirname, '../..')

/**
 * A command as the running installation has it: `npm run restore` in a checkout, and `stack-console restore-backup` for an installed
 * package, which has no sources and whose user has no scripts of it.
 */
export function consoleCommand(script: keyof typeof packagedNames, installedIn = root): string {
  const isCheckout = existsSync(join(installedIn, 'src/server.ts'))
  return isCheckout ? `npm run ${script}` : `stack-console ${packagedNames[script]}`
}
