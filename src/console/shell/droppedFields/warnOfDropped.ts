/** Says which fields deployments did not keep of what was sent: they respond as if all was saved. */
import type { StoredWrite } from '#console/api/stored.ts'
import { capitalized, counted } from '#domain/text/words.ts'
import { fieldsNotKept } from '#domain/records/fieldsNotKept.ts'
import { kindLabel } from '../runs/kinds.tsx'
import { replaceToast, toast } from '../messages/toasts.tsx'

interface Dropped {
  record: string
  fields: string[]
}

/** What the notification that is shown says: that of the writes since it appeared. */
let shown: { id: number; all: Dropped[] } | null = null

/** Records that are named; the others are counted. */
const mostNamed = 4

/** Shows the fields that a write lost, together with those of other writes while the notification stays. */
export function warnOfDropped(write: StoredWrite): void {
  const fields = namesNotKept(write)
  if (fields.length === 0) return
  const dropped = { record: recordOf(write), fields }
  const all = [...(shown?.all ?? []).filter(({ record }) => record !== dropped.record), dropped]
  if (shown && replaceToast(shown.id, textOf(all))) shown = { id: shown.id, all }
  else shown = { id: toast({ tone: 'unknown', text: textOf([dropped]) }), all: [dropped] }
}

/** The fields that were sent and are not stored, as they are called on the screen. */
export function namesNotKept({ endpoint, sent, result, titles }: StoredWrite): string[] {
  return fieldsNotKept(endpoint, sent, result).map((path) => titles[path] ?? path)
}

function textOf(all: readonly Dropped[]): string {
  const [first] = all
  if (first && all.length === 1)
    return `${first.record} was saved, but this deployment did not keep: ${first.fields.join(', ')}.`
  const named = all.slice(0, mostNamed).map(({ record, fields }) => `${record}: ${fields.join(', ')}`)
  const rest = all.length > mostNamed ? `; and ${all.length - mostNamed} more` : ''
  return `${counted(all.length, 'record')} were saved, but this deployment did not keep all of them. ${named.join('; ')}${rest}.`
}

/** "Data pipe Orders", at the start of a sentence. */
function recordOf({ endpoint: { resource, stored }, sent, result }: StoredWrite): string {
  const noun = capitalized(kindLabel(resource).one)
  const record = stored?.at === undefined ? result : property(result, stored.at)
  const name = ['name', 'displayName', 'description'].flatMap((field) => {
    const value = property(record, field) ?? property(sent, field)
    return typeof value === 'string' && value !== '' ? [value] : []
  })[0]
  return name === undefined ? noun : `${noun} ${name}`
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}
