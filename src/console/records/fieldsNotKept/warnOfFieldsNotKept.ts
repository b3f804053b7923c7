/** Says which fields deployments did not keep of what was sent: they respond as if all was saved. */
import type { StoredWrite } from '#console/api/stored.ts'
import { capitalized, counted } from '#domain/text/words.ts'
import { fieldsNotKept, storedRecord } from '#domain/records/fieldsNotKept.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { replaceToast, toast } from '#console/shell/messages/toasts.tsx'

interface LossyWrite {
  /** Its kind and ID. */
  key: string
  record: string
  fields: string[]
}

/** The notification on the screen, with the writes that it names. They are all to one connection. */
let shown: { id: number; connectionId: string; all: LossyWrite[] } | null = null

/** Records that are named; the others are counted. */
const maxNamed = 4

/** Shows the fields that a write lost, together with those of other writes while the notification stays. */
export function warnOfFieldsNotKept(write: StoredWrite): void {
  const fields = namesNotKept(write)
  if (fields.length === 0) return
  const { connectionId } = write
  const dropped = { key: keyOf(write), record: write.record ?? recordOf(write), fields }
  if (shown?.connectionId === connectionId) {
    const all = [...shown.all.filter(({ key }) => key !== dropped.key), dropped]
    if (replaceToast(shown.id, textOf(all))) {
      shown = { ...shown, all }
      return
    }
  }
  shown = { id: toast({ tone: 'unknown', text: textOf([dropped]) }), connectionId, all: [dropped] }
}

/** The fields that were sent and are not stored, as they are called on the screen. */
export function namesNotKept({ endpoint, sent, result, titles }: Omit<StoredWrite, 'connectionId'>): string[] {
  return fieldsNotKept(endpoint, sent, result).map((path) => titles[path] ?? path)
}

function textOf(all: readonly LossyWrite[]): string {
  const [first] = all
  if (first && all.length === 1)
    return `${first.record} was saved, but this deployment did not keep: ${first.fields.join(', ')}.`
  const named = all.slice(0, maxNamed).map(({ record, fields }) => `${record}: ${fields.join(', ')}`)
  const rest = all.length > maxNamed ? `; and ${all.length - maxNamed} more` : ''
  return `${counted(all.length, 'record')} were saved, but this deployment did not keep all of them. ${named.join('; ')}${rest}.`
}

/** Identifies what was written: by its ID or, for settings and the like, by its name. */
function keyOf(write: StoredWrite): string {
  const id = property(storedRecord(write.endpoint.stored ?? {}, write.result), 'id')
  return `${write.endpoint.resource} ${typeof id === 'string' ? id : (write.record ?? '')}`
}

/** "Data pipe Orders", at the start of a sentence. */
function recordOf(write: StoredWrite): string {
  const { endpoint, sent, result } = write
  const noun = capitalized(kindLabel(endpoint.resource).one)
  const record = storedRecord(endpoint.stored ?? {}, result)
  const name = ['name', 'displayName', 'description'].flatMap((field) => {
    const value = property(record, field) ?? property(sent, field)
    return typeof value === 'string' && value !== '' ? [value] : []
  })[0]
  return name === undefined ? noun : `${noun} ${name}`
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}
