/** Steps that a deployment will refuse of a plan: the bodies of its steps against the rules of the API, before anything is sent. */
import type { z } from 'zod'
import { api } from '#contract/index.ts'
import type { JsonObject } from '../json/json.ts'
import { bodyOf } from './body.ts'
import { itemsOf, nameOf, type Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'

/** Problems that are listed of a step. */
const most = 5
/** Stands for the id of a record that the plan creates. */
const laterId = '0'.repeat(24)

interface Write {
  kind: RecordKind
  action: string
  /** The target's record; null for one to be created. */
  id: string | null
  after: JsonObject | null
  original?: JsonObject | undefined
}

/**
 * Why a deployment will refuse a step, one sentence each; none for a deletion. The rules are those of this stack and of the
 * deployments of its version: another version may know more values.
 */
export function refusalsOf({ kind, action, after, original, id }: Write, directory: Directory): string[] {
  if (after === null || (action !== 'create' && action !== 'update')) return []
  const current = id === null ? undefined : directory.get(kind, id)
  const ids = { idOf: (reference: Parameters<Directory['idOf']>[0]) => directory.idOf(reference) ?? laterId }
  const { body } = bodyOf(kind, after, ids, current, original)
  const { error } = api[kind][action].strictBody.safeParse(body)
  const sentences = (error?.issues ?? [])
    .filter((issue) => !isLeftOut(kind, issue))
    .map((issue) => sentence(issue, body))
  const problems = [...new Set(sentences)]
  return problems.length > most ? [...problems.slice(0, most), `and ${problems.length - most} more problems`] : problems
}

/** Not part of files and exports: somebody enters it. */
function isLeftOut(kind: RecordKind, { path }: z.core.$ZodIssue): boolean {
  return kind === 'webhooks' && path[0] === 'url'
}

/** `tile “Errors”: config.numberFormat: …`: tiles and filters have a name. */
function sentence({ path, message }: z.core.$ZodIssue, body: JsonObject): string {
  const [list, index, ...rest] = path
  const isItem = (list === 'tiles' || list === 'filters') && typeof index === 'number'
  const item = isItem ? itemsOf(body, list)[index] : undefined
  const place = item ? rest : path
  const of = item ? `${list === 'tiles' ? 'tile' : 'filter'} “${nameOf(item)}”` : ''
  return [of, place.map(String).join('.'), message].filter((part) => part !== '').join(': ')
}
