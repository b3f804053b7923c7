/** The version of the product. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Sources are two folders below the root, and so are bundles. */
const root = join(import.meta.dirname, '../..')

export function productVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version
}
