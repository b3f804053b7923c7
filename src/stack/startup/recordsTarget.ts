/** Where the records of a configuration are, and which key encrypts their secrets. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { StoreTarget } from '../store/store.ts'

export function recordsOf({ dataDir, databaseUrl, stackSecret: secret }: Config): StoreTarget {
  const key = { dataDir, secret }
  return databaseUrl ? { url: databaseUrl, ...key } : { file: join(dataDir, 'stack.db'), ...key }
}
