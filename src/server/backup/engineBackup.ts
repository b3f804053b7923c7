/** Looks into the engine's own backup before the engine does: it would carry out what it finds there. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { storageEngines } from '#contract/cloud/pipes/pipeInputs.ts'
import { StartError } from '../serverSettings.ts'
import { filesBelow } from './manifest.ts'

/** The engine's list of the files in its backup. */
const listFile = '.backup'

/**
 * @throws StartError for a backup that reads or writes files outside of it and of the engine, or that the product has not
 * written: it may have been manipulated
 */
export async function checkEngineBackup(folder: string): Promise<void> {
  if (!existsSync(join(folder, listFile))) throw damaged('has no list of its files')
  checkList(await readFile(join(folder, listFile), 'utf8'))
  const paths = await filesBelow(folder)
  for (const path of paths.filter((file) => /^metadata\/.*\.sql$/.test(file))) {
    checkDefinition(path, await readFile(join(folder, path), 'utf8'))
  }
}

function checkList(xml: string): void {
  if (/<(base_backup|lightweight_snapshot)/.test(xml)) throw damaged('refers to another backup')
  for (const [, name = ''] of xml.matchAll(/<(?:name|data_file|object_key)>([^<]*)</g)) {
    const isInside =
      name !== '' && !/&#|[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))
    if (!isInside) throw damaged(`names a file outside of it, ${JSON.stringify(name)}`)
  }
}

/** Only tables that keep their rows in the engine's folder. A view keeps none. */
function checkDefinition(path: string, sql: string): void {
  const isDatabase = /^metadata\/[^/]+\.sql$/.test(path)
  const engine = / ENGINE = (\w+)/.exec(sql)?.[1] ?? ''
  const known = isDatabase ? ['Atomic'] : [...storageEngines, 'AggregatingMergeTree', 'View', 'MaterializedView']
  const isView = !isDatabase && /^CREATE (MATERIALIZED )?VIEW /.test(sql)
  if (!isView && !known.includes(engine)) throw damaged(`has ${path} with the engine ${engine || 'unknown'}`)
  if (/\b(disk|storage_policy)\s*=/i.test(sql)) throw damaged(`has ${path}, which keeps its rows elsewhere`)
}

const damaged = (problem: string) =>
  new StartError(`The backup is damaged or was manipulated: its telemetry ${problem}.`)
